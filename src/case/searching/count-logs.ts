import * as v from 'valibot';
import type { FieldValue, Filter } from '../../language/index.ts';
import { intervalShift, type LogField } from '../../records/index.ts';
import {
  countByStart,
  countValuesByStart,
  shiftPlaceholders,
  spanOf,
  startCondition,
} from '../../word-index/index.ts';
import { type Case, readCaseSnapshot } from '../file/case.ts';
import { fieldValueSchema, fieldValueSql, toSqlCount, type ValueCount } from './find-logs.ts';
import { elapsedSql } from './request-timings.ts';
import { type LogSearch, withSearch } from './search.ts';

/** Times of logs. */
export interface TimeSpan {
  /** First and last time: milliseconds since the epoch. Absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** Logs with a time. */
  readonly count: number;
  /** Logs without a time. */
  readonly timeless: number;
}

const span = v.tuple([v.nullable(v.number()), v.nullable(v.number()), v.number(), v.number()]);

/**
 * Returns the first and last time of the logs that a filter selects, and counts them.
 *
 * ```ts
 * const { first, last } = await timeSpan(incident, filter);
 * ```
 */
export function timeSpan(
  from: Case,
  filter: Filter,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<TimeSpan> {
  const measure = async ({ connection, condition, hits }: LogSearch) => {
    const times = await hits?.times();
    if (hits && times) {
      const { first, last, ...counts } = spanOf(times, hits.bitmap());
      return { ...(0 < counts.count && { first, last }), ...counts };
    }
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(
      `SELECT epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE, count("time")::DOUBLE,
         (count(*) - count("time"))::DOUBLE FROM stored.logs WHERE ${sql}`,
      [...parameters],
    );
    const [first, last, count, timeless] = v.parse(span, result.getRowsJS()[0]);
    return { ...(first !== null && last !== null && { first, last }), count, timeless };
  };
  return withSearch(from, filter, measure, signal);
}

/** Number of logs in an interval of time, with one value of a field if requested. */
export interface TimeCount {
  /** Start of the interval: milliseconds since the epoch. */
  readonly start: number;
  /** Absent for logs without a value. */
  readonly value?: FieldValue;
  readonly count: number;
}

const rows = v.array(v.tuple([v.number(), fieldValueSchema, v.number()]));

/**
 * Counts the logs that a filter selects by intervals of `every` milliseconds, aligned as `intervalStart`
 * does, in the order of time. Empty intervals and logs without a time are left out.
 *
 * ```ts
 * const counts = await countByTime(incident, filter, { every: 3_600_000 });
 * ```
 */
export function countByTime(
  from: Case,
  filter: Filter,
  {
    every,
    by,
    signal,
  }: { readonly every: number; readonly by?: LogField; readonly signal?: AbortSignal | undefined },
): Promise<readonly TimeCount[]> {
  const count = async ({ connection, condition, hits }: LogSearch) => {
    // The database rounds fractional starts differently.
    const times = Number.isSafeInteger(every) ? await hits?.times() : undefined;
    if (hits && times && by === undefined)
      return countByStart(times, hits.bitmap(), every).map(([start, count]) => ({ start, count }));
    const values = times && by !== undefined ? await hits?.values(fieldValueSql(by)) : undefined;
    if (hits && times && values)
      return toCounts(countValuesByStart(values, times, { bitmap: hits.bitmap(), every }));
    const { sql, parameters } = condition();
    const shift = intervalShift(every);
    const length = `$${parameters.length + 1}::DOUBLE`;
    const result = await connection.runAndReadAll(
      `SELECT floor((epoch_ms("time")::DOUBLE + ${shift}) / ${length}) * ${length} - ${shift} AS start,
         ${by === undefined ? 'NULL' : fieldValueSql(by)} AS value, count(*)::DOUBLE
       FROM stored.logs WHERE "time" IS NOT NULL AND (${sql})
       GROUP BY ALL ORDER BY start, value NULLS LAST`,
      [...parameters, every],
    );
    return toCounts(result.getRowsJS());
  };
  return withSearch(from, filter, count, signal);
}

function toCounts(counted: readonly unknown[]): readonly TimeCount[] {
  return v.parse(rows, counted).map(([start, value, count]) => ({ start, ...value, count }));
}

/** Number of logs of one filter, with the first and the last of them. */
export interface FilterCount {
  readonly count: number;
  /** Ids of the first and last log of the order of time; equal times are ordered by id. Absent without a timed log. */
  readonly first?: TimedLog;
  readonly last?: TimedLog;
  /** The least id of the logs without a time; absent if all have one. */
  readonly timeless?: number;
}

/** Filters of one statement: the time to plan a statement grows faster than its length. */
const filtersOfStatement = 16;

const timed = v.nullable(v.object({ time: v.nullable(v.number()), id: v.nullable(v.number()) }));
const row = v.array(
  v.object({ count: v.number(), first: timed, last: timed, timeless: v.nullable(v.number()) }),
);

/** The logs to count. */
export interface CountEachOptions {
  /** Only logs that this filter selects. */
  readonly among: Filter;
  /** Only one block of logs in this number of blocks: a sample that is read faster. Default 1, all logs. */
  readonly oneIn?: number;
}

/** Logs of a block of a sample: those that the database reads together. */
const logsOfBlock = 2_048;

/**
 * Counts the logs that each of some filters selects among those of another one. All are counted in
 * one pass over the logs, which takes little more time than one count.
 */
export function countEach(
  from: Case,
  filters: readonly Filter[],
  { among, oneIn = 1 }: CountEachOptions,
): Promise<readonly FilterCount[]> {
  return withSearch(from, among, async ({ connection, condition }) => {
    const { sql: all, parameters } = condition();
    const sql = oneIn === 1 ? all : `(id // ${logsOfBlock}) % ${Math.trunc(oneIn)} = 0 AND (${all})`;
    const counts: FilterCount[] = [];
    for (let at = 0; at < filters.length; at += filtersOfStatement) {
      const started = filters.slice(at, at + filtersOfStatement).map((filter) => startCondition(filter));
      try {
        const bound: Parameters<typeof connection.runAndReadAll>[1] & unknown[] = [...parameters];
        const columns = started.map((clause) => {
          const own = `coalesce(${shiftPlaceholders(clause.sql, bound.length)}, false)`;
          bound.push(...clause.parameters);
          return own;
        });
        const result = await connection.runAndReadAll(
          `SELECT [${columns.map((_, index) => countSql(`c${index}`)).join(', ')}]
           FROM (SELECT id::DOUBLE AS i, epoch_ms("time")::DOUBLE AS t, ${columns.map((own, index) => `${own} AS c${index}`).join(', ')}
             FROM stored.logs WHERE ${sql})`,
          bound,
        );
        counts.push(...v.parse(row, result.getRowsJS()[0]?.[0]).map(toCount));
      } finally {
        for (const clause of started) clause.done();
      }
    }
    return counts;
  });
}

/** Ordered by time, then by id. */
const position = '{time: t, id: i}';

function countSql(column: string): string {
  const timed = `FILTER (WHERE ${column} AND t IS NOT NULL)`;
  return `{count: count(*) FILTER (WHERE ${column})::DOUBLE, first: min(${position}) ${timed}, last: max(${position}) ${timed},
    timeless: min(i) FILTER (WHERE ${column} AND t IS NULL)}`;
}

function toCount({ count, first, last, timeless }: v.InferOutput<typeof row>[number]): FilterCount {
  return {
    count,
    ...(first && isTimedLog(first) && { first }),
    ...(last && isTimedLog(last) && { last }),
    ...(timeless !== null && { timeless }),
  };
}

function isTimedLog(log: { readonly time: number | null; readonly id: number | null }): log is TimedLog {
  return log.time !== null && log.id !== null;
}

/** A log with a time: its id in the case, and milliseconds since the epoch. */
export interface TimedLog {
  readonly id: number;
  readonly time: number;
}

/** Number of logs with one value of a field, all and severe ones. */
export interface SevereValue extends ValueCount {
  /** Number of severe logs. */
  readonly severe: number;
  /** First and last severe log; absent if no severe log has a time. */
  readonly firstSevere?: TimedLog;
  readonly lastSevere?: TimedLog;
}

const timedLog = v.pipe(
  v.object({ time: v.nullable(v.number()), id: v.nullable(v.number()) }),
  v.transform(({ time, id }): TimedLog | undefined =>
    time === null || id === null ? undefined : { id, time },
  ),
);
const severeRow = v.tuple([fieldValueSchema, v.number(), v.number(), timedLog, timedLog]);

const isSevere = `upper("logLevel") = 'SEVERE'`;
const severeTimed = `FILTER (WHERE ${isSevere} AND "time" IS NOT NULL)`;
const severePosition = '{t: "time", i: id}';

/**
 * Counts the values of a field in all logs of a case, with the first and last severe log of each. Ordered by
 * severe logs, then by all logs, the most first; then by value.
 */
export function countSevereBy(
  from: Case,
  field: LogField,
  { limit }: { readonly limit: number },
): Promise<readonly SevereValue[]> {
  return readCaseSnapshot(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT value, logs, severe, {time: epoch_ms(first.t)::DOUBLE, id: first.i::DOUBLE},
         {time: epoch_ms(last.t)::DOUBLE, id: last.i::DOUBLE}
       FROM (SELECT ${fieldValueSql(field)} AS value, count(*)::DOUBLE AS logs,
           count(*) FILTER (WHERE ${isSevere})::DOUBLE AS severe,
           min(${severePosition}) ${severeTimed} AS first, max(${severePosition}) ${severeTimed} AS last
         FROM stored.logs GROUP BY ALL)
       ORDER BY severe DESC, logs DESC, value NULLS LAST LIMIT ${toSqlCount(limit)}`,
    );
    return result.getRowsJS().map((row) => {
      const [value, count, severe, first, last] = v.parse(severeRow, row);
      return {
        ...value,
        count,
        severe,
        ...(first && { firstSevere: first }),
        ...(last && { lastSevere: last }),
      };
    });
  });
}

/** The logs of one source in a slot of time. */
export interface SourceSlot {
  /** Empty for logs without a source. */
  readonly source: string;
  /** Number of the slot: its start in milliseconds since the epoch by the length of a slot. */
  readonly slot: number;
  readonly count: number;
  /** Times of the first and the last log: milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

const slotRows = v.array(v.tuple([v.string(), v.number(), v.number(), v.number(), v.number()]));

/** Counts the selected logs by source and slot of `length` milliseconds, in order of source and time. */
export function countBySourceSlot(
  from: Case,
  filter: Filter,
  { length }: { readonly length: number },
): Promise<readonly SourceSlot[]> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(
      `SELECT coalesce(source, '') AS name, floor(epoch_ms("time")::DOUBLE / $${parameters.length + 1}::DOUBLE) AS slot,
         count(*)::DOUBLE, epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE
       FROM stored.logs WHERE "time" IS NOT NULL AND (${sql}) GROUP BY ALL ORDER BY name, slot`,
      [...parameters, length],
    );
    return v
      .parse(slotRows, result.getRowsJS())
      .map(([source, slot, count, first, last]) => ({ source, slot, count, first, last }));
  });
}

/** Logs of one source. Times are milliseconds since the epoch, durations seconds. */
export interface SourceCounts {
  /** Absent for logs without a source. */
  readonly source?: string;
  readonly count: number;
  readonly severe: number;
  readonly warnings: number;
  /** First and last log; absent if none has a time. */
  readonly first?: number;
  readonly last?: number;
  readonly users: number;
  /** Logs with a measured time, as in a service report: its median, 95th percentile and maximum, in seconds. */
  readonly measured: number;
  readonly median?: number;
  readonly p95?: number;
  readonly longest?: number;
}

/** Severe logs and warnings of one level and code. */
export interface FailureCounts {
  readonly level: string;
  /** A text, as codes can exceed 2^53; absent for logs without a code. */
  readonly code?: string;
  readonly count: number;
  readonly first?: number;
  readonly last?: number;
  /** Most frequent source, the number of sources, and the number of users. */
  readonly source?: string;
  readonly sources: number;
  readonly users: number;
  /** Id and message of the first log. */
  readonly id: number;
  readonly message?: string;
}

/** The first rows of a list, and the number of all. */
export interface Listed<T> {
  readonly values: readonly T[];
  readonly total: number;
}

const text = v.nullable(v.string());
const number = v.nullable(v.number());
const n = v.number();
const sourceRow = v.tuple([text, n, n, n, number, number, n, n, number, number, number, n]);

/** Counts the logs that a filter selects by source; most severe logs first, then most warnings and logs. */
export function countSources(
  from: Case,
  filter: Filter,
  { limit }: { readonly limit: number },
): Promise<Listed<SourceCounts>> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(
      `SELECT source, count(*)::DOUBLE AS logs, count(*) FILTER (upper("logLevel") = 'SEVERE')::DOUBLE AS severe,
         count(*) FILTER (upper("logLevel") = 'WARNING')::DOUBLE AS warnings,
         epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE, count(DISTINCT username)::DOUBLE,
         count(seconds)::DOUBLE, quantile_cont(seconds, 0.5), quantile_cont(seconds, 0.95), max(seconds),
         count(*) OVER ()::DOUBLE
       FROM (SELECT source, "logLevel", "time", username, ${elapsedSql} AS seconds FROM stored.logs WHERE ${sql})
       GROUP BY source
       ORDER BY severe DESC, warnings DESC, logs DESC, source NULLS LAST LIMIT ${toSqlCount(limit)}`,
      [...parameters],
    );
    const rows = v.parse(v.array(sourceRow), result.getRowsJS());
    return { values: rows.map(toSource), total: rows[0]?.[11] ?? 0 };
  });
}

function toSource(row: v.InferOutput<typeof sourceRow>): SourceCounts {
  const [source, count, severe, warnings, first, last, users, measured, median, p95, longest] = row;
  return {
    ...(source !== null && { source }),
    count,
    severe,
    warnings,
    users,
    measured,
    ...(first !== null && last !== null && { first, last }),
    ...(median !== null && p95 !== null && longest !== null && { median, p95, longest }),
  };
}

const failureRow = v.tuple([v.string(), text, n, number, number, text, n, n, n, text, n]);

/** Counts severe logs and warnings that a filter selects by level and code; severe first, then most logs. */
export function countFailures(
  from: Case,
  filter: Filter,
  { limit }: { readonly limit: number },
): Promise<Listed<FailureCounts>> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const position = '{missing: "time" IS NULL, t: "time", i: id}';
    const result = await connection.runAndReadAll(
      `WITH found AS (SELECT upper("logLevel") AS level, "logCode"::VARCHAR AS code, count(*)::DOUBLE AS logs,
           epoch_ms(min("time"))::DOUBLE AS first, epoch_ms(max("time"))::DOUBLE AS last, mode(source) AS source,
           count(DISTINCT source)::DOUBLE AS sources, count(DISTINCT username)::DOUBLE AS users,
           min(${position}).i AS id, count(*) OVER ()::DOUBLE AS total
         FROM stored.logs WHERE (${sql}) AND upper("logLevel") IN ('SEVERE', 'WARNING') GROUP BY 1, 2
         ORDER BY level = 'WARNING', logs DESC, code NULLS LAST LIMIT ${toSqlCount(limit)})
       SELECT found.* EXCLUDE (id, total), found.id::DOUBLE, msg, total
       FROM found LEFT JOIN stored.logs ON logs.id = found.id
       ORDER BY level = 'WARNING', logs DESC, code NULLS LAST`,
      [...parameters],
    );
    const rows = v.parse(v.array(failureRow), result.getRowsJS());
    return { values: rows.map(toFailure), total: rows[0]?.[10] ?? 0 };
  });
}

function toFailure(row: v.InferOutput<typeof failureRow>): FailureCounts {
  const [level, code, count, first, last, source, sources, users, id, message] = row;
  return {
    level,
    count,
    sources,
    users,
    id,
    ...(code !== null && { code }),
    ...(first !== null && last !== null && { first, last }),
    ...(source !== null && { source }),
    ...(message !== null && { message }),
  };
}

/** Number of logs of one bucket, level and source. */
export interface CountedCell {
  /** Index of the bucket; -1 for logs without a time. */
  readonly bucket: number;
  /** Index in the given levels; their number for any other level. */
  readonly level: number;
  /** Index in the given sources; their number for any other source. */
  readonly source: number;
  readonly count: number;
}

/** Buckets, levels and sources to count by. */
export interface CellsOptions {
  /** Start of the first bucket, milliseconds since the epoch, and the length of a bucket. */
  readonly start: number;
  readonly every: number;
  /** Levels in capitals. */
  readonly levels: readonly string[];
  readonly sources: readonly string[];
}

const cellRows = v.array(v.tuple([v.number(), v.number(), v.number(), v.number()]));

/** Counts the logs that a filter selects by time, level and source at once. Empty cells are left out. */
export function countCells(
  from: Case,
  filter: Filter,
  { start, every, levels, sources }: CellsOptions,
): Promise<readonly CountedCell[]> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const first = parameters.length + 1;
    const result = await connection.runAndReadAll(
      `WITH grouped AS (SELECT bucket, "logLevel", source, sum(count) AS count FROM (
           SELECT coalesce(floor((epoch_ms("time") - $${first}::DOUBLE) / $${first + 1}::DOUBLE), -1)::INTEGER AS bucket,
             "logLevel", source, count(*) AS count FROM stored.logs WHERE ${sql} GROUP BY ALL) GROUP BY ALL)
       SELECT bucket, coalesce(list_position(from_json($${first + 2}, '["VARCHAR"]'), upper("logLevel")) - 1, ${levels.length})::INTEGER,
         coalesce(list_position(from_json($${first + 3}, '["VARCHAR"]'), source) - 1, ${sources.length})::INTEGER,
         sum(count)::DOUBLE
       FROM grouped GROUP BY ALL ORDER BY ALL`,
      [...parameters, start, every, JSON.stringify(levels), JSON.stringify(sources)],
    );
    return v
      .parse(cellRows, result.getRowsJS())
      .map(([bucket, level, source, count]) => ({ bucket, level, source, count }));
  });
}
