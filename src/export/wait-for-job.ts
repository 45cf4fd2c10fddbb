import { type Client, ClientError, type ClientErrorCode, readJob } from '../client/index.ts';
import { type JobResource, stageOf } from '../protocol/index.ts';
import { ExportError } from './export-error.ts';
import type { Submitted } from './job.ts';
import type { ExportProgress } from './progress.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly maxWait: number;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The pauses between two looks at a job, in milliseconds: short for short jobs, and kind to the deployment for long ones. */
const pauses = { first: 500, longest: 5000, growth: 1.5 };

/** Failures that pass when a deployment restarts. This many looks in a row may fail so: a minute, with their own repetitions. */
const passing: readonly ClientErrorCode[] = ['UNREACHABLE', 'TIMED_OUT', 'SERVER_ERROR'];
const maxTroubles = 8;

/** The job when it has ended, well or not. A job that does not end in time is an `ExportError`. */
export async function waitForJob(client: Client, job: Submitted, options: WaitOptions): Promise<JobResource> {
  const { clock } = client;
  const { maxWait, onProgress, signal } = options;
  const start = clock.now();
  let status = 'SUBMITTED';
  let troubles = 0;
  for (let pause = pauses.first; ; pause = Math.min(pauses.longest, pause * pauses.growth)) {
    const look = await lookAt(client, job, signal);
    if ('status' in look && stageOf(look.status) !== 'running') return look;
    const waited = clock.now() - start;
    if (look instanceof ClientError) {
      troubles += 1;
      if (troubles === maxTroubles) throw look;
      onProgress({ stage: 'waiting', jobId: job.id, status, waited, trouble: look.message });
    } else {
      troubles = 0;
      status = look.status;
      onProgress({ stage: 'waiting', jobId: job.id, status, waited });
    }
    if (maxWait <= waited) throw stillRunning(job, status, waited);
    await clock.sleep(Math.min(pause, maxWait - waited), signal);
  }
}

/** The job, or why it could not be read just now. */
async function lookAt(
  client: Client,
  job: Submitted,
  signal: AbortSignal | undefined,
): Promise<JobResource | ClientError> {
  try {
    return await readJob(client, job.address, { signal });
  } catch (error) {
    if (error instanceof ClientError && passing.includes(error.code)) return error;
    throw error;
  }
}

function stillRunning({ id }: Submitted, status: string, waited: number): ExportError {
  const seconds = Math.round(waited / 1000);
  return new ExportError(
    'STILL_RUNNING',
    `The export job "${id}" is still ${status} after ${seconds} s. It goes on at the deployment: resume the export to wait for it again`,
  );
}
