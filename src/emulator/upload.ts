import { setTimeout as wait } from 'node:timers/promises';
import type { UploadedItem } from '../protocol/index.ts';
import type { User } from './access.ts';
import type { DeploymentJob } from './jobs.ts';
import {
  type Answer,
  BrokenConnection,
  type CheckedRequest,
  type Effect,
  effectOf,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from './operation.ts';
import type { Site } from './site.ts';
import { type StoredUpload, toFile } from './state.ts';

/** Path of the upload resource; its bytes are at `/download` below it (field notes). */
export function uploadResourcePath(site: Site, id: string): string {
  return `${site.root}/uploads/${id}`;
}

/** The upload resource: its description without its bytes. */
export function uploadOperation(site: Site): Operation {
  return {
    name: 'upload',
    title: 'Upload',
    path: uploadResourcePath(site, ':id'),
    methods: ['GET', 'POST'],
    privilege: 'downloadUploads',
    fields: [],
    run: async ({ id, user }) => {
      const file = await fileOf(site, id, user);
      if ('kind' in file) return file;
      return { kind: 'body', body: toUploadedItem(file) };
    },
  };
}

/** The description of a file in replies (public documentation of `uploads/<itemID>`). */
export function toUploadedItem(file: UploadedFile): Required<UploadedItem> {
  const { id, name, description, date, type, bytes } = file;
  return {
    itemID: id,
    itemName: name,
    description,
    date,
    committed: true,
    contentType: type,
    size: bytes.length,
  };
}

/** The bytes of an upload. */
export function downloadOperation(site: Site): Operation {
  return {
    name: 'download',
    title: 'Download',
    path: `${uploadResourcePath(site, ':id')}/download`,
    methods: ['GET', 'POST'],
    privilege: 'downloadUploads',
    fields: [],
    run: async ({ id, user, effects }: CheckedRequest): Promise<Answer> => {
      const file = await fileOf(site, id, user);
      if ('kind' in file) return file;
      const { name, type, bytes } = file;
      return { kind: 'file', name, type, ...faultyDownload(bytes, effects) };
    },
  };
}

/** The refusal of an unknown upload. */
export const noUpload: RefusalAnswer = refuseWith(
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
export async function listUploads(site: Site, user: User | undefined): Promise<readonly UploadedFile[]> {
  const results = await Promise.all(
    site.jobs.all().map(({ uploadId }) => findJobResult(site, uploadId, user)),
  );
  const files = site.state.read().uploads.map(toUploadedFile);
  return [...files, ...results.flatMap((result) => (result && !('kind' in result) ? [result] : []))];
}

/** The upload or job result with an identifier, or the refusal. */
async function fileOf(site: Site, id: string, user: User | undefined): Promise<UploadedFile | RefusalAnswer> {
  const upload = site.state.read().uploads.find((upload) => upload.id === id);
  return upload ? toUploadedFile(upload) : ((await findJobResult(site, id, user)) ?? noUpload);
}

/** An upload as a file. With its type a browser saves it instead of showing it. */
export function toUploadedFile(upload: StoredUpload): UploadedFile {
  return { ...upload, type: 'application/octet-stream', bytes: toFile(upload).bytes };
}

/** The job result with an upload identifier; undefined if there is none (yet). */
export async function findJobResult(
  site: Site,
  uploadId: string,
  user: User | undefined,
): Promise<UploadedFile | RefusalAnswer | undefined> {
  const job = site.jobs.byUploadId(uploadId);
  if (!job) return undefined;
  const refused = refuseAccess(user, job);
  if (refused) return refused;
  const { ended, outcome } = await site.jobs.stateOf(job);
  if (ended === undefined || !outcome || !('bytes' in outcome)) return undefined;
  const name = `${job.name}-${job.id}.zip`;
  return { id: uploadId, name, description: '', type: 'application/zip', bytes: outcome.bytes, date: ended };
}

/** Applies the faults of a download to its bytes: truncated, corrupt, slow or broken off. */
function faultyDownload(
  file: Uint8Array<ArrayBuffer>,
  effects: readonly Effect[],
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly stream?: ReadableStream<Uint8Array> } {
  const keep = effectOf(effects, 'truncate')?.keep ?? 1;
  const whole = file.slice(0, Math.floor(file.length * keep));
  const bytes = effectOf(effects, 'corrupt') ? corrupted(whole) : whole;
  const slow = effectOf(effects, 'slow');
  const broken = effectOf(effects, 'breakOff');
  if (!slow && !broken) return { bytes };
  const pieces = cutInto(bytes, slow?.pieces ?? 4);
  const rest = broken ? pieces.slice(0, Math.floor(pieces.length * broken.keep)) : pieces;
  return { bytes, stream: streamOf(rest, { pause: slow?.milliseconds ?? 0, breaks: broken !== undefined }) };
}

/** Inverts some bytes in the middle, where the compressed logs are. */
function corrupted(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  const middle = Math.floor(copy.length / 2);
  for (let at = middle; at < Math.min(middle + 16, copy.length); at += 1) copy[at] = 0xff - (copy[at] ?? 0);
  return copy;
}

function cutInto(bytes: Uint8Array, count: number): Uint8Array[] {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  return starts.map((start) => bytes.slice(start, start + size));
}

function streamOf(
  pieces: readonly Uint8Array[],
  { pause, breaks }: { readonly pause: number; readonly breaks: boolean },
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces[next++];
      if (0 < pause) await wait(pause);
      if (piece) controller.enqueue(piece);
      else if (breaks) controller.error(new BrokenConnection('The download breaks off'));
      else controller.close();
    },
  });
}

/**
 * The refusal of a job, or of its result, to a user: undefined for the user who submitted it
 * and for those with the privilege `manageJobs`. The interface document leaves roles open (section 5).
 */
export function refuseAccess(user: User | undefined, { username }: DeploymentJob): RefusalAnswer | undefined {
  if (user?.username === username || user?.privileges.includes('manageJobs')) return undefined;
  return refuseWith(403, 'Access denied.', 'The job belongs to another user.');
}
