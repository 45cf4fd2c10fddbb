import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  type AddedFile,
  addFile,
  type Case,
  findJobs,
  findLogs,
  findWindows,
  openCase,
} from '../../case/index.ts';
import {
  type Client,
  ClientError,
  type ClientErrorCode,
  download,
  readJob,
  submitExport,
} from '../../client/index.ts';
import { makeFolder, makeTemporaryFolder, StoreError } from '../../database/index.ts';
import { matchAllFilter } from '../../language/index.ts';
import { type ExportRequest, type JobResource, joinTexts, stageOf } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { ExportError } from './order.ts';

/**
 * The life of one export job, from the moment when the deployment has accepted
 * it. Each state carries what is known in it, and nothing else.
 *
 *     submitted ──▶ ready ──▶ fetched ──▶ loaded
 *
 * A damaged zip makes its job ready again, a lost one makes it submitted again.
 * A job can fail when it ends and when its zip stays damaged.
 */
export type ExportJob = AcceptedJob | ReadyJob | FetchedJob | LoadedJob | FailedJob;

interface Known {
  /** Identifier given by the deployment. */
  readonly id: string;
  /** Address of its status. */
  readonly address: string;
}

/** The deployment works on it. */
export interface AcceptedJob extends Known {
  readonly state: 'submitted';
}

/** Its zip can be downloaded. */
export interface ReadyJob extends Known {
  readonly state: 'ready';
  /** Address of the upload that holds the zip. */
  readonly upload: string;
  /** Number of damaged downloads. */
  readonly damaged: number;
}

/** Its zip is on this machine. */
export interface FetchedJob extends Omit<ReadyJob, 'state'> {
  readonly state: 'fetched';
}

/** Its logs are in the case. */
export interface LoadedJob extends Known {
  readonly state: 'loaded';
  readonly file: AddedFile;
}

/** It failed for good. */
export interface FailedJob extends Known {
  readonly state: 'failed';
  /** `JOB_FAILED`: the deployment ended it without a result. `DAMAGED_ZIP`: its zip cannot be read. */
  readonly code: 'JOB_FAILED' | 'DAMAGED_ZIP';
  readonly reason: string;
}

/** An event in the life of a job. */
export type JobEvent =
  /** The deployment ended it, successfully or not. */
  | { readonly kind: 'ended'; readonly job: JobResource }
  | { readonly kind: 'fetched' }
  /** The zip cannot be read. */
  | { readonly kind: 'damaged'; readonly reason: string }
  /** The zip is not on this machine any more. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'loaded'; readonly file: AddedFile };

/** Maximum number of downloads of a zip: one damaged three times is damaged at its source. */
export const maxDownloads = 3;

/**
 * Returns the next state of a job after an event. Pure: the caller does the
 * work. An event that does not fit the state leaves the job unchanged.
 */
export function advanceJob(job: ExportJob, event: JobEvent): ExportJob {
  switch (event.kind) {
    case 'ended':
      return job.state === 'submitted' ? ended(job, event.job) : job;
    case 'fetched':
      return job.state === 'ready' ? { ...job, state: 'fetched' } : job;
    case 'damaged':
      return job.state === 'fetched' ? damaged(job, event.reason) : job;
    case 'lost':
      return job.state === 'fetched' ? { ...known(job), state: 'submitted' } : job;
    case 'loaded':
      return job.state === 'fetched' ? { ...known(job), state: 'loaded', file: event.file } : job;
  }
}

function ended(job: AcceptedJob, { status, resultUrl, messages }: JobResource): ExportJob {
  const stage = stageOf(status);
  if (stage === 'running') return job;
  if (stage === 'completed' && resultUrl !== undefined)
    return { ...job, state: 'ready', upload: resultUrl, damaged: 0 };
  const said = messages.length === 0 ? 'it gives no reason' : joinTexts(messages);
  const outcome = stage === 'completed' ? `${status} without a result` : status;
  return {
    ...job,
    state: 'failed',
    code: 'JOB_FAILED',
    reason: `The export job "${job.id}" ended as ${outcome}: ${said}`,
  };
}

function damaged(job: FetchedJob, reason: string): ExportJob {
  const times = job.damaged + 1;
  if (times < maxDownloads) return { ...job, state: 'ready', damaged: times };
  const summary = `The zip of the export job "${job.id}" was damaged in all of ${times} downloads: ${reason}`;
  return { ...known(job), state: 'failed', code: 'DAMAGED_ZIP', reason: summary };
}

function known({ id, address }: Known): Known {
  return { id, address };
}

/** A job with the data needed to resume it in another process. */
export interface SubmittedExport {
  readonly job: ExportJob;
  readonly request: ExportRequest;
  /** When the deployment accepted it, in milliseconds since the epoch. */
  readonly submitted: number;
}

/**
 * Milliseconds that an abort waits for the identifier of a job being submitted:
 * without it the job is lost.
 */
const grace = 5000;

/** Submits an export and returns its job. */
export async function submitJob(
  client: Client,
  request: ExportRequest,
  signal: AbortSignal | undefined,
): Promise<SubmittedExport> {
  signal?.throwIfAborted();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abortLate = () => {
    timer = setTimeout(() => late.abort(signal?.reason), grace);
  };
  signal?.addEventListener('abort', abortLate);
  try {
    const { jobid, jobsUrl } = await submitExport(client, request, { signal: late.signal });
    const job = { state: 'submitted', id: jobid, address: jobsUrl } as const;
    return { job, request, submitted: client.clock.now() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abortLate);
  }
}

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

/** Progress of an export, for people and machines to follow. Data: the command line formats it. */
export type ExportProgress =
  | { readonly stage: 'submitting' }
  /** From here on the export can be resumed. */
  | { readonly stage: 'submitted'; readonly jobId: string; readonly jobsUrl: string }
  | {
      readonly stage: 'waiting';
      readonly jobId: string;
      /** Current or last known state of the job at the deployment. */
      readonly status: string;
      /** Milliseconds since the wait began. */
      readonly waited: number;
      /** Reason why the job could not be read this time. */
      readonly trouble?: string;
    }
  | { readonly stage: 'downloading'; readonly bytes: number }
  | { readonly stage: 'downloaded'; readonly bytes: number; readonly sha256: string }
  /** The zip was damaged and is downloaded again. */
  | { readonly stage: 'damaged'; readonly reason: string }
  | { readonly stage: 'loading'; readonly logs: number; readonly unreadable: number }
  | { readonly stage: 'loaded'; readonly logs: number; readonly unreadable: number };

interface WaitOptions {
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

/**
 * Path of the zip of a job between its download and its loading: beside the
 * case, where there is space for it. It is always the same, so that a resumed
 * export finds it.
 */
export function zipPath(casePath: string, jobId: string): string {
  const folder = casePath === ':memory:' ? join(tmpdir(), `logquarry-${process.pid}`) : casePath;
  // The deployment chose the identifier: it must not choose the folder.
  const name = jobId.replace(/[^\w-]/g, '_').slice(0, 80);
  return join(`${folder}.downloads`, `${name}.zip`);
}

/** Makes the folder of a zip. Rejects with `STORE_FAILED`. */
export async function makeZipFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeFolder(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('STORE_FAILED', `The folder "${folder}" cannot be made: ${reason}`, { cause });
  }
}

/**
 * Deletes zips that no export of a case needs, as those of killed processes and
 * abandoned jobs, and their folder if it is empty. Only for the one process that
 * may write to the case.
 */
export async function removeStaleZips(of: Case): Promise<void> {
  const folder = dirname(zipPath(of.path, ''));
  const names = await readdir(folder).catch((): string[] => []);
  if (0 < names.length) {
    // If it is unknown which ones are needed, all stay.
    const needed = await neededZips(of).catch(() => names);
    for (const name of names)
      if (name.endsWith('.zip') && !needed.includes(name)) await rm(join(folder, name), { force: true });
  }
  await rmdir(folder).catch(() => {});
}

/** Names of the zips that were fetched but not loaded yet. */
async function neededZips(of: Case): Promise<readonly string[]> {
  const jobs = [
    ...(await findJobs(of)).filter(({ state }) => state === 'fetched').map(({ id }) => id),
    ...(await findWindows(of)).flatMap(({ state, job }) => (state === 'fetched' && job ? [job] : [])),
  ];
  return jobs.map((job) => basename(zipPath(of.path, job)));
}

/** Deletes a zip, and its folder if it is empty. */
export async function removeZip(path: string): Promise<void> {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => {});
}

/** Returns whether a retry of a window may succeed; other failures end the export. */
export function isRetryable(error: unknown): error is ClientError | ExportError | StoreError {
  if (error instanceof ClientError) return !fatalCodes.has(error.code);
  if (error instanceof ExportError) return error.code !== 'WINDOW_IGNORED';
  return error instanceof StoreError && zipCodes.has(error.code);
}

/** Failures that every window would share. */
const fatalCodes: ReadonlySet<string> = new Set([
  'UNTRUSTED',
  'CLIENT_CERTIFICATE',
  'PROXY_REFUSED',
  'REFUSED_LOGIN',
  'TOKEN_EXPIRED',
  'FORBIDDEN',
  'UNWRITABLE',
]);

/** Faults of one zip, not of the case. */
const zipCodes: ReadonlySet<string> = new Set(['TOO_BIG', 'TRUNCATED_ZIP', 'BAD_ZIP']);

/** Maximum number of attempts for a window in one run. */
export const maxAttempts = 3;

/** Client and limits of a probe. */
interface ProbeOptions {
  readonly client: Client;
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for the job, in milliseconds. */
  readonly maxWait: number;
  /** Zone of times that name none. Default UTC. */
  readonly zone?: string | undefined;
}

/** Logs that are not stored in a case. */
export interface ProbedLogs {
  readonly logs: readonly Log[];
  /** Size of their zip. */
  readonly bytes: number;
}

/** Requests a few logs without storing them, newest first. */
export async function probeLogs(options: ProbeOptions, request: ExportRequest): Promise<readonly Log[]> {
  return (await probeLogsAndSize(options, request)).logs;
}

/**
 * Requests a few logs without storing them, newest first, and returns them with
 * the size of their zip. Retries a failure that may pass, as a damaged zip.
 */
export async function probeLogsAndSize(options: ProbeOptions, request: ExportRequest): Promise<ProbedLogs> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await probeOnce(options, request);
    } catch (error) {
      options.signal?.throwIfAborted();
      const isFinal = attempt === maxAttempts || !isRetryable(error) || error.code === 'STILL_RUNNING';
      if (isFinal) throw error;
    }
  }
}

async function probeOnce(
  { client, signal, maxWait, zone }: ProbeOptions,
  request: ExportRequest,
): Promise<ProbedLogs> {
  const { job } = await submitJob(client, request, signal);
  if (job.state !== 'submitted') return { logs: [], bytes: 0 };
  const { resultUrl, status, messages } = await waitForJob(client, job, {
    maxWait,
    signal,
    onProgress: () => {},
  });
  if (resultUrl === undefined)
    throw new ExportError('PROBE_FAILED', `A probe ended as ${status}: ${joinTexts(messages)}`);
  const folder = await makeTemporaryFolder();
  try {
    const path = join(folder, 'probe.zip');
    const { bytes } = await download(client, { upload: resultUrl, path, signal });
    await using into = await openCase(':memory:', { access: 'write' });
    await addFile(into, path, { job: job.id, ...(zone !== undefined && { zone }) });
    const found = await findLogs(into, matchAllFilter, { limit: request.num });
    return { logs: found.map(({ log }) => log), bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
