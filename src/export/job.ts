import { type JobResource, joinTexts, stageOf } from '../protocol/index.ts';
import type { AddedFile } from '../store/index.ts';

/**
 * The life of one export job, from the moment when the deployment has accepted
 * it. Each state carries what is known in it, and nothing else.
 *
 *     submitted ──▶ ready ──▶ fetched ──▶ loaded
 *
 * A zip that is damaged makes its job ready again, one that is lost makes it
 * submitted again, and a job can fail when it ends and when its zip stays
 * damaged.
 */
export type Job = Submitted | Ready | Fetched | Loaded | Failed;

interface Known {
  /** The identifier that the deployment gave it. */
  readonly id: string;
  /** Where to ask for it. */
  readonly address: string;
}

/** The deployment works on it. */
export interface Submitted extends Known {
  readonly state: 'submitted';
}

/** Its zip can be downloaded. */
export interface Ready extends Known {
  readonly state: 'ready';
  /** The address of the upload that holds the zip. */
  readonly upload: string;
  /** How many downloads of it turned out to be damaged. */
  readonly damaged: number;
}

/** Its zip is on this machine. */
export interface Fetched extends Omit<Ready, 'state'> {
  readonly state: 'fetched';
}

/** Its logs are in the case. */
export interface Loaded extends Known {
  readonly state: 'loaded';
  readonly file: AddedFile;
}

/** It has come to nothing and will not. */
export interface Failed extends Known {
  readonly state: 'failed';
  /** Whether the deployment ended the job without a result, or its zip cannot be read. */
  readonly code: 'JOB_FAILED' | 'DAMAGED_ZIP';
  readonly reason: string;
}

/** What can happen to a job. */
export type JobEvent =
  /** The deployment has ended it, well or not. */
  | { readonly kind: 'ended'; readonly job: JobResource }
  | { readonly kind: 'fetched' }
  /** The zip cannot be read. */
  | { readonly kind: 'damaged'; readonly reason: string }
  /** The zip is not on this machine any more. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'loaded'; readonly file: AddedFile };

/** How often a zip is downloaded at most: what is damaged three times is damaged where it lies. */
export const maxDownloads = 3;

/**
 * What a job becomes when something happens to it. Pure: the driver does the
 * work and tells this function. An event that makes no sense in a state leaves
 * the job as it is.
 */
export function advance(job: Job, event: JobEvent): Job {
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

function ended(job: Submitted, { status, resultUrl, messages }: JobResource): Job {
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

function damaged(job: Fetched, reason: string): Job {
  const times = job.damaged + 1;
  if (times < maxDownloads) return { ...job, state: 'ready', damaged: times };
  const summary = `The zip of the export job "${job.id}" was damaged in all of ${times} downloads: ${reason}`;
  return { ...known(job), state: 'failed', code: 'DAMAGED_ZIP', reason: summary };
}

function known({ id, address }: Known): Known {
  return { id, address };
}
