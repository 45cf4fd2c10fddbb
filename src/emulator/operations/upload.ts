import { arriving } from '../arriving.ts';
import { jobStateAt } from '../jobs.ts';
import { type Answer, type Call, type Operation, refuse } from '../operation.ts';
import type { Site } from '../site.ts';

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
    run: async ({ id }) => {
      const file = await fileOf(site, id);
      if (!file) return notFound;
      const { name, bytes, ended } = file;
      const item = {
        itemID: id,
        itemName: name,
        description: '',
        date: ended,
        size: bytes.length,
        committed: true,
      };
      return { kind: 'body', body: item };
    },
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
    run: async ({ id, effects }: Call): Promise<Answer> => {
      const file = await fileOf(site, id);
      if (!file) return notFound;
      return { kind: 'file', name: file.name, ...arriving(file.bytes, effects) };
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
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When it was uploaded, milliseconds since the epoch. */
  readonly ended: number;
}

/** The result of the job that the upload belongs to, once that is completed. */
async function fileOf(site: Site, id: string): Promise<UploadedFile | undefined> {
  const job = site.jobs.byUploadId(id);
  if (!job) return undefined;
  const { ended, outcome } = await jobStateAt(job, site.now());
  if (ended === undefined || !outcome || !('bytes' in outcome)) return undefined;
  return { name: `${job.name}-${job.id}.zip`, bytes: outcome.bytes, ended };
}
