import {
  type AddedFile,
  type Case,
  type EntryNote,
  entryNotes,
  exportedLogs,
  findJobs,
  lossesOf,
  type StoredJob,
  type StoredLog,
  type StoredPart,
  saveJob,
} from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import { type ExportRequest, fromExportForm, newestLogsRequest, toExportForm } from '../../protocol/index.ts';
import { type ExportDoubt, neverTwice } from '../decide/doubts.ts';
import { mayBeTruncated } from '../decide/observed-behaviour.ts';
import { openStart } from '../decide/window.ts';
import {
  advanceJob,
  type ExportJob,
  type ExportProgress,
  isRetryable,
  type JobRun,
  performStep,
  probeLogs,
  removeStaleZips,
  removeZip,
  type SubmittedExport,
  submitJob,
  toJobError,
  zipPath,
} from './job.ts';
import { ExportError } from './order.ts';

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
  const result = toExportResult(job.file, { jobId: job.id, num: request.num, short });
  return { ...result, notes, doubts: [neverTwice] };
}

const operation = 'logs/export';

/** Saves the state of a job in the case. */
async function recordJob(
  into: Case,
  { job, request, submitted }: SubmittedExport,
  now: number,
): Promise<void> {
  await saveJob(into, {
    id: job.id,
    address: job.address,
    operation,
    state: job.state,
    request: Object.fromEntries(toExportForm(request)),
    submitted,
    updated: now,
    ...('upload' in job && { zipUrl: job.upload }),
    ...(job.state === 'failed' && { reason: job.reason }),
  });
}

/** Finds the newest unfinished export of a case and its last state. */
async function findUnfinishedJob(from: Case): Promise<SubmittedExport | undefined> {
  const stored = (await findJobs(from)).find(isUnfinished);
  if (!stored) return undefined;
  const { request } = fromExportForm(new URLSearchParams(stored.request));
  return { job: toJob(stored), request, submitted: stored.submitted };
}

function isUnfinished(job: StoredJob): boolean {
  return job.operation === operation && ['submitted', 'ready', 'fetched'].includes(job.state);
}

/**
 * Continues a job from its zip when that was fetched, else from the deployment.
 * That is asked again for the address of the zip: it may have changed, and the
 * case stores it without parts that could be secret.
 */
function toJob({ id, address, state, zipUrl }: StoredJob): ExportJob {
  if (state === 'fetched' && zipUrl !== undefined) return { id, address, state, upload: zipUrl, damaged: 0 };
  return { id, address, state: 'submitted' };
}

/** A loaded zip and its request. */
interface LoadedZip {
  readonly request: ExportRequest;
  readonly file: AddedFile;
}

/** Milliseconds: a call for a few logs. */
const maxWait = 300_000;

interface AskOptions {
  readonly client: Client;
  readonly into: Case;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the logs of a zip. If an earlier job loaded the same bytes, they are stored under that job. */
async function readStoredLogs(into: Case, { parts }: AddedFile): Promise<readonly StoredLog[]> {
  const jobs = new Set(parts.flatMap(({ job }) => job ?? []));
  const logs = [...jobs].map((job) => exportedLogs(into, { oldest: openStart, newest: -openStart, job }));
  return (await Promise.all(logs)).flat();
}

/**
 * Explains why a zip with fewer logs than requested may lack some; undefined if
 * it lacks none. A deployment may cap a reply without reporting it, or return a
 * zip without entries, so a few of these logs are requested again.
 */
async function explainShortReply(options: AskOptions, zip: LoadedZip): Promise<string | undefined> {
  try {
    return zip.file.parts.length === 0
      ? await explainEmptyZip(options, zip)
      : await explainTruncation(options, zip);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isRetryable(error)) throw error;
    return `Fewer logs came than were asked for, and whether there are more could not be found out: ${error.message}`;
  }
}

async function explainEmptyZip(options: AskOptions, { request }: LoadedZip): Promise<string | undefined> {
  const probeFor = (probeRequest: ExportRequest) =>
    probeLogs({ ...options, maxWait, signal: options.signal }, probeRequest);
  const again = await probeFor({ ...request, num: 1 });
  if (again.length > 0) return 'The zip has no entry, though the deployment has logs of these times';
  // A deployment that writes entries for other logs has none to write for these.
  const others = await probeFor({ ...newestLogsRequest, num: 1, logLevel: 'DEBUG' });
  if (others.length > 0) return undefined;
  return 'The zip has no entry, nor has one of all logs, so that nothing shows whether there are any';
}

async function explainTruncation(
  options: AskOptions,
  { request, file }: LoadedZip,
): Promise<string | undefined> {
  const records = file.parts.reduce((sum, part) => sum + part.logs + part.unreadable, 0);
  if (request.num <= records || !mayBeTruncated(records, { num: request.num, largest: 0 })) return undefined;
  const logs = await readStoredLogs(options.into, file);
  const times = logs.flatMap(({ log }) => log.time ?? []);
  const isAscending = request.sortOrder === 'asc';
  // Truncation removes the logs at the end of the requested order.
  const others = isAscending ? 'newer' : 'older';
  if (request.sortBy !== 'time')
    return 'Fewer logs came than were asked for, in no order of time, so that nothing shows whether others are missing';
  if (times.length < records || times.length === 0)
    return `Not all logs have a time, so that nothing shows whether ${others} ones are missing`;
  const last = times.reduce((edge, time) => (isAscending ? Math.max(edge, time) : Math.min(edge, time)));
  // A deployment may include the bound or not, so the request has a margin of a millisecond.
  const bound = isAscending ? { oldest: last - 1 } : { newest: last + 1 };
  const atEdge = times.filter((time) => Math.abs(time - last) <= 1).length;
  // Only a reply smaller than an earlier one is certainly not truncated.
  if (atEdge === records)
    return `All logs have the same time, so that nothing shows whether ${others} ones are missing`;
  const beyond = { ...request, ...bound, num: atEdge + 1 };
  const found = await probeLogs({ ...options, maxWait, signal: options.signal }, beyond);
  if (found.length === atEdge) return undefined;
  return found.length < atEdge
    ? `The deployment returned ${found.length} of ${atEdge} logs when asked again, so that nothing shows whether ${others} ones are missing`
    : `The deployment returned ${records} of the ${request.num} logs asked for, though it has ${others} ones`;
}

/** Result of an export by one job. */
export interface ExportResult {
  readonly jobId: string;
  /** Size of the zip. */
  readonly bytes: number;
  readonly sha256: string;
  /** Logs in it. Zero is no failure: nothing matched. */
  readonly logs: number;
  /** Records that are stored but could not be parsed. */
  readonly unreadable: number;
  readonly parts: readonly StoredPart[];
  /** True if these are all requested logs, as far as can be known. */
  readonly complete: boolean;
  /** Reasons why logs are missing. */
  readonly gaps: readonly ExportGap[];
  /** Remarks on entries of the zip that are no gaps. */
  readonly notes: readonly EntryNote[];
  /** What nothing proves, although no log is known to be missing. */
  readonly doubts: readonly ExportDoubt[];
}

/** A reason why logs are missing. */
export type ExportGap =
  /** The deployment returned as many logs as requested: the one sign that there are more. */
  | { readonly kind: 'capped'; readonly message: string }
  /** Fewer logs came than were asked for, and nothing shows that these are all. */
  | { readonly kind: 'short'; readonly message: string }
  /** An entry of the zip could not be loaded. */
  | { readonly kind: 'entry'; readonly entry: string; readonly message: string };

/**
 * Builds the result of a loaded zip that was requested with at most `num` logs.
 * `short`: why it may lack some all the same.
 */
export function toExportResult(
  file: AddedFile,
  {
    jobId,
    num,
    short,
  }: { readonly jobId: string; readonly num: number; readonly short?: string | undefined },
): Omit<ExportResult, 'notes' | 'doubts'> {
  const { bytes, sha256, parts } = file;
  const logs = sum(parts.map((part) => part.logs));
  const unreadable = sum(parts.map((part) => part.unreadable));
  const gaps = [
    ...cappedAt(num, logs + unreadable),
    ...(short === undefined ? [] : [{ kind: 'short', message: short } as const]),
    ...lossesOf(parts).map((loss) => ({ kind: 'entry', ...loss }) as const),
  ];
  return { jobId, bytes, sha256, logs, unreadable, parts, complete: gaps.length === 0, gaps };
}

function cappedAt(num: number, records: number): readonly ExportGap[] {
  if (records < num) return [];
  const asked = num === 1 ? '1 log was' : `${num} logs were`;
  const message = `The export is capped: ${asked} asked for and as many came, so there may be more`;
  return [{ kind: 'capped', message }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
