import { randomUUID } from 'node:crypto';
import type { JobResource } from '../../protocol/index.ts';

/** Duration of a job, in milliseconds. */
export interface Pace {
  /** From the submission until it runs. */
  readonly queued: number;
  /** From then on, independent of its logs. */
  readonly running: number;
  /** Added for each log. */
  readonly perLog: number;
}

/** The outcome of a job. */
export type Outcome =
  | { readonly state: 'COMPLETED'; readonly logs: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Any other state, with the messages of the job. */
  | { readonly state: string; readonly logs: number; readonly messages: readonly string[] };

/** A job as it was submitted. */
export interface DeploymentJob {
  readonly id: string;
  /** The identifier of the upload that its result becomes. */
  readonly uploadId: string;
  readonly name: string;
  /** The user who submitted it and owns it. */
  readonly username: string;
  readonly requestID: string;
  readonly operationURI: string;
  readonly resource: string;
  /** Milliseconds since the epoch. */
  readonly submitted: number;
  readonly pace: Pace;
  /** Milliseconds by which a fault delays its end. The job holds no slot for that time. */
  readonly delay?: number;
}

/** The state of a job at a time. */
export interface JobState {
  readonly status: string;
  /** Time of its end, milliseconds since the epoch; absent while it runs. */
  readonly ended?: number;
  /** Present once it has ended. */
  readonly outcome?: Outcome;
}

/** End of a job with this number of logs, from its begin; milliseconds since the epoch. */
export function endOf(begins: number, { running, perLog }: Pace, logs: number): number {
  return begins + running + Math.ceil(logs * perLog);
}

/** The job resource of a job in a state (section 2.2 of the interface document). */
export function toJobResource(
  job: DeploymentJob,
  state: JobState,
  uploadUrl: string,
  now: number,
): JobResource {
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

/** Makes an identifier of a job in the known form: `j` and a UUID. */
export function newJobId(): string {
  return `j${randomUUID()}`;
}

/** Makes an identifier of an upload. */
export function newUploadId(): string {
  return `i${randomUUID()}`;
}
