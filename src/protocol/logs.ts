import * as v from 'valibot';
import type { ExportRequest } from './export-jobs.ts';
import { optionalMember } from './reply.ts';

/** Path of the query for logs below `{root}` (field notes). The search for logs is at `searchPath`. */
export const queryPath = '/logs/query';

/** The lowest level: selects all logs. */
const lowestLevel = 'DEBUG';

/**
 * Writes the form of a query for one page of logs, without the token. `start` counts from 1. Only filters with
 * a value are sent. A level is required: the default selects every level.
 */
export function toLogQueryForm(request: ExportRequest, start = 1): URLSearchParams {
  const filters = {
    startTime: request.newest,
    endTime: request.oldest,
    logCode: request.logCodes.join(','),
    users: request.users,
    requestIDs: request.requestIDs.join(','),
    serviceTypes: request.serviceTypes,
    source: request.source,
  };
  return new URLSearchParams({
    logLevel: request.logLevel ?? lowestLevel,
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [[name, String(value)]],
      ),
    ),
    ...pageParameters(request),
    start: String(start),
    f: 'json',
  });
}

/** Writes the form of a search for one page of logs, without the token. Its only filter is the query. */
export function toLogSearchForm(request: ExportRequest, start?: number): URLSearchParams {
  return new URLSearchParams({
    searchQuery: request.searchQuery ?? '',
    sortBy: request.sortBy,
    sortOrder: request.sortOrder,
    countOnly: 'false',
    ...pageParameters(request),
    ...(start !== undefined && { start: String(start) }),
    f: 'json',
  });
}

function pageParameters({ num, stackTraces }: ExportRequest): Readonly<Record<string, string>> {
  return { showStackTraces: String(stackTraces), num: String(num) };
}

/** One page of a list of logs, as `logs/query` and `logs/search` answer it (field notes). */
export interface LogPage {
  /** The logs as the deployment writes them: their members are not documented. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** Number of items that are no logs and are left out. */
  readonly unreadable: number;
  /** Number of logs that the request selects; absent where the deployment does not say. */
  readonly total?: number | undefined;
  /** Position of the first log of the next page, counted from 1; absent on the last page. */
  readonly nextStart?: number | undefined;
}

const page = v.object({
  messages: v.fallback(v.nullish(v.array(v.unknown())), undefined),
  total: optionalMember.number,
  nextStart: optionalMember.number,
});

/** Reads the page in a body: it has a list of messages, or their number. Undefined if the body is none. */
export function logPageOf(body: unknown): LogPage | undefined {
  const result = v.safeParse(page, body);
  if (!result.success) return undefined;
  const { messages, total, nextStart } = result.output;
  if (!messages && total === undefined) return undefined;
  const items = messages ?? [];
  const logs = items.filter(isRecord);
  return {
    messages: logs,
    unreadable: items.length - logs.length,
    ...(isCount(total) && { total }),
    ...(isCount(nextStart) && 0 < nextStart && { nextStart }),
  };
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && value !== undefined && 0 <= value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Path of the log settings below `{root}` (public documentation); an edit is at `/edit` below it. */
export const logSettingsPath = '/logs/settings';

/** Days until a log is deleted (public documentation of the settings; since 11.2). */
export const logAgeDays = { least: 1, most: 999, usual: 60 } as const;

/** Log settings of a deployment: its level, and the age at which logs are deleted. */
export interface LogSettings {
  /** Logs at this level or more severe are written. Open: a deployment may know others than `logLevels`. */
  readonly logLevel: string;
  /** Days until a log is deleted; absent before version 11.2. */
  readonly maxLogAgeDays?: number | undefined;
  /** Time of the latest edit, milliseconds since the epoch. */
  readonly lastModified?: number | undefined;
  /** Members of later versions, such as a number of error reports: an edit sends them back unchanged. */
  readonly others: Readonly<Record<string, string | number | boolean>>;
}

const settings = v.looseObject({
  logLevel: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  maxLogAgeDays: optionalMember.number,
  lastModified: optionalMember.number,
});

const wrapped = v.pipe(
  v.object({ settings }),
  v.transform(({ settings }) => settings),
);

/**
 * Reads the log settings in a body, also below a member `settings`; undefined if the body is something else.
 */
export function logSettingsOf(body: unknown): LogSettings | undefined {
  const result = v.safeParse(v.union([settings, wrapped]), body);
  if (!result.success) return undefined;
  const { logLevel, maxLogAgeDays, lastModified, ...rest } = result.output;
  return {
    logLevel,
    ...(maxLogAgeDays !== undefined && { maxLogAgeDays }),
    ...(lastModified !== undefined && { lastModified }),
    others: Object.fromEntries(Object.entries(rest).flatMap(scalarEntry)),
  };
}

function scalarEntry([name, value]: readonly [string, unknown]): [string, string | number | boolean][] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [[name, value]]
    : [];
}

/**
 * Writes the form of an edit, without the token. Both settings are required, so an unchanged one is sent too.
 */
export function toLogSettingsForm({ logLevel, maxLogAgeDays, others }: LogSettings): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) form.set(name, String(value));
  form.set('logLevel', logLevel);
  if (maxLogAgeDays !== undefined) form.set('maxLogAgeDays', String(maxLogAgeDays));
  form.set('f', 'json');
  return form;
}
