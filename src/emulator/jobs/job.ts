import { randomUUID } from 'node:crypto';
import type { JobResource } from '../protocol/index.ts';

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

/** A job as it was submitted; its state follows from the clock. */
export interface Job {
  readonly id: string;
  /** The identifier of the upload that its result becomes. */
  readonly uploadId: string;
  readonly name: string;
  readonly username: string;
  readonly requestID: string;
  readonly operationURI: string;
  readonly resource: string;
  /** Milliseconds since the epoch. */
  readonly submitted: number;
  readonly pace: Pace;
  /** Never rejects: a failure of the work is an outcome. */
  readonly work: Promise<Outcome>;
}

/** Where a job is at a time. */
export interface JobState {
  readonly status: string;
  /** When it ended, milliseconds since the epoch; absent while it runs. */
  readonly ended?: number;
  /** Present once it has ended. */
  readonly outcome?: Outcome;
}

/** Where a job is at a time: submitted, executing, or what came of it. Waits for the work only when the job could be over. */
export async function jobStateAt({ submitted, pace, work }: Job, now: number): Promise<JobState> {
  const begins = submitted + pace.queued;
  if (now < begins) return { status: 'SUBMITTED' };
  if (now < begins + pace.running) return { status: 'EXECUTING' };
  const outcome = await work;
  const ended = endOf({ submitted, pace }, outcome.logs);
  return now < ended ? { status: 'EXECUTING' } : { status: outcome.state, ended, outcome };
}

/** When a job with so many logs ends, milliseconds since the epoch. */
export function endOf({ submitted, pace }: Pick<Job, 'submitted' | 'pace'>, logs: number): number {
  return submitted + pace.queued + pace.running + Math.ceil(logs * pace.perLog);
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

/** The jobs of a deployment. The oldest are forgotten, with their results, beyond the limit. */
export interface Jobs {
  readonly add: (job: Job) => void;
  readonly byId: (id: string) => Job | undefined;
  readonly byUploadId: (uploadId: string) => Job | undefined;
}

/** Keeps at most so many jobs. */
export function createJobs(limit: number): Jobs {
  const jobs = new Map<string, Job>();
  return {
    add: (job) => {
      jobs.set(job.id, job);
      for (const id of [...jobs.keys()].slice(0, Math.max(0, jobs.size - limit))) jobs.delete(id);
    },
    byId: (id) => jobs.get(id),
    byUploadId: (uploadId) => [...jobs.values()].find((job) => job.uploadId === uploadId),
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
