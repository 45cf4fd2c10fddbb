import { type Client, submitExport } from '../client/index.ts';
import type { ExportRequest } from '../protocol/index.ts';
import type { Entry } from './journal.ts';

/** An abort waits this long for the identifier of a job that is being submitted, in milliseconds: without it the job is lost. */
const grace = 5000;

/** Submits an export and gives back its job. */
export async function submit(
  client: Client,
  request: ExportRequest,
  signal: AbortSignal | undefined,
): Promise<Entry> {
  signal?.throwIfAborted();
  const { jobid, jobsUrl } = await submitExport(client, request, { signal: signal && delayed(signal) });
  const job = { state: 'submitted', id: jobid, address: jobsUrl } as const;
  return { job, request, submitted: client.clock.now() };
}

function delayed(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const abort = () => void setTimeout(() => late.abort(signal.reason), grace).unref();
  signal.addEventListener('abort', abort, { once: true });
  return late.signal;
}
