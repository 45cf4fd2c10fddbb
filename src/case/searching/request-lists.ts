import * as v from 'valibot';
import type { FieldValue, Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { fieldValueSchema, toSqlCount } from './find-logs.ts';
import { mayBeTimed, timingCodes, withTimedRows } from './request-timings.ts';
import { type LogSearch, withSearch } from './search.ts';

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

/** Requests that arrived within a minute. */
export interface Arrivals {
  /** Start of the minute, milliseconds since the epoch. */
  readonly start: number;
  readonly count: number;
}

const arrivals = v.object({ start: v.number(), count: v.number() });

/**
 * Counts the requests by the minute of their arrival, in order of time; minutes without one are left out. The
 * arrival of a measured request is its log less the time it took; `logged` counts the logs of arrivals instead.
 */
export function countArrivals(
  from: Case,
  filter: Filter,
  { of, signal }: { readonly of: 'measured' | 'logged'; readonly signal?: AbortSignal | undefined },
): Promise<readonly Arrivals[]> {
  const arrived = of === 'measured' ? `epoch_ms("time")::DOUBLE - 1000 * took` : `epoch_ms("time")::DOUBLE`;
  const wanted = of === 'measured' ? 'took IS NOT NULL' : `"logCode" = ${timingCodes.arrival}`;
  return selectRows(from, filter, {
    select: (
      condition,
    ) => `${withTimedRows(of === 'measured' ? `(${condition}) AND ${mayBeTimed}` : condition)}
      SELECT floor((${arrived}) / 60000) * 60000 AS start, count(*)::DOUBLE AS count
      FROM timed WHERE ${wanted} AND "time" IS NOT NULL GROUP BY ALL ORDER BY ALL`,
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
