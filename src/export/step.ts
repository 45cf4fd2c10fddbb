import { existsSync } from 'node:fs';
import { type Client, download } from '../client/index.ts';
import type { Case } from '../store/index.ts';
import { addFile, StoreError } from '../store/index.ts';
import type { Fetched, JobEvent, Ready, Submitted } from './job.ts';
import type { ExportProgress } from './progress.ts';
import { waitForJob } from './wait-for-job.ts';
import { makeRoom } from './zip-file.ts';

/** What the steps of one job work with. */
export interface Run {
  readonly client: Client;
  readonly into: Case;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. */
  readonly maxWait: number;
  /** The zone of times that name none. Default UTC. */
  readonly zone?: string | undefined;
  /** Where its zip is between download and loading. */
  readonly path: string;
  readonly onProgress: (progress: ExportProgress) => void;
}

/** Does what a job waits for and tells what came of it. */
export async function step(run: Run, job: Submitted | Ready | Fetched): Promise<JobEvent> {
  switch (job.state) {
    case 'submitted':
      return { kind: 'ended', job: await waitForJob(run.client, job, run) };
    case 'ready':
      return fetchZip(run, job);
    case 'fetched':
      return existsSync(run.path) ? loadZip(run, job) : { kind: 'lost' };
  }
}

async function fetchZip({ client, path, signal, onProgress }: Run, { upload }: Ready): Promise<JobEvent> {
  await makeRoom(path);
  onProgress({ stage: 'downloading', bytes: 0 });
  const onBytes = (bytes: number) => onProgress({ stage: 'downloading', bytes });
  const { bytes, sha256 } = await download(client, { upload, path, signal, onBytes });
  onProgress({ stage: 'downloaded', bytes, sha256 });
  return { kind: 'fetched' };
}

async function loadZip({ into, path, signal, zone, onProgress }: Run, { id }: Fetched): Promise<JobEvent> {
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
    if (!isDamage(error)) throw error;
    onProgress({ stage: 'damaged', reason: error.message });
    return { kind: 'damaged', reason: error.message };
  }
}

/** Whether a zip is damaged, so that another download may do better. */
export function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === 'TRUNCATED_ZIP' || error.code === 'BAD_ZIP');
}
