import { type Client, ClientError, type ClientErrorCode, readJob } from '../../client/index.ts';
import { type JobResource, stageOf } from '../../protocol/index.ts';
import { ExportError } from './export-error.ts';
import type { AcceptedJob } from './job.ts';
import type { ExportProgress } from './progress.ts';

export interface WaitOptions {
  /** Maximum wait, in milliseconds. */
  readonly maxWait: number;
  readonly onProgress: (progress: ExportProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Pauses between two polls of a job, in milliseconds: short for short jobs, and
 * gentle on the deployment for long ones.
 */
const pauses = { first: 500, longest: 5000, growth: 1.5 };

/**
 * Failures that pass when a deployment restarts. At most `maxTroubles` polls in
 * a row may fail: a minute, including their retries.
 */
const passing: readonly ClientErrorCode[] = ['UNREACHABLE', 'TIMED_OUT', 'SERVER_ERROR'];
const maxTroubles = 8;

/**
 * Waits until a job has ended, successfully or not, and returns it. Rejects with
 * an `ExportError` when the time is up.
 */
export async function waitForJob(
  client: Client,
  job: AcceptedJob,
  options: WaitOptions,
): Promise<JobResource> {
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

/** Reads the job; returns the error if it cannot be read just now. */
async function lookAt(
  client: Client,
  job: AcceptedJob,
  signal: AbortSignal | undefined,
): Promise<JobResource | ClientError> {
  try {
    return await readJob(client, job.address, { signal });
  } catch (error) {
    if (error instanceof ClientError && passing.includes(error.code)) return error;
    throw error;
  }
}

function stillRunning({ id }: AcceptedJob, status: string, waited: number): ExportError {
  const seconds = Math.round(waited / 1000);
  return new ExportError(
    'STILL_RUNNING',
    `The export job "${id}" is still ${status} after ${seconds} s. It goes on at the deployment: resume the export to wait for it again`,
  );
}
