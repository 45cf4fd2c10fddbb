import type { UploadedItem } from '../../protocol/index.ts';
import type { User } from '../accounts.ts';
import { arriving } from '../arriving.ts';
import { refuseAccess } from '../jobs/job-access.ts';
import { type Answer, type Call, type Operation, type Refusal, refuse } from '../operation.ts';
import type { Site } from '../site.ts';
import { type StoredUpload, toFile } from '../state/state.ts';

/** The path of the resource of an upload; its bytes are at `/download` below it (field notes). */
export function uploadPath(site: Site, id: string): string {
  return `${site.root}/uploads/${id}`;
}

/** The resource of an upload: what it is, but not its bytes. */
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

/** The answer where no upload has an identifier. */
export const noUpload: Refusal = refuse(
  404,
  'Upload not found.',
  'There is no upload with this identifier; old ones are forgotten.',
);

/** A file that the deployment holds. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When it was uploaded, milliseconds since the epoch. */
  readonly date: number;
}

/** All files that a user may see: the uploaded ones, then the results of jobs. */
export async function uploadsOf(site: Site, user: User | undefined): Promise<readonly UploadedFile[]> {
  const results = await Promise.all(site.jobs.all().map(({ uploadId }) => resultOf(site, uploadId, user)));
  const files = site.state.read().uploads.map(asFile);
  return [...files, ...results.flatMap((result) => (result && !('kind' in result) ? [result] : []))];
}

/** What was uploaded under an identifier, by a completed job or by someone, or why a user does not get it. */
async function fileOf(site: Site, id: string, user: User | undefined): Promise<UploadedFile | Refusal> {
  const upload = site.state.read().uploads.find((each) => each.id === id);
  return upload ? asFile(upload) : ((await resultOf(site, id, user)) ?? noUpload);
}

/** An upload as a file. Its type makes a browser keep it instead of showing it, whatever its name is. */
export function asFile(upload: StoredUpload): UploadedFile {
  return { ...upload, type: 'application/octet-stream', bytes: toFile(upload).bytes };
}

/** The result of a job that became the upload with an identifier; undefined where there is none (yet). */
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
