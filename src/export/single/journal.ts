import type { Case } from '../../case/index.ts';
import { findJobs, type StoredJob, saveJob } from '../../case/index.ts';
import { fromExportForm, toExportForm } from '../../protocol/index.ts';
import type { ExportJob } from '../job/job.ts';
import type { SubmittedExport } from '../job/submit.ts';

const operation = 'logs/export';

/** Saves the state of a job in the case. */
export async function recordJob(
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
export async function findUnfinishedJob(from: Case): Promise<SubmittedExport | undefined> {
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
