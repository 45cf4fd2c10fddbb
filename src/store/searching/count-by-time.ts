import * as v from 'valibot';
import type { FieldValue } from '../../meaning/document.ts';
import type { Filter } from '../../meaning/filter.ts';
import type { LogField } from '../../records/log.ts';
import type { Case } from '../case/case.ts';
import { countByStart, spanOf } from '../token-index/times.ts';
import { fieldValue, foundValue } from './find-logs.ts';
import { searching } from './search.ts';

/** The times of logs. */
export interface TimeSpan {
  /** Of the first and the last: milliseconds since the epoch. Absent when no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** Logs with a time. */
  readonly count: number;
  /** Logs without a time. */
  readonly timeless: number;
}

const span = v.tuple([v.nullable(v.number()), v.nullable(v.number()), v.number(), v.number()]);

/** The times of the logs that a filter selects. */
export function timeSpan(from: Case, filter: Filter): Promise<TimeSpan> {
  return searching(from, filter, async ({ connection, condition, hits }) => {
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
  });
}

/** How many logs are in one stretch of time, of one value of a field where that was asked for. */
export interface TimeCount {
  /** When the stretch begins: milliseconds since the epoch. */
  readonly start: number;
  /** Absent for the logs that have no value. */
  readonly value?: FieldValue;
  readonly count: number;
}

const rows = v.array(v.tuple([v.number(), foundValue, v.number()]));

/**
 * How many of the logs that a filter selects are in each stretch of time of a
 * length in milliseconds, counted from the epoch; those without a log are left
 * out, and so are logs without a time. In the order of time.
 */
export function countByTime(
  from: Case,
  filter: Filter,
  { every, by }: { readonly every: number; readonly by?: LogField },
): Promise<readonly TimeCount[]> {
  return searching(from, filter, async ({ connection, condition, hits }) => {
    // Beginnings that are no whole milliseconds the database rounds in its own way.
    const times = by === undefined && Number.isSafeInteger(every) ? await hits?.times() : undefined;
    if (hits && times)
      return countByStart(times, hits.bitmap(), every).map(([start, count]) => ({ start, count }));
    const { sql, parameters } = condition();
    const length = `$${parameters.length + 1}::DOUBLE`;
    const result = await connection.runAndReadAll(
      `SELECT floor(epoch_ms("time")::DOUBLE / ${length}) * ${length} AS start,
         ${by === undefined ? 'NULL' : fieldValue(by)} AS value, count(*)::DOUBLE
       FROM stored.logs WHERE "time" IS NOT NULL AND (${sql})
       GROUP BY ALL ORDER BY start, value NULLS LAST`,
      [...parameters, every],
    );
    return v.parse(rows, result.getRowsJS()).map(([start, value, count]) => ({
      start,
      ...value,
      count,
    }));
  });
}
