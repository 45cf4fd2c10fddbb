import type { DuckDBDataChunk } from '@duckdb/node-api';
import * as v from 'valibot';
import { chunksOf, readNumberList } from '../../database/index.ts';
import type { FieldValue, Filter } from '../../language/index.ts';
import { intervalShift, type LogField } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { fieldValueSchema, toSqlCount } from './find-logs.ts';
import { type LogSearch, withSearch } from './search.ts';

/** Codes of logs about the time of a request (ranges and meanings: documentation of the deployment's logs). */
export const timingCodes = {
  /** A service has worked on a request. */
  service: 100_004,
  /** The deployment has answered a request: contains the time of the service. */
  full: 9999,
  /** A request has waited for a service. */
  wait: 7615,
  /** A job has ended. */
  job: 7718,
  /** A SOAP request has been answered. */
  soap: 9526,
  /** A request has arrived. */
  arrival: 9029,
} as const;

const { service, full, wait, job, soap } = timingCodes;

/**
 * Seconds in `elapsed`, NULL where nothing was measured: zero means that. Records of code 9999 at level INFO
 * have milliseconds; those of `<Msg>` elements are stored in seconds, and so are logs made by this program.
 */
export const elapsedSql = `CASE WHEN isfinite(elapsed) AND 0 < elapsed THEN
    CASE WHEN "logCode" = ${full} AND upper("logLevel") = 'INFO'
      AND part NOT IN (SELECT part FROM stored.parts WHERE format IN ('xml', 'program'))
    THEN elapsed / 1000 ELSE elapsed END
  WHEN "logCode" = ${job} THEN ${millisecondsIn("Elapsed time '?([0-9]+(?:[.,][0-9]+)?)'? ms")} END`;

/** Seconds of waiting: the number in the message, else `elapsed`. */
const waitSql = `CASE WHEN "logCode" = ${wait} THEN
  coalesce(${millisecondsIn('is ([0-9]+(?:[.,][0-9]+)?) milliseconds')},
    CASE WHEN isfinite(elapsed) AND 0 < elapsed THEN elapsed END) END`;

/** A number of milliseconds in the message, in seconds; NULL where there is none. */
function millisecondsIn(pattern: string): string {
  const text = `'${pattern.replaceAll("'", "''")}'`;
  return `try_cast(replace(nullif(regexp_extract(left(msg, 4096), ${text}, 1), ''), ',', '.') AS DOUBLE) / 1000`;
}

/** Logs of requests, unlike those of health checks, backups and starts of services. */
const ofRequestSql = `("requestID" IS NOT NULL OR coalesce("logCode" IN (${[service, full, job, soap].join(', ')}), false))`;

/** True for all rows that have a measured time, and few others: the rest takes most of the work. */
export const mayBeTimed = `("elapsed" > 0 OR "logCode" = ${job})`;

/**
 * Codes whose log stands for its request: the work of the service, then the whole answer, which contains it. Any other
 * measured log of a request is a step of it, such as the drawing of a layer.
 */
const codeRanks: readonly (readonly number[])[] = [[service], [full, soap], [job]];

const rankSql = `CASE ${codeRanks.map((codes, rank) => `WHEN "logCode" IN (${codes.join(', ')}) THEN ${rank}`).join(' ')} ELSE ${codeRanks.length} END`;

/**
 * The start of a statement: `timed` are the rows of a condition with their level in capitals, `took` and `waited`
 * in seconds, and `background`: measured time of no request. A request counts once: only one log of a `requestID` has
 * `took`, of the first of `codeRanks` that it has, and of these the longest. With `mayBeTimed` as a part of the
 * condition, rows without a time are left out.
 */
export function withTimedRows(condition: string): string {
  return `WITH chosen AS MATERIALIZED (
      SELECT id, "time", upper("logLevel") AS level, "logCode", "requestID", source, username, "methodName",
        "serviceTypes", machine, ${elapsedSql} AS elapsed, ${waitSql} AS waited, ${ofRequestSql} AS is_request
      FROM stored.logs WHERE ${condition}),
    measured AS (SELECT id, "requestID", elapsed, ${rankSql} AS rank FROM chosen
      WHERE is_request AND elapsed IS NOT NULL AND waited IS NULL AND "logCode" IS DISTINCT FROM ${wait}),
    counted AS (SELECT min({r: rank, e: -elapsed, i: id}).i AS counted_id
      FROM measured WHERE "requestID" IS NOT NULL GROUP BY "requestID"
      UNION ALL SELECT id FROM measured WHERE "requestID" IS NULL),
    timed AS (SELECT chosen.*, CASE WHEN counted_id IS NOT NULL THEN elapsed END AS took,
        elapsed IS NOT NULL AND NOT is_request AND waited IS NULL AS background
      FROM chosen LEFT JOIN counted ON chosen.id = counted_id)`;
}

/** A property of logs by which requests can be grouped. */
export type TimingKey =
  | 'service'
  | 'user'
  | 'method'
  | 'code'
  | 'type'
  | 'machine'
  | 'minute'
  | 'hour'
  | 'day';

const fieldOfKey: { readonly [K in TimingKey]?: LogField } = {
  service: 'source',
  user: 'username',
  method: 'methodName',
  code: 'logCode',
  type: 'serviceTypes',
  machine: 'machine',
};

/** Lengths of the intervals of keys in milliseconds. */
export const timingIntervals: { readonly [K in TimingKey]?: number } = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * A key as SQL: a text, a number, or the start of an interval in milliseconds since the epoch. Intervals have at
 * most the length `longest` in milliseconds.
 */
export function timingKeySql(key: TimingKey, longest: number): string {
  const field = fieldOfKey[key];
  if (field !== undefined) return `"${field}"`;
  const length = Math.min(timingIntervals[key] ?? 1, longest);
  const shift = intervalShift(length);
  return `floor((epoch_ms("time")::DOUBLE + ${shift}) / ${length}) * ${length} - ${shift}`;
}

/** Logs with the same values of some keys, and the times measured in them. */
export interface TimingGroup {
  /** Values of the keys in their order; undefined for logs without one. */
  readonly keys: readonly (FieldValue | undefined)[];
  readonly logs: number;
  /** Logs of level SEVERE, and of level WARNING. */
  readonly errors: number;
  readonly warnings: number;
  /** Logs with measured times of no request, such as health checks. */
  readonly background: number;
  /** First and last time, milliseconds since the epoch; absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** Seconds of each measured request, in no order. */
  readonly took: Float64Array;
  /** Seconds of each measured wait, in no order. */
  readonly waited: Float64Array;
}

const time = v.nullable(v.number());
const sums = v.tuple([v.number(), v.number(), v.number(), v.number(), time, time]);

/**
 * Groups the logs that a filter selects by some keys, with all measured times of each group. The order is
 * arbitrary. Intervals of time have at most the length `longest` in milliseconds. Rejects with a `StoreError`.
 */
export function groupTimings(
  from: Case,
  filter: Filter,
  {
    by,
    longest = Number.POSITIVE_INFINITY,
    signal,
  }: {
    readonly by: readonly TimingKey[];
    readonly longest?: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly TimingGroup[]> {
  const group = async ({ connection, condition }: LogSearch) => {
    const { sql, parameters } = condition();
    const keys = by.map((key) => `${timingKeySql(key, longest)}, `).join('');
    const result = await connection.run(
      `${withTimedRows(sql)}
       SELECT ${keys} count(*)::DOUBLE, count(*) FILTER (WHERE level = 'SEVERE')::DOUBLE,
         count(*) FILTER (WHERE level = 'WARNING')::DOUBLE, count(*) FILTER (WHERE background)::DOUBLE,
         epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE,
         list(took) FILTER (WHERE took IS NOT NULL), list(waited) FILTER (WHERE waited IS NOT NULL)
       FROM timed ${by.length === 0 ? '' : `GROUP BY ${by.map((_, index) => index + 1).join(', ')}`}`,
      [...parameters],
    );
    return chunksOf(result).flatMap((chunk) =>
      Array.from({ length: chunk.rowCount }, (_, row) => toGroup(chunk, row, by.length)),
    );
  };
  return withSearch(from, filter, group, signal);
}

function toGroup(chunk: DuckDBDataChunk, row: number, count: number): TimingGroup {
  const item = (column: number) => chunk.getColumnVector(column).getItem(row);
  const keys = Array.from({ length: count }, (_, key) => v.parse(fieldValueSchema, item(key)).value);
  const values = sums.items.map((_, index) => item(count + index));
  const [logs, errors, warnings, background, first, last] = v.parse(sums, values);
  const lists = count + values.length;
  return {
    keys,
    logs,
    errors,
    warnings,
    background,
    ...(first !== null && last !== null && { first, last }),
    took: readNumberList(chunk, lists, row),
    waited: readNumberList(chunk, lists + 1, row),
  };
}

const optionalNumber = v.pipe(
  v.nullable(v.number()),
  v.transform((value) => value ?? undefined),
);
const optionalText = v.pipe(
  v.nullable(v.string()),
  v.transform((text) => text ?? undefined),
);
const optionalValue = v.pipe(
  fieldValueSchema,
  v.transform(({ value }) => value),
);

/** A log with the measured time of a request. */
export interface TimedRequest {
  /** Id of the log. */
  readonly id: number;
  /** Seconds. */
  readonly took: number;
  /** Time of the log, milliseconds since the epoch. */
  readonly time: number | undefined;
  readonly request: string | undefined;
  readonly service: string | undefined;
  readonly method: string | undefined;
  readonly user: string | undefined;
  readonly code: FieldValue | undefined;
}

const timedRequest = v.object({
  id: v.number(),
  took: v.number(),
  time: optionalNumber,
  request: optionalText,
  service: optionalText,
  method: optionalText,
  user: optionalText,
  code: optionalValue,
});

/** Returns the slowest measured requests in the logs that a filter selects, the slowest first. */
export function slowestTimings(
  from: Case,
  filter: Filter,
  { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
): Promise<readonly TimedRequest[]> {
  return selectRows(from, filter, {
    select: (condition) => `${withTimedRows(`(${condition}) AND ${mayBeTimed}`)},
        slowest AS (SELECT id AS chosen_id, took FROM timed WHERE took IS NOT NULL ORDER BY took DESC, id LIMIT ${toSqlCount(limit)})
      SELECT id::DOUBLE AS id, took, epoch_ms("time")::DOUBLE AS time, "requestID" AS request,
        source AS service, "methodName" AS method, username AS user, "logCode" AS code
      FROM slowest JOIN chosen ON chosen.id = chosen_id ORDER BY took DESC, chosen.id`,
    schema: timedRequest,
    signal,
  });
}

/** Logs of one level and code. */
export interface ErrorCount {
  /** In capitals. */
  readonly level: string;
  readonly code: FieldValue | undefined;
  readonly count: number;
  /** Times of the first and the last log, milliseconds since the epoch; undefined if none has one. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Source and message of the first log; the message is cut to 1,000 characters. */
  readonly source: string | undefined;
  readonly message: string | undefined;
}

const errorCount = v.object({
  level: v.string(),
  code: optionalValue,
  count: v.number(),
  first: optionalNumber,
  last: optionalNumber,
  source: optionalText,
  message: optionalText,
});

/** Counts the logs of level SEVERE and WARNING that a filter selects by their codes, in no order. */
export function countErrors(
  from: Case,
  filter: Filter,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly ErrorCount[]> {
  const earliest = 'ORDER BY "time" NULLS LAST, id';
  return selectRows(from, filter, {
    select: (condition) =>
      `SELECT upper("logLevel") AS level, "logCode" AS code, count(*)::DOUBLE AS count, epoch_ms(min("time"))::DOUBLE AS first,
         epoch_ms(max("time"))::DOUBLE AS last, first(source ${earliest}) AS source,
         left(first(msg ${earliest}), 1000) AS message
       FROM stored.logs WHERE (${condition}) AND upper("logLevel") IN ('SEVERE', 'WARNING') GROUP BY level, code`,
    schema: errorCount,
    signal,
  });
}

/** A request that took longer than this, in seconds, is in the statistics, but its arrival is not believed: a month. */
const longestRequest = 2_678_400;

/** Requests that arrived within a minute. */
export interface Arrivals {
  /** Start of the minute, milliseconds since the epoch. */
  readonly start: number;
  readonly count: number;
}

const arrivals = v.object({ start: v.number(), count: v.number() });

/**
 * Counts the requests by the minute of their arrival, in order of time; minutes without one are left out. The
 * arrival of a measured request is its log less the time it took, which is left out beyond a month; `logged` counts the
 * logs of arrivals instead.
 */
export function countArrivals(
  from: Case,
  filter: Filter,
  { of, signal }: { readonly of: 'measured' | 'logged'; readonly signal?: AbortSignal | undefined },
): Promise<readonly Arrivals[]> {
  const arrived = of === 'measured' ? `epoch_ms("time")::DOUBLE - 1000 * took` : `epoch_ms("time")::DOUBLE`;
  const restriction = of === 'measured' ? `took <= ${longestRequest}` : `"logCode" = ${timingCodes.arrival}`;
  return selectRows(from, filter, {
    select: (
      condition,
    ) => `${withTimedRows(of === 'measured' ? `(${condition}) AND ${mayBeTimed}` : condition)}
      SELECT floor((${arrived}) / 60000) * 60000 AS start, count(*)::DOUBLE AS count
      FROM timed WHERE ${restriction} AND "time" IS NOT NULL GROUP BY ALL ORDER BY ALL`,
    schema: arrivals,
    signal,
  });
}

/** A request: all its logs together. */
export interface RequestSpan {
  readonly request: string;
  readonly logs: number;
  /** Logs of level SEVERE. */
  readonly errors: number;
  /** Times of the first and the last log, milliseconds since the epoch; undefined if none has one. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Longest measured time of its logs, in seconds; undefined if nothing was measured. */
  readonly elapsed: number | undefined;
  /** Source, user and method of the log with the longest measured time, else of the first log. */
  readonly source: string | undefined;
  readonly user: string | undefined;
  readonly method: string | undefined;
}

const requestSpan = v.object({
  request: v.string(),
  logs: v.number(),
  errors: v.number(),
  first: optionalNumber,
  last: optionalNumber,
  elapsed: optionalNumber,
  source: optionalText,
  user: optionalText,
  method: optionalText,
});

/**
 * Returns the requests in the logs that a filter selects, the longest first. The length is the time from the
 * first to the last log, or the longest measured time, if that is longer. Equal ones are ordered by their ids.
 */
export function slowestRequests(
  from: Case,
  filter: Filter,
  { limit }: { readonly limit: number },
): Promise<readonly RequestSpan[]> {
  return selectRows(from, filter, {
    select: (condition) => `${withTimedRows(condition)},
      spans AS (SELECT "requestID", count(*)::DOUBLE AS logs, count(*) FILTER (WHERE level = 'SEVERE')::DOUBLE AS errors,
          epoch_ms(min("time"))::DOUBLE AS first, epoch_ms(max("time"))::DOUBLE AS last, max(elapsed) AS elapsed,
          min({e: -coalesce(elapsed, 0), t: "time", i: id}) AS chief
        FROM chosen WHERE "requestID" IS NOT NULL GROUP BY "requestID"
        ORDER BY greatest(coalesce(last - first, 0), coalesce(1000 * max(elapsed), 0)) DESC, "requestID"
        LIMIT ${toSqlCount(limit)})
      SELECT spans."requestID" AS request, logs, errors, first, last, spans.elapsed AS elapsed, source, username AS user,
        "methodName" AS method
      FROM spans JOIN chosen ON chosen.id = spans.chief.i
      ORDER BY greatest(coalesce(last - first, 0), coalesce(1000 * spans.elapsed, 0)) DESC, spans."requestID"`,
    schema: requestSpan,
  });
}

/** The logs of one request that one source or host has written. Times are milliseconds since the epoch. */
export interface RequestPart {
  readonly request: string;
  /** The source or the host. */
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Longest measured time of these logs, in seconds; undefined if nothing was measured. */
  readonly elapsed: number | undefined;
  /** True if all of them are failures or warnings. */
  readonly areFailures: boolean;
}

const requestPart = v.object({
  request: v.string(),
  name: v.string(),
  first: v.number(),
  last: v.number(),
  elapsed: optionalNumber,
  areFailures: v.boolean(),
});

/**
 * Returns the parts of requests by source or host, in no order, of one request in `oneOf`: the same ones of every case. Of
 * a case that is the only one, requests with a single part are left out.
 */
export function requestParts(
  from: Case,
  filter: Filter,
  {
    by,
    oneOf,
    isAlone,
    signal,
  }: {
    readonly by: 'source' | 'machine';
    readonly oneOf: number;
    readonly isAlone: boolean;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly RequestPart[]> {
  return selectRows(from, filter, {
    select: (condition) =>
      `SELECT "requestID" AS request, ${by} AS name, epoch_ms(min("time"))::DOUBLE AS first,
         epoch_ms(max("time"))::DOUBLE AS last, max(${elapsedSql}) AS elapsed,
         bool_and(upper("logLevel") IS NOT NULL AND upper("logLevel") IN ('SEVERE', 'WARNING')) AS "areFailures"
       FROM stored.logs
       WHERE "requestID" <> '' AND ${by} <> '' AND "time" IS NOT NULL
         AND hash("requestID") % ${toSqlCount(oneOf)} = 0 AND (${condition})
       GROUP BY request, name ${isAlone ? 'QUALIFY 1 < count(*) OVER (PARTITION BY request)' : ''}`,
    schema: requestPart,
    signal,
  });
}

/** Runs a SELECT with the condition of a filter, and parses its rows as objects. */
function selectRows<T>(
  from: Case,
  filter: Filter,
  {
    select,
    schema,
    signal,
  }: {
    readonly select: (condition: string) => string;
    readonly schema: v.GenericSchema<unknown, T>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly T[]> {
  const read = async ({ connection, condition }: LogSearch) => {
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(select(sql), [...parameters]);
    return result.getRowObjectsJS().map((row) => v.parse(schema, row));
  };
  return withSearch(from, filter, read, signal);
}
