import type { Filter } from '../../meaning/filter.ts';
import type { Case } from '../case/case.ts';
import type { Condition } from '../case/column-test.ts';
import { orders, type Place } from '../case/log-order.ts';
import { limitTo, page, type StreamOptions, streamSearch, toCount } from './find-logs.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log that a filter selects, or one that stands near such a log. */
export interface LogInContext extends StoredLog {
  /** Whether the filter selects it. */
  readonly isHit: boolean;
  /**
   * Its number among all logs of the case, the oldest first: where numbers follow on, no log stands in between.
   * Logs without a time come behind a gap, for they are near none that has one.
   */
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
  { around, order = 'oldest', limit, after, signal }: ContextOptions,
): AsyncGenerator<LogInContext, void, undefined> {
  const rows = streamSearch(from, filter, {
    signal,
    toSelects: async function* ({ condition }) {
      yield toSelect(condition(), { around, order, limit, after });
    },
  });
  for await (const [isHit, rank, ...row] of rows)
    yield { ...toStoredLog(row), isHit: isHit === true, rank: Number(rank) };
}

/** What of its options a context is made of. */
type Asked = Required<Pick<ContextOptions, 'around' | 'order'>> & {
  readonly limit: number | undefined;
  readonly after: Place | undefined;
};

function toSelect(condition: Condition, { around, order, limit, after }: Asked): Condition {
  const { sql, parameters } = page(condition, order, after);
  const distance = toCount(around);
  const select = `
    WITH ranked AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ${orders.oldest}) + if("time" IS NULL, ${distance} + 1, 0) AS rank
      FROM stored.logs),
    hits AS (
      SELECT id FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]} ${limitTo(limit)}),
    wanted AS (
      SELECT DISTINCT rank + distance AS rank
      FROM ranked JOIN hits USING (id), range(-${distance}, ${distance} + 1) AS near(distance))
    SELECT coalesce(${condition.sql}, false), rank::DOUBLE, ${storedLogColumns}
    FROM stored.logs JOIN ranked USING (id) JOIN wanted USING (rank) ORDER BY ${orders[order]}`;
  return { sql: select, parameters };
}
