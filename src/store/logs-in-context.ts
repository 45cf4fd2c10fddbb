import * as v from 'valibot';
import type { Filter } from '../meaning/filter.ts';
import { type Case, connect, toStoreError } from './case.ts';
import { startCondition } from './column-test.ts';
import { page, type StreamOptions, toCount } from './find-logs.ts';
import { orders } from './log-order.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log that a filter selects, or one that stands near such a log. */
export interface LogInContext extends StoredLog {
  /** Whether the filter selects it. */
  readonly isHit: boolean;
  /** Its number among all logs of the case, the oldest first: where numbers follow on, no log stands in between. */
  readonly rank: number;
}

/** Which logs a stream with their context gives. */
export interface ContextOptions extends StreamOptions {
  /** So many logs before and after each that is selected, whatever they are. */
  readonly around: number;
}

/**
 * The logs that a filter selects, and with each those that stand before and
 * after it in time when the filter is dropped; each once. `limit` counts the
 * selected ones.
 */
export async function* streamContext(
  from: Case,
  filter: Filter,
  { around, order = 'oldest', limit, after }: ContextOptions,
): AsyncGenerator<LogInContext, void, undefined> {
  const { done, ...condition } = startCondition(filter);
  const { sql, parameters } = page(condition, order, after);
  const connection = await connect(from);
  try {
    const result = await connection.stream(
      `WITH ranked AS MATERIALIZED (
         SELECT id, row_number() OVER (ORDER BY ${orders.oldest}) AS rank FROM stored.logs),
       hits AS (
         SELECT id FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]}
         ${limit === undefined ? '' : `LIMIT ${toCount(limit)}`}),
       wanted AS (
         SELECT DISTINCT rank + distance AS rank
         FROM ranked JOIN hits USING (id), range(-${toCount(around)}, ${toCount(around)} + 1) AS near(distance))
       SELECT coalesce(${condition.sql}, false), rank::DOUBLE, ${storedLogColumns}
       FROM stored.logs JOIN ranked USING (id) JOIN wanted USING (rank) ORDER BY ${orders[order]}`,
      [...parameters],
    );
    for await (const rows of result.yieldRowsJs()) {
      for (const [isHit, rank, ...row] of rows)
        yield { ...toStoredLog(row), isHit: v.parse(v.boolean(), isHit), rank: v.parse(v.number(), rank) };
    }
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    done();
    connection.closeSync();
  }
}
