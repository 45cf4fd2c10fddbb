import { randomUUID } from 'node:crypto';
import type { JobResource } from '../protocol/index.ts';

/** Limits of the jobs of a deployment. */
export interface JobLimits {
  /** Jobs that run at the same time. */
  readonly atOnce: number;
  /** Jobs that wait for their turn; further ones are refused. */
  readonly waiting: number;
  /** Jobs that are stored with their results; beyond that the oldest finished ones are deleted. */
  readonly remembered: number;
  /** Minutes from the end of a job until it is deleted with its result. */
  readonly minutes: number;
}

/** The work of a job. Never rejects: a failure of the work is an outcome. */
export type JobWork = (begins: number) => Promise<Outcome>;

/** The jobs of a deployment: few run at the same time, the next ones wait in the order of their submission. */
export interface JobQueue {
  /** Adds a job; returns false if too many are waiting already. */
  readonly submit: (job: DeploymentJob, work: JobWork) => boolean;
  /** All stored jobs, the oldest first. */
  readonly all: () => readonly DeploymentJob[];
  readonly byId: (id: string) => DeploymentJob | undefined;
  readonly byUploadId: (uploadId: string) => DeploymentJob | undefined;
  /** The state of a job now. Waits for work only if the job could be over by the clock. */
  readonly stateOf: (job: DeploymentJob) => Promise<JobState>;
  /**
   * Deletes the result of a job by the identifier of its upload; the job stays. Returns false if there is none.
   */
  readonly forgetResult: (uploadId: string) => boolean;
  /** Deletes the jobs whose time is over. */
  readonly expire: () => void;
  /** Starts no further job. */
  readonly close: () => void;
}

/** A job and its progress: `begins` once it has a slot, the other times once its work is done. */
interface Entry {
  readonly job: DeploymentJob;
  readonly work: JobWork;
  /** Milliseconds since the epoch. */
  begins?: number;
  outcome?: Promise<Outcome>;
  /** When its slot is free, milliseconds since the epoch; may be ahead of the clock. */
  freed?: number;
  /** When it ends, milliseconds since the epoch; may be ahead of the clock. */
  ended?: number;
  /** Its result was deleted. */
  isForgotten?: true;
}

/** The longest delay that a timer takes, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Creates an empty queue. `now` returns milliseconds since the epoch and may stand still, as in tests. */
export function createJobQueue(limits: JobLimits, now: () => number): JobQueue {
  const entries = new Map<string, Entry>();
  const waiting: Entry[] = [];
  const running = new Set<Entry>();
  /** Times at which slots became free, the earliest first. */
  const free = Array.from({ length: limits.atOnce }, () => Number.NEGATIVE_INFINITY);

  return {
    submit: (job, work) => {
      fill();
      if (free.length === 0 && limits.waiting <= waiting.length) return false;
      const entry: Entry = { job, work };
      entries.set(job.id, entry);
      waiting.push(entry);
      fill();
      forgetBeyond(limits.remembered);
      return true;
    },
    all: () => [...entries.values()].map(({ job }) => job),
    byId: (id) => entries.get(id)?.job,
    byUploadId: (uploadId) => withResult(uploadId)?.job,
    forgetResult: (uploadId) => {
      const entry = withResult(uploadId);
      if (!entry?.outcome) return false;
      entry.isForgotten = true;
      // Only the bytes are deleted: the times of the job follow from the number of its logs.
      entry.outcome = entry.outcome.then((outcome) =>
        'bytes' in outcome ? { ...outcome, bytes: new Uint8Array() } : outcome,
      );
      return true;
    },
    stateOf,
    expire: () => {
      fill();
      const oldest = now() - limits.minutes * 60_000;
      for (const [id, { ended }] of entries) if (ended !== undefined && ended <= oldest) entries.delete(id);
    },
    close: () => {
      waiting.length = 0;
      free.length = 0;
    },
  };

  function withResult(uploadId: string): Entry | undefined {
    return [...entries.values()].find(({ job, isForgotten }) => job.uploadId === uploadId && !isForgotten);
  }

  /** Frees the slots of finished jobs, and starts waiting jobs in them. */
  function fill(): void {
    const time = now();
    for (const entry of running) {
      if (entry.freed === undefined || time < entry.freed) continue;
      running.delete(entry);
      free.push(entry.freed);
    }
    free.sort((a, b) => a - b);
    while (0 < waiting.length && 0 < free.length) {
      const [next, since] = [waiting.shift(), free.shift()];
      if (next && since !== undefined) start(next, since);
    }
  }

  function start(entry: Entry, since: number): void {
    const { job, work } = entry;
    const begins = Math.max(job.submitted + job.pace.queued, since);
    entry.begins = begins;
    running.add(entry);
    entry.outcome = work(begins).then((outcome) => {
      const freed = endOf(begins, job.pace, outcome.logs);
      entry.freed = freed;
      entry.ended = freed + (job.delay ?? 0);
      fillAt(freed, entry);
      return outcome;
    });
  }

  /** Fills the slot of a job when it is free. A timer that fires early is set again. */
  function fillAt(freed: number, entry: Entry): void {
    const fillOrWait = () => {
      fill();
      if (running.has(entry)) fillAt(freed, entry);
    };
    // The timer does not keep the process alive.
    setTimeout(fillOrWait, Math.min(longestTimer, Math.max(1, freed - now()))).unref();
  }

  async function stateOf({ id, pace, delay = 0 }: DeploymentJob): Promise<JobState> {
    const entry = entries.get(id);
    await untilBegun(entry);
    if (!entry?.outcome || entry.begins === undefined || now() < entry.begins) return { status: 'SUBMITTED' };
    if (now() < entry.begins + pace.running + delay) return { status: 'EXECUTING' };
    const outcome = await entry.outcome;
    fill();
    const ended = endOf(entry.begins, pace, outcome.logs) + delay;
    return now() < ended ? { status: 'EXECUTING' } : { status: outcome.state, ended, outcome };
  }

  /** Waits for a slot of a job while earlier jobs could be over by the clock. */
  async function untilBegun(entry: Entry | undefined): Promise<void> {
    for (;;) {
      fill();
      if (!entry || entry.begins !== undefined) return;
      const due = [...running].filter(isDue).map(({ outcome }) => outcome);
      if (due.length === 0) return;
      await Promise.race(due);
    }
  }

  function isDue({ freed, begins = 0, job }: Entry): boolean {
    return freed === undefined && begins + job.pace.running <= now();
  }

  /** Deletes jobs beyond a count, but none before its slot is free. */
  function forgetBeyond(count: number): void {
    for (const [id, { freed }] of entries) {
      if (entries.size <= count) return;
      if (freed !== undefined && freed <= now()) entries.delete(id);
    }
  }
}

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
