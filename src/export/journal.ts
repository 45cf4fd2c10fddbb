import { type ExportRequest, fromExportForm, toExportForm } from '../protocol/index.ts';
import type { Case } from '../store/index.ts';
import { findJobs, type Job as StoredJob, saveJob } from '../store/index.ts';
import type { Job } from './job.ts';

/** A job with what the case must know of it to go on after the process has ended. */
export interface Entry {
  readonly job: Job;
  readonly request: ExportRequest;
  /** When the deployment accepted it, in milliseconds since the epoch. */
  readonly submitted: number;
}

const operation = 'logs/export';

/** Writes the state of a job into the case. */
export async function record(into: Case, { job, request, submitted }: Entry, now: number): Promise<void> {
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

/** The newest export of a case that is not finished, as far as it had come. */
export async function findUnfinished(from: Case): Promise<Entry | undefined> {
  const stored = (await findJobs(from)).find(isUnfinished);
  if (!stored) return undefined;
  const { request } = fromExportForm(new URLSearchParams(stored.request));
  return { job: toJob(stored), request, submitted: stored.submitted };
}

function isUnfinished(job: StoredJob): boolean {
  return job.operation === operation && ['submitted', 'ready', 'fetched'].includes(job.state);
}

/**
 * A job goes on from its zip when that is here, else from the deployment, which
 * is asked again for the address of the zip: that can have changed, and what
 * the case keeps of it is without the parts that could be a secret.
 */
function toJob({ id, address, state, zipUrl }: StoredJob): Job {
  if (state === 'fetched' && zipUrl !== undefined) return { id, address, state, upload: zipUrl, damaged: 0 };
  return { id, address, state: 'submitted' };
}
