import { type Client, ClientError } from '../client/index.ts';
import type { ExportRequest } from '../protocol/index.ts';
import { type Case, entryNotes } from '../store/index.ts';
import { ExportError } from './export-error.ts';
import { advance, type Failed } from './job.ts';
import { type Entry, findUnfinished, record } from './journal.ts';
import type { ExportProgress } from './progress.ts';
import { type ExportResult, resultOf } from './result.ts';
import { shortOf } from './short-reply.ts';
import { type Run, step } from './step.ts';
import { submit } from './submit.ts';
import { clearAway, clearFolder, zipPath } from './zip-file.ts';

export interface ExportOptions {
  readonly client: Client;
  /** The case that the logs go into, open for writing. */
  readonly into: Case;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Ends the export with the reason of the signal. What has been reached is in the case and can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the job to end, in milliseconds. Default 30 minutes. */
  readonly maxWait?: number | undefined;
  /** The zone of times that name none, as "+02:00" or "Europe/Berlin". Default UTC. */
  readonly zone?: string | undefined;
}

/**
 * Exports logs into a case: submits, waits, downloads, checks and loads, and
 * submits once more where a zip stays damaged. Every
 * step is in the case before the next one begins, so that an export that was
 * interrupted can be resumed. Fails with a `ClientError`, an `ExportError` or a
 * `StoreError`.
 */
export async function runExport(
  options: ExportOptions & { readonly request: ExportRequest },
): Promise<ExportResult> {
  const { client, into, request, onProgress, signal } = options;
  for (let jobs = 1; ; jobs += 1) {
    onProgress?.({ stage: 'submitting' });
    const entry = await submit(client, request, signal);
    await record(into, entry, client.clock.now());
    try {
      return await finish(options, entry);
    } catch (error) {
      const isDamaged = error instanceof ExportError && error.code === 'DAMAGED_ZIP';
      if (!isDamaged || jobs === maxJobs) throw error;
    }
  }
}

/** Jobs for one request: a zip that stays damaged may be whole when it is made anew. */
const maxJobs = 2;

/** Goes on with the newest export of a case that is not finished, without submitting it again. */
export async function resumeExport(options: ExportOptions): Promise<ExportResult> {
  const entry = await findUnfinished(options.into);
  if (entry) return finish(options, entry);
  const message = `The case "${options.into.path}" holds no export that is not finished`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** 30 minutes: an export of 10,000 logs takes seconds, behind a queue of others some minutes. */
const defaultMaxWait = 30 * 60_000;

async function finish(options: ExportOptions, entry: Entry): Promise<ExportResult> {
  const { client, into, signal, zone, maxWait = defaultMaxWait, onProgress = () => {} } = options;
  const { request } = entry;
  const path = zipPath(into.path, entry.job.id);
  const run: Run = { client, into, signal, maxWait, zone, onProgress, path };
  let { job } = entry;
  onProgress({ stage: 'submitted', jobId: job.id, jobsUrl: job.address });
  try {
    while (job.state !== 'loaded' && job.state !== 'failed') {
      signal?.throwIfAborted();
      job = advance(job, await step(run, job));
      await record(into, { ...entry, job }, client.clock.now());
    }
    await clearAway(path);
  } finally {
    // What is in memory cannot be resumed, so nothing of it is kept for that.
    if (into.path === ':memory:') await clearAway(path);
    await clearFolder(into);
  }
  if (job.state === 'failed') throw failure(job);
  const short = await shortOf(options, { request, file: job.file });
  const notes = await entryNotes(into, job.file.parts);
  return { ...resultOf(job.file, { jobId: job.id, num: request.num, short }), notes };
}

/** A job that came to nothing as an error. */
export function failure({ code, reason }: Failed): Error {
  return code === 'JOB_FAILED' ? new ClientError(code, reason) : new ExportError(code, reason);
}
