import * as v from 'valibot';
import { lenientNumber, type MessageFinding, messageTexts, optionalMember } from './reply.ts';

/** The most logs that one export returns, and the default number (section 8 of the interface document). */
export const maxLogs = 10_000;
export const defaultLogs = 1000;

/** The levels of logs, the most severe first (section 4.2.1 of the interface document). */
export const deploymentLogLevels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'] as const;

/** The orders of a search, the default first (section 4.2.1 of the interface document). */
export const sortKeys = ['bestMatch', 'time'] as const;
export const sortOrders = ['desc', 'asc'] as const;

/**
 * The request of an export. The parameters of the query form and of the search form are one set: the vendor's
 * own client sends all of them at once. An absent or empty filter selects everything.
 */
export interface ExportRequest {
  /** At most this many logs, 1 to 10,000. */
  readonly num: number;
  readonly stackTraces: boolean;
  /** Logs at this level or more severe. Absent: the organisation's current level. */
  readonly logLevel?: string;
  /** The most recent time, milliseconds since the epoch: `startTime` on the wire. Absent: now. */
  readonly newest?: number;
  /** The oldest time, milliseconds since the epoch: `endTime` on the wire. Absent: no bound. */
  readonly oldest?: number;
  readonly logCodes: readonly number[];
  readonly users?: string;
  readonly requestIDs: readonly string[];
  readonly serviceTypes?: string;
  readonly source?: string;
  /** Present: the search form, with this text in the search language. */
  readonly searchQuery?: string;
  readonly sortBy: (typeof sortKeys)[number];
  readonly sortOrder: (typeof sortOrders)[number];
}

/** The request for the newest logs; other requests change it. */
export const newestLogsRequest: ExportRequest = {
  num: maxLogs,
  stackTraces: true,
  logCodes: [],
  requestIDs: [],
  sortBy: 'time',
  sortOrder: 'desc',
};

/**
 * Writes the form of a request, without the token. It has all parameters, also empty ones. Times are
 * milliseconds since the epoch, because the other form of a time has no zone.
 */
export function toExportForm(request: ExportRequest): URLSearchParams {
  return new URLSearchParams({
    num: String(request.num),
    stackTraces: String(request.stackTraces),
    logLevel: request.logLevel ?? '',
    startTime: request.newest === undefined ? '' : String(request.newest),
    endTime: request.oldest === undefined ? '' : String(request.oldest),
    logCode: request.logCodes.join(','),
    users: request.users ?? '',
    requestIDs: request.requestIDs.join(','),
    serviceTypes: request.serviceTypes ?? '',
    source: request.source ?? '',
    searchQuery: request.searchQuery ?? '',
    sortBy: request.sortBy,
    sortOrder: request.sortOrder,
    f: 'json',
  });
}

/** Reads the form of a request. A parameter with a finding has its default in the request. */
export function fromExportForm(form: URLSearchParams): {
  readonly request: ExportRequest;
  readonly findings: readonly MessageFinding[];
} {
  const findings: MessageFinding[] = [];
  const read = <T>(parameter: string, schema: v.GenericSchema<string, T>, otherwise: T): T => {
    const text = form.get(parameter) ?? '';
    if (text.trim() === '') return otherwise;
    const result = v.safeParse(schema, text.trim());
    if (result.success) return result.output;
    findings.push({ parameter, message: `"${parameter}" requires ${result.issues[0].message}` });
    return otherwise;
  };
  const request = {
    num: read('num', num, defaultLogs),
    stackTraces: read('stackTraces', flag, false),
    ...present('logLevel', form.get('logLevel')?.trim()),
    ...present('newest', read('startTime', time, undefined)),
    ...present('oldest', read('endTime', time, undefined)),
    logCodes: read('logCode', codes, []),
    ...present('users', form.get('users')?.trim()),
    requestIDs: listOf(form.get('requestIDs') ?? ''),
    ...present('serviceTypes', form.get('serviceTypes')?.trim()),
    ...present('source', form.get('source')?.trim()),
    // Not trimmed: white space may have a meaning in the search language.
    ...present('searchQuery', form.get('searchQuery')),
    sortBy: read('sortBy', v.picklist(sortKeys, oneOf(sortKeys)), sortKeys[0]),
    sortOrder: read('sortOrder', v.picklist(sortOrders, oneOf(sortOrders)), sortOrders[0]),
  };
  return { request, findings };
}

/**
 * The required parameters of the forms of an export, including those with defaults (section 4.2.1 of the
 * interface document).
 */
const required = {
  query: ['num', 'stackTraces', 'logLevel'],
  search: ['num', 'stackTraces', 'sortBy', 'sortOrder'],
} as const;

/**
 * The required parameters that a form lacks. An empty one is not missing: it stands for its default, as the
 * vendor's own client sends it. A form is a search if it has a query or, without a level, an order.
 */
export function missingParameters(form: URLSearchParams): readonly string[] {
  const isOrdered = form.has('sortBy') || form.has('sortOrder');
  const isSearch = form.get('searchQuery') || (isOrdered && !form.has('logLevel'));
  return required[isSearch ? 'search' : 'query'].filter((name) => !form.has(name));
}

const integer = v.pipe(
  v.string(),
  v.regex(/^-?\d{1,16}$/, 'whole numbers'),
  v.transform(Number),
  v.safeInteger('whole numbers below 2^53'),
);

const numRule = `a whole number from 1 to ${maxLogs}`;
const num = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}$/, numRule),
  v.transform(Number),
  v.minValue(1, numRule),
  v.maxValue(maxLogs, numRule),
);

const flag = v.pipe(
  v.picklist(['true', 'false'], 'true or false'),
  v.transform((text) => text === 'true'),
);

const timeRule = 'milliseconds since the epoch or yyyy-mm-ddThh:mm:ss';
const time = v.pipe(
  v.string(),
  v.regex(/^(-?\d{1,15}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)$/, timeRule),
  v.check((text) => !text.includes('T') || isTimestamp(text), timeRule),
  // The text form has no zone: UTC does not depend on the machine.
  v.transform((text) => (text.includes('T') ? Date.parse(`${text}Z`) : Number(text))),
);

/** True for an existing day and time: `Date` reads 30 February as 2 March. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(`${text}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const codes = v.pipe(v.string(), v.transform(listOf), v.array(integer, 'whole numbers'));

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.map((value) => `"${value}"`).join(', ')}`;
}

function present<K extends string, V>(key: K, value: V | null | undefined): { readonly [P in K]?: V } {
  return value === undefined || value === null || value === '' ? {} : ({ [key]: value } as { [P in K]: V });
}

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

/** Path of the jobs below `{root}` (public documentation). A job is below it under its identifier. */
export const jobsPath = '/jobs';

const identifier = v.pipe(v.string(), v.nonEmpty());
const item = v.union([
  identifier,
  v.pipe(
    v.object({ jobid: identifier }),
    v.transform(({ jobid }) => jobid),
  ),
]);

/** The identifiers in a list of jobs, each once; undefined if the body is no such list. */
export function jobIdsOf(body: unknown): readonly string[] | undefined {
  const result = v.safeParse(v.object({ jobs: v.array(item) }), body);
  return result.success ? [...new Set(result.output.jobs)] : undefined;
}

const whole = v.pipe(v.unknown(), v.transform(lenientNumber), v.number(), v.integer(), v.minValue(0));
const counted = v.union([v.object({ total: whole }), v.object({ count: whole })]);

/**
 * The number of logs in the answer to a search that only counts (field notes); undefined if the body is
 * something else.
 */
export function logCountOf(body: unknown): number | undefined {
  const result = v.safeParse(counted, body);
  if (!result.success) return undefined;
  return 'total' in result.output ? result.output.total : result.output.count;
}
