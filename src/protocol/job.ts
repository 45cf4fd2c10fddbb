import * as v from 'valibot';
import { messageTexts } from './failure.ts';
import { optionalMember } from './lenient.ts';

/** The known states of a job. The list is open: others pass through unchanged. */
export const jobStates = [
  'SUBMITTED',
  'EXECUTING',
  'CANCELLING',
  'CANCELLED',
  'FAILED',
  'COMPLETED',
  'UNAVAILABLE',
  'TIME OUT',
  'TIMED OUT',
] as const;

/** The answer to a request that started a job (section 2.2 of the interface document). */
export interface SubmittedJob {
  /** The address of the job resource. */
  readonly jobsUrl: string;
  readonly jobid: string;
  readonly status: string;
}

/** The job resource (section 2.2 of the interface document). Times are milliseconds since the epoch. */
export interface JobResource {
  readonly jobid: string;
  readonly status: string;
  readonly name?: string;
  readonly username?: string;
  readonly requestID?: string;
  readonly operationURI?: string;
  /** The name of the object of the job: `resource.name` on the wire. */
  readonly resource?: string;
  readonly starttime?: number;
  readonly updatedtime?: number;
  /** 0 on the wire, and absent here, while the job runs. */
  readonly endtime?: number;
  /** The address of the upload that holds the result: `result.URL` on the wire. */
  readonly resultUrl?: string;
  /** The texts of `result`, then those of `messages`. */
  readonly messages: readonly string[];
}

/** The stage of a job, in any spelling of its state. */
export type JobStage = 'running' | 'completed' | 'failed';

const failedStates: readonly string[] = ['FAILED', 'CANCELLED', 'TIME OUT', 'TIMED OUT'];

/**
 * The stage of a job in this state. An unknown state may still change, so it counts as running.
 *
 * ```ts
 * const { status } = await readJob(client, jobAddress(client, 'j1'));
 * stageOf(status);
 * ```
 */
export function stageOf(status: string): JobStage {
  const state = status.toUpperCase();
  if (state === 'COMPLETED') return 'completed';
  return failedStates.includes(state) ? 'failed' : 'running';
}

const text = v.pipe(v.string(), v.nonEmpty());
const submittedJob = v.object({ jobsUrl: text, jobid: optionalMember.text, status: optionalMember.text });

/**
 * Reads the submitted job in a body; undefined if the body is something else. Its address is enough: a missing
 * identifier is the last step of the address.
 */
export function submittedJobOf(body: unknown): SubmittedJob | undefined {
  const result = v.safeParse(submittedJob, body);
  if (!result.success) return undefined;
  const { jobsUrl, jobid, status } = result.output;
  return { jobsUrl, jobid: jobid || lastStep(jobsUrl), status: status || 'SUBMITTED' };
}

function lastStep(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.split('/').findLast((step) => step !== '') ?? address;
}

// Optional members may be missing or of another type without making the job unreadable.
const jobResource = v.object({
  jobid: optionalMember.text,
  status: text,
  name: optionalMember.text,
  username: optionalMember.text,
  requestID: optionalMember.text,
  operationURI: optionalMember.text,
  resource: v.fallback(
    v.optional(
      v.union([
        v.object({ name: v.string() }),
        v.pipe(
          v.string(),
          v.transform((name) => ({ name })),
        ),
      ]),
    ),
    undefined,
  ),
  starttime: optionalMember.time,
  updatedtime: optionalMember.time,
  endtime: optionalMember.time,
  result: v.optional(v.unknown()),
  messages: v.optional(v.unknown()),
});

/** Reads the job resource in a body; undefined if the body is something else. */
export function jobResourceOf(body: unknown): JobResource | undefined {
  const parsed = v.safeParse(jobResource, body);
  if (!parsed.success) return undefined;
  const { jobid = '', resource, result, messages, ...job } = parsed.output;
  const withUrl = v.safeParse(v.object({ URL: text }), result);
  return defined({
    ...job,
    jobid,
    resource: resource?.name,
    resultUrl: withUrl.success ? withUrl.output.URL : undefined,
    messages: [...(withUrl.success ? [] : messageTexts(result)), ...messageTexts(messages)],
  });
}

/** Writes the body of a job resource. */
export function toJobBody(job: JobResource): object {
  const { resource, resultUrl, messages, endtime, ...rest } = job;
  return {
    ...rest,
    endtime: endtime ?? 0,
    ...(resource !== undefined && { resource: { name: resource } }),
    ...(resultUrl !== undefined && { result: { URL: resultUrl } }),
    ...(messages.length > 0 && { messages }),
  };
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The value without the keys whose value is undefined. */
function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
