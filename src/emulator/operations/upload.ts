import type { UploadedItem } from '../../protocol/index.ts';
import type { User } from '../accounts.ts';
import { arriving } from '../arriving.ts';
import { refuseAccess } from '../jobs/job-access.ts';
import { type Answer, type Call, type Operation, type Refusal, refuse } from '../operation.ts';
import type { Site } from '../site.ts';
import { type StoredUpload, toFile } from '../state/state.ts';

/** Path of the upload resource; its bytes are at `/download` below it (field notes). */
export function uploadPath(site: Site, id: string): string {
  return `${site.root}/uploads/${id}`;
}

/** The upload resource: its description without its bytes. */
export function uploadResource(site: Site): Operation {
  return {
    name: 'upload',
    title: 'Upload',
    path: uploadPath(site, ':id'),
    methods: ['GET', 'POST'],
    privilege: 'downloadUploads',
    fields: [],
    run: async ({ id, user }) => {
      const file = await fileOf(site, id, user);
      if ('kind' in file) return file;
      return { kind: 'body', body: uploadItem(file) };
    },
  };
}

/** The description of a file in replies (public documentation of `uploads/<itemID>`). */
export function uploadItem(file: UploadedFile): Required<UploadedItem> {
  const { id, name, description, date, type, bytes } = file;
  return {
    ...{ itemID: id, itemName: name, description, date, committed: true },
    ...{ contentType: type, size: bytes.length },
  };
}

/** The bytes of an upload. */
export function downloadUpload(site: Site): Operation {
  return {
    name: 'download',
    title: 'Download',
    path: `${uploadPath(site, ':id')}/download`,
    methods: ['GET', 'POST'],
    privilege: 'downloadUploads',
    fields: [],
    run: async ({ id, user, effects }: Call): Promise<Answer> => {
      const file = await fileOf(site, id, user);
      if ('kind' in file) return file;
      const { name, type, bytes } = file;
      return { kind: 'file', name, type, ...arriving(bytes, effects) };
    },
  };
}

/** The refusal of an unknown upload. */
export const noUpload: Refusal = refuse(
  404,
  'Upload not found.',
  'There is no upload with this identifier; old ones are forgotten.',
);

/** A stored file: an upload or the result of a job. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Time of the upload, milliseconds since the epoch. */
  readonly date: number;
}

/** Lists the files that a user may see: the uploaded ones, then the results of jobs. */
export async function uploadsOf(site: Site, user: User | undefined): Promise<readonly UploadedFile[]> {
  const results = await Promise.all(site.jobs.all().map(({ uploadId }) => resultOf(site, uploadId, user)));
  const files = site.state.read().uploads.map(asFile);
  return [...files, ...results.flatMap((result) => (result && !('kind' in result) ? [result] : []))];
}

/** The upload or job result with an identifier, or the refusal. */
async function fileOf(site: Site, id: string, user: User | undefined): Promise<UploadedFile | Refusal> {
  const upload = site.state.read().uploads.find((each) => each.id === id);
  return upload ? asFile(upload) : ((await resultOf(site, id, user)) ?? noUpload);
}

/** An upload as a file. With its type a browser saves it instead of showing it. */
export function asFile(upload: StoredUpload): UploadedFile {
  return { ...upload, type: 'application/octet-stream', bytes: toFile(upload).bytes };
}

/** The job result with an upload identifier; undefined if there is none (yet). */
export async function resultOf(
  site: Site,
  uploadId: string,
  user: User | undefined,
): Promise<UploadedFile | Refusal | undefined> {
  const job = site.jobs.byUploadId(uploadId);
  if (!job) return undefined;
  const refused = refuseAccess(user, job);
  if (refused) return refused;
  const { ended, outcome } = await site.jobs.stateOf(job);
  if (ended === undefined || !outcome || !('bytes' in outcome)) return undefined;
  const name = `${job.name}-${job.id}.zip`;
  return { id: uploadId, name, description: '', type: 'application/zip', bytes: outcome.bytes, date: ended };
}
