import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../client/index.ts';
import { download } from '../../client/index.ts';
import { all } from '../../meaning/filter.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { Log } from '../../records/log.ts';
import { addFile, findLogs, openCase } from '../../store/index.ts';
import { ExportError } from '../export-error.ts';
import { submit } from '../submit.ts';
import { waitForJob } from '../wait-for-job.ts';

/** With what and how long to ask. */
export interface ProbeOptions {
  readonly client: Client;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly maxWait: number;
}

/** Asks for a few logs that go into no case, the newest first. */
export async function probe(
  { client, signal, maxWait }: ProbeOptions,
  request: ExportRequest,
): Promise<readonly Log[]> {
  const { job } = await submit(client, request, signal);
  if (job.state !== 'submitted') return [];
  const { resultUrl, status, messages } = await waitForJob(client, job, {
    maxWait,
    signal,
    onProgress: () => {},
  });
  if (resultUrl === undefined)
    throw new ExportError('PROBE_FAILED', `A probe ended as ${status}: ${messages.join('; ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'logquarry-probe-'));
  try {
    const path = join(folder, 'probe.zip');
    await download(client, { upload: resultUrl, path, signal });
    await using into = await openCase(':memory:', { access: 'write' });
    await addFile(into, path);
    return (await findLogs(into, all, { limit: request.num })).map(({ log }) => log);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
