import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { toSqlCount } from '../searching/find-logs.ts';
import { withSearch } from '../searching/search.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from '../searching/stored-log.ts';

/** Choice of logs to list. */
export interface SampleOptions {
  /** Levels in capitals; those first in the list are preferred. */
  readonly levels: readonly string[];
  /** True to list logs of other levels and without one too, after those. */
  readonly hasOthers: boolean;
  /** Start of the first interval, milliseconds since the epoch, and the length of an interval. */
  readonly start: number;
  readonly every: number;
  readonly limit: number;
  /** Ids of logs that are listed in any case. */
  readonly always: readonly number[];
}

/**
 * Returns logs that a filter selects, up to a limit, by levels in their order. A level that does not fit has
 * equally many of each interval of time, the first ones. Ordered by time.
 */
export function sampleLogs(
  from: Case,
  filter: Filter,
  { levels, hasOthers, start, every, limit, always }: SampleOptions,
): Promise<readonly StoredLog[]> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const first = parameters.length + 1;
    const result = await connection.runAndReadAll(
      `WITH listed AS (SELECT id, "time", coalesce(list_position(from_json($${first}, '["VARCHAR"]'), upper("logLevel")), ${levels.length + 1}) AS level
         FROM stored.logs WHERE (${sql}) AND (${hasOthers} OR upper("logLevel") IN (SELECT unnest(from_json($${first}, '["VARCHAR"]'))))),
       ranked AS (SELECT id, level, row_number() OVER (
           PARTITION BY level, floor((epoch_ms("time") - $${first + 1}::DOUBLE) / $${first + 2}::DOUBLE)
           ORDER BY "time", id) AS turn FROM listed)
       SELECT id::DOUBLE FROM ranked ORDER BY level, turn, id LIMIT ${toSqlCount(limit)}`,
      [...parameters, JSON.stringify(levels), start, every],
    );
    const ids = v.parse(v.array(v.tuple([v.number()])), result.getRowsJS()).map(([id]) => id);
    const all = [...new Set([...ids, ...always])];
    if (all.length === 0) return [];
    const found = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs WHERE id IN (${all.map(Number).join(', ')})
       ORDER BY "time" NULLS LAST, id`,
    );
    return found.getRowsJS().map(toStoredLog);
  });
}
