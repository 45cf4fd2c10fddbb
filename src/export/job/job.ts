import type { AddedFile } from '../../case/index.ts';
import { type JobResource, joinTexts, stageOf } from '../../protocol/index.ts';

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
