import * as v from 'valibot';
import type { MessageFinding } from './finding.ts';

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
