import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { withSearch } from '../searching/search.ts';

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

const rows = v.array(v.tuple([v.number(), v.number(), v.number(), v.number()]));

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
      .parse(rows, result.getRowsJS())
      .map(([bucket, level, source, count]) => ({ bucket, level, source, count }));
  });
}
