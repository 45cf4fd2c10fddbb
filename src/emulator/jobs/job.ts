import { randomUUID } from 'node:crypto';
import type { JobResource } from '../../protocol/index.ts';

/** How long a job takes, in milliseconds. */
export interface Pace {
  /** From the submission until it runs. */
  readonly queued: number;
  /** From then on, whatever it has to do. */
  readonly running: number;
  /** For each log in addition. */
  readonly perLog: number;
}

/** What came of the work of a job. */
export type Outcome =
  | { readonly state: 'COMPLETED'; readonly logs: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Any other state, with what the job has to say. */
  | { readonly state: string; readonly logs: number; readonly messages: readonly string[] };

/** A job as it was submitted. */
export interface Job {
  readonly id: string;
  /** The identifier of the upload that its result becomes. */
  readonly uploadId: string;
  readonly name: string;
  /** The user who submitted it, and whose it is. */
  readonly username: string;
  readonly requestID: string;
  readonly operationURI: string;
  readonly resource: string;
  /** Milliseconds since the epoch. */
  readonly submitted: number;
  readonly pace: Pace;
  /** Milliseconds by which its end comes late although its work is done: a fault, for which it holds no slot. */
  readonly delay?: number;
}

/** Where a job is at a time. */
export interface JobState {
  readonly status: string;
  /** When it ended, milliseconds since the epoch; absent while it runs. */
  readonly ended?: number;
  /** Present once it has ended. */
  readonly outcome?: Outcome;
}

/** When a job with so many logs ends that began to run at a time, in milliseconds since the epoch. */
export function endOf(begins: number, { running, perLog }: Pace, logs: number): number {
  return begins + running + Math.ceil(logs * perLog);
}

/** The job resource of a job in a state (section 2.2 of the interface document). */
export function toJobResource(job: Job, state: JobState, uploadUrl: string, now: number): JobResource {
  const { outcome, ended } = state;
  return {
    jobid: job.id,
    status: state.status,
    name: job.name,
    username: job.username,
    requestID: job.requestID,
    operationURI: job.operationURI,
    resource: job.resource,
    starttime: job.submitted,
    updatedtime: ended ?? now,
    ...(ended !== undefined && { endtime: ended }),
    ...(outcome && 'bytes' in outcome && { resultUrl: uploadUrl }),
    messages: outcome && 'messages' in outcome ? outcome.messages : [],
  };
}

/** A new identifier of a job, as they are known: `j` and a UUID. */
export function newJobId(): string {
  return `j${randomUUID()}`;
}

/** A new identifier of an upload. */
export function newUploadId(): string {
  return `i${randomUUID()}`;
}
