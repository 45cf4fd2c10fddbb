import * as v from 'valibot';
import type { FieldValue, Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import { intervalShift } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { countValuesByStart } from '../index/field-values.ts';
import { countByStart, spanOf } from '../index/times.ts';
import { fieldValueSchema, fieldValueSql } from './find-logs.ts';
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
