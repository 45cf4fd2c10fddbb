import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../client/index.ts';
import { download } from '../../client/index.ts';
import { all } from '../../meaning/filter.ts';
import { type ExportRequest, joinTexts } from '../../protocol/index.ts';
import type { Log } from '../../records/log.ts';
import { makeTemporaryFolder } from '../../store/files/temporary-folder.ts';
import { addFile, findLogs, openCase } from '../../store/index.ts';
import { ExportError } from '../export-error.ts';
import { submit } from '../submit.ts';
import { waitForJob } from '../wait-for-job.ts';
import { maxAttempts } from './attempts.ts';
import { mayPass } from './may-pass.ts';

/** With what and how long to ask. */
export interface ProbeOptions {
  readonly client: Client;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly maxWait: number;
  /** The zone of times that name none. Default UTC. */
  readonly zone?: string | undefined;
}

/** Logs that go into no case. */
export interface Probed {
  readonly logs: readonly Log[];
  /** Of the zip that they came in. */
  readonly bytes: number;
}

/** Asks for a few logs that go into no case, the newest first. */
export async function probe(options: ProbeOptions, request: ExportRequest): Promise<readonly Log[]> {
  return (await probeZip(options, request)).logs;
}

/**
 * Asks for a few logs that go into no case, the newest first, and tells the size
 * of their zip. A failure that may pass, such as a damaged zip, is tried again.
 */
export async function probeZip(options: ProbeOptions, request: ExportRequest): Promise<Probed> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await probeOnce(options, request);
    } catch (error) {
      options.signal?.throwIfAborted();
      const isFinal = attempt === maxAttempts || !mayPass(error) || error.code === 'STILL_RUNNING';
      if (isFinal) throw error;
    }
  }
}

async function probeOnce(
  { client, signal, maxWait, zone }: ProbeOptions,
  request: ExportRequest,
): Promise<Probed> {
  const { job } = await submit(client, request, signal);
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
    const found = await findLogs(into, all, { limit: request.num });
    return { logs: found.map(({ log }) => log), bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
