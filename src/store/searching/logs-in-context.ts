import type { Filter } from '../../meaning/filter.ts';
import type { Case } from '../case/case.ts';
import type { Condition } from '../case/column-test.ts';
import { type LogCursor, orderBySql } from '../case/log-order.ts';
import { limitClause, pageCondition, type StreamOptions, streamSearch, toSqlCount } from './find-logs.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** A log that a filter selects, or a neighbour of one. */
export interface LogInContext extends StoredLog {
  /** The filter selects this log. */
  readonly isHit: boolean;
  /**
   * Rank among all logs of the case, the oldest first: no log is between consecutive ranks. Logs without a time
   * follow after a gap: they are no neighbours of logs with one.
   */
  readonly rank: number;
}

/** Options of `streamContext`. */
export interface ContextOptions extends StreamOptions {
  /** Number of neighbours before and after each selected log. */
  readonly around: number;
}

/**
 * Streams the logs that a filter selects, each with its neighbours in time among all logs. Each log appears
 * once. `limit` counts the selected ones.
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

/** Resolved options. */
type ResolvedOptions = Required<Pick<ContextOptions, 'around' | 'order'>> & {
  readonly limit: number | undefined;
  readonly after: LogCursor | undefined;
};

function toSelect(condition: Condition, { around, order, limit, after }: ResolvedOptions): Condition {
  const { sql, parameters } = pageCondition(condition, order, after);
  const distance = toSqlCount(around);
  const select = `
    WITH ranked AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ${orderBySql.oldest}) + if("time" IS NULL, ${distance} + 1, 0) AS rank
      FROM stored.logs),
    hits AS (
      SELECT id FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]} ${limitClause(limit)}),
    wanted AS (
      SELECT DISTINCT rank + distance AS rank
      FROM ranked JOIN hits USING (id), range(-${distance}, ${distance} + 1) AS near(distance))
    SELECT coalesce(${condition.sql}, false), rank::DOUBLE, ${storedLogColumns}
    FROM stored.logs JOIN ranked USING (id) JOIN wanted USING (rank) ORDER BY ${orderBySql[order]}`;
  return { sql: select, parameters };
}
