import { type Client, submitExport } from '../client/index.ts';
import type { ExportRequest } from '../protocol/index.ts';
import type { Entry } from './journal.ts';

/** An abort waits so many milliseconds for the identifier of a job that is being submitted: without it the job is lost. */
const grace = 5000;

/** Submits an export and gives back its job. */
export async function submit(
  client: Client,
  request: ExportRequest,
  signal: AbortSignal | undefined,
): Promise<Entry> {
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
