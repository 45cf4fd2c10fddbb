import { existsSync } from 'node:fs';
import type { Case } from '../../case/index.ts';
import { addFile } from '../../case/index.ts';
import { type Client, ClientError, download } from '../../client/index.ts';
import { StoreError } from '../../database/index.ts';
import { ExportError } from './export-error.ts';
import type { AcceptedJob, FailedJob, FetchedJob, JobEvent, ReadyJob } from './job.ts';
import type { ExportProgress } from './progress.ts';
import { waitForJob } from './wait-for-job.ts';
import { makeZipFolder } from './zip-file.ts';

/** Context of the steps of one job. */
export interface JobRun {
  readonly client: Client;
  readonly into: Case;
  readonly signal: AbortSignal | undefined;
  /** Maximum wait for the job, in milliseconds. */
  readonly maxWait: number;
  /** Zone of times that name none. Default UTC. */
  readonly zone?: string | undefined;
  /** Path of its zip between download and loading. */
  readonly path: string;
  readonly onProgress: (progress: ExportProgress) => void;
}

/** Performs the next step of a job and returns its event. */
export async function performStep(run: JobRun, job: AcceptedJob | ReadyJob | FetchedJob): Promise<JobEvent> {
  switch (job.state) {
    case 'submitted':
      return { kind: 'ended', job: await waitForJob(run.client, job, run) };
    case 'ready':
      return fetchZip(run, job);
    case 'fetched':
      return existsSync(run.path) ? loadZip(run, job) : { kind: 'lost' };
  }
}

async function fetchZip(
  { client, path, signal, onProgress }: JobRun,
  { upload }: ReadyJob,
): Promise<JobEvent> {
  await makeZipFolder(path);
  onProgress({ stage: 'downloading', bytes: 0 });
  const onBytes = (bytes: number) => onProgress({ stage: 'downloading', bytes });
  const { bytes, sha256 } = await download(client, { upload, path, signal, onBytes });
  onProgress({ stage: 'downloaded', bytes, sha256 });
  return { kind: 'fetched' };
}

async function loadZip(
  { into, path, signal, zone, onProgress }: JobRun,
  { id }: FetchedJob,
): Promise<JobEvent> {
  try {
    const file = await addFile(into, path, {
      job: id,
      onProgress: ({ logs, unreadable }) => onProgress({ stage: 'loading', logs, unreadable }),
      ...(signal && { signal }),
      ...(zone !== undefined && { zone }),
    });
    const sum = (key: 'logs' | 'unreadable') => file.parts.reduce((total, part) => total + part[key], 0);
    onProgress({ stage: 'loaded', logs: sum('logs'), unreadable: sum('unreadable') });
    return { kind: 'loaded', file };
  } catch (error) {
    if (!isDamagedZip(error)) throw error;
    onProgress({ stage: 'damaged', reason: error.message });
    return { kind: 'damaged', reason: error.message };
  }
}

/** Returns whether a zip is damaged, so that another download may succeed. */
export function isDamagedZip(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === 'TRUNCATED_ZIP' || error.code === 'BAD_ZIP');
}

/** Converts a failed job to an error. */
export function toJobError({ code, reason }: FailedJob): Error {
  return code === 'JOB_FAILED' ? new ClientError(code, reason) : new ExportError(code, reason);
}
