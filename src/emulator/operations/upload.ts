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
      return { kind: 'body', body: uploadItem({ id, ...file }, file.bytes.length) };
    },
  };
}

/** What an upload is, as replies describe it (field notes). */
export function uploadItem(
  { id, name, description, date }: Omit<StoredUpload, 'content'>,
  size: number,
): Required<UploadedItem> & { readonly size: number } {
  return { itemID: id, itemName: name, description, date, committed: true, size };
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

const notFound = refuse(
  404,
  'Upload not found.',
  'There is no upload with this identifier; old ones are forgotten.',
);

interface UploadedFile {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When it was uploaded, milliseconds since the epoch. */
  readonly date: number;
}

/** What was uploaded under an identifier, by a completed job or by someone, or why a user does not get it. */
async function fileOf(site: Site, id: string, user: User | undefined): Promise<UploadedFile | Refusal> {
  const upload = site.state.read().uploads.find((each) => each.id === id);
  // Whatever it is called, a browser is to keep it and not to show it.
  if (upload) return { ...upload, type: 'application/octet-stream', bytes: toFile(upload).bytes };
  const job = site.jobs.byUploadId(id);
  if (!job) return notFound;
  const refused = refuseAccess(user, job);
  if (refused) return refused;
  const { ended, outcome } = await site.jobs.stateOf(job);
  if (ended === undefined || !outcome || !('bytes' in outcome)) return notFound;
  const name = `${job.name}-${job.id}.zip`;
  return { name, description: '', type: 'application/zip', bytes: outcome.bytes, date: ended };
}
