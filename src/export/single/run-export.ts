import { type Case, entryNotes } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import { ExportError } from '../job/export-error.ts';
import { advanceJob } from '../job/job.ts';
import type { ExportProgress } from '../job/progress.ts';
import { type JobRun, performStep, toJobError } from '../job/step.ts';
import { type SubmittedExport, submitJob } from '../job/submit.ts';
import { removeStaleZips, removeZip, zipPath } from '../job/zip-file.ts';
import { findUnfinishedJob, recordJob } from './journal.ts';
import { type ExportResult, toExportResult } from './result.ts';
import { explainShortReply } from './short-reply.ts';

export interface ExportOptions {
  readonly client: Client;
  /** The target case, open for writing. */
  readonly into: Case;
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  /**
   * Aborts the export with the reason of the signal. Finished work is in the case,
   * and the export can be resumed.
   */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for the job, in milliseconds. Default 30 minutes. */
  readonly maxWait?: number | undefined;
  /** Zone of times that name none, as "+02:00" or "Europe/Berlin". Default UTC. */
  readonly zone?: string | undefined;
}

/**
 * Exports logs into a case: submits, waits, downloads, checks and loads, and
 * submits once more if a zip stays damaged. Each step is saved in the case
 * before the next begins, so an interrupted export can be resumed. Rejects with
 * a `ClientError`, an `ExportError` or a `StoreError`.
 *
 * ```ts
 * const { logs, complete } = await runExport({ client, into: incident, request: { ...newestLogsRequest, num: 1000 } });
 * ```
 */
export async function runExport(
  options: ExportOptions & { readonly request: ExportRequest },
): Promise<ExportResult> {
  const { client, into, request, onProgress, signal } = options;
  for (let jobs = 1; ; jobs += 1) {
    onProgress?.({ stage: 'submitting' });
    const entry = await submitJob(client, request, signal);
    await recordJob(into, entry, client.clock.now());
    try {
      return await finish(options, entry);
    } catch (error) {
      const isDamaged = error instanceof ExportError && error.code === 'DAMAGED_ZIP';
      if (!isDamaged || jobs === maxJobs) throw error;
    }
  }
}

/** Maximum number of jobs for one request: a zip that stays damaged may be intact when it is made again. */
const maxJobs = 2;

/**
 * Resumes the newest unfinished export of a case, without submitting it again.
 *
 * ```ts
 * const { logs } = await resumeExport({ client, into: incident });
 * ```
 */
export async function resumeExport(options: ExportOptions): Promise<ExportResult> {
  const entry = await findUnfinishedJob(options.into);
  if (entry) return finish(options, entry);
  const message = `Nothing to resume: no export in "${options.into.path}" is unfinished. For newer logs: --since-last`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** 30 minutes: an export of 10,000 logs takes seconds, and some minutes in a queue. */
const defaultMaxWait = 30 * 60_000;

async function finish(options: ExportOptions, entry: SubmittedExport): Promise<ExportResult> {
  const { client, into, signal, zone, maxWait = defaultMaxWait, onProgress = () => {} } = options;
  const { request } = entry;
  const path = zipPath(into.path, entry.job.id);
  const run: JobRun = { client, into, signal, maxWait, zone, onProgress, path };
  let { job } = entry;
  onProgress({ stage: 'submitted', jobId: job.id, jobsUrl: job.address });
  try {
    while (job.state !== 'loaded' && job.state !== 'failed') {
      signal?.throwIfAborted();
      job = advanceJob(job, await performStep(run, job));
      await recordJob(into, { ...entry, job }, client.clock.now());
    }
    await removeZip(path);
  } finally {
    // An export into memory cannot be resumed, so its zip is not needed.
    if (into.path === ':memory:') await removeZip(path);
    await removeStaleZips(into);
  }
  if (job.state === 'failed') throw toJobError(job);
  const short = await explainShortReply(options, { request, file: job.file });
  const notes = await entryNotes(into, job.file.parts);
  return { ...toExportResult(job.file, { jobId: job.id, num: request.num, short }), notes };
}
