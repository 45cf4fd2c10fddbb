import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addFile, findLogs, openCase } from '../../case/index.ts';
import { type Client, download } from '../../client/index.ts';
import { makeTemporaryFolder } from '../../database/index.ts';
import { matchAllFilter } from '../../language/index.ts';
import { type ExportRequest, joinTexts } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { ExportError } from './export-error.ts';
import { isRetryable, maxAttempts } from './retryable.ts';
import { submitJob } from './submit.ts';
import { waitForJob } from './wait-for-job.ts';

/** Client and limits of a probe. */
export interface ProbeOptions {
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
