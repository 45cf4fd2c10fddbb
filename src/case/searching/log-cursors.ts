import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { type LogCursor, type LogOrder, orderBySql } from '../file/log-order.ts';
import { toSqlCount } from './find-logs.ts';
import { withSearch } from './search.ts';

/** Options of `logCursors`. */
export interface LogCursorsOptions {
  readonly order: LogOrder;
  /** Distance between two cursors, in logs. */
  readonly every: number;
  readonly signal?: AbortSignal | undefined;
}

const rows = v.array(v.tuple([v.nullable(v.number()), v.number()]));

/**
 * Returns the positions of each `every`-th log that a filter selects, in order. A page that starts
 * after cursor `n` (from 0) begins with log `(n + 1) * every` (from 0). Only times and ids are
 * sorted, so that any page of a long result is as fast as the first.
 */
export function logCursors(
  from: Case,
  filter: Filter,
  { order, every, signal }: LogCursorsOptions,
): Promise<readonly LogCursor[]> {
  const read = withSearch(
    from,
    filter,
    async ({ connection, condition }) => {
      const { sql, parameters } = condition();
      const result = await connection.runAndReadAll(
        `SELECT epoch_ms("time")::DOUBLE, id::DOUBLE FROM (
           SELECT "time", id, row_number() OVER (ORDER BY ${orderBySql[order]}) AS n FROM stored.logs WHERE ${sql})
         WHERE n % ${toSqlCount(every)} = 0 ORDER BY n`,
        [...parameters],
      );
      return v.parse(rows, result.getRowsJS());
    },
    signal,
  );
  return read.then((found) => found.map(([time, id]) => (time === null ? { id } : { time, id })));
}
