import type { DuckDBDataChunk } from '@duckdb/node-api';
import * as v from 'valibot';
import { chunksOf, readNumberList } from '../../database/index.ts';
import type { FieldValue, Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { fieldValueSchema } from './find-logs.ts';
import { type TimingKey, timingKeySql, withTimedRows } from './request-timings.ts';
import { type LogSearch, withSearch } from './search.ts';

/** Logs with the same values of some keys, and the times measured in them. */
export interface TimingGroup {
  /** Values of the keys in their order; undefined for logs without one. */
  readonly keys: readonly (FieldValue | undefined)[];
  readonly logs: number;
  /** Logs of level SEVERE, and of level WARNING. */
  readonly errors: number;
  readonly warnings: number;
  /** Logs with measured times of no request, such as health checks. */
  readonly background: number;
  /** First and last time, milliseconds since the epoch; absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** Seconds of each measured request, in no order. */
  readonly took: Float64Array;
  /** Seconds of each measured wait, in no order. */
  readonly waited: Float64Array;
}

const time = v.nullable(v.number());
const sums = v.tuple([v.number(), v.number(), v.number(), v.number(), time, time]);

/**
 * Groups the logs that a filter selects by some keys, with all measured times of each group. The order is
 * arbitrary. Intervals of time have at most the length `longest` in milliseconds. Rejects with a `StoreError`.
 */
export function groupTimings(
  from: Case,
  filter: Filter,
  {
    by,
    longest = Number.POSITIVE_INFINITY,
    signal,
  }: {
    readonly by: readonly TimingKey[];
    readonly longest?: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly TimingGroup[]> {
  const group = async ({ connection, condition }: LogSearch) => {
    const { sql, parameters } = condition();
    const keys = by.map((key) => `${timingKeySql(key, longest)}, `).join('');
    const result = await connection.run(
      `${withTimedRows(sql)}
       SELECT ${keys} count(*)::DOUBLE, count(*) FILTER (WHERE level = 'SEVERE')::DOUBLE,
         count(*) FILTER (WHERE level = 'WARNING')::DOUBLE, count(*) FILTER (WHERE background)::DOUBLE,
         epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE,
         list(took) FILTER (WHERE took IS NOT NULL), list(waited) FILTER (WHERE waited IS NOT NULL)
       FROM timed ${by.length === 0 ? '' : `GROUP BY ${by.map((_, index) => index + 1).join(', ')}`}`,
      [...parameters],
    );
    return chunksOf(result).flatMap((chunk) =>
      Array.from({ length: chunk.rowCount }, (_, row) => toGroup(chunk, row, by.length)),
    );
  };
  return withSearch(from, filter, group, signal);
}

function toGroup(chunk: DuckDBDataChunk, row: number, count: number): TimingGroup {
  const item = (column: number) => chunk.getColumnVector(column).getItem(row);
  const keys = Array.from({ length: count }, (_, key) => v.parse(fieldValueSchema, item(key)).value);
  const values = sums.items.map((_, index) => item(count + index));
  const [logs, errors, warnings, background, first, last] = v.parse(sums, values);
  const lists = count + values.length;
  return {
    ...{ keys, logs, errors, warnings, background },
    ...(first !== null && last !== null && { first, last }),
    ...{ took: readNumberList(chunk, lists, row), waited: readNumberList(chunk, lists + 1, row) },
  };
}
