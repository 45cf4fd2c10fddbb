import { type Client, submitExport } from '../../client/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { ExportJob } from './job.ts';

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
