import { streamRows, toStoreError } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { orderBySql } from '../file/log-order.ts';
import { openParquetWriter, type ParquetWriter } from '../rows/parquet.ts';
import { pageCondition, type StreamOptions, toSqlCount } from './find-logs.ts';
import { blockCondition, splitIntoBlocks } from './log-blocks.ts';
import { startSearch } from './search.ts';

/** Columns of a file with logs: those of the view `logs`. */
const columns = [
  ...['id', '"time"', '"logCode"', 'elapsed'],
  ...textFields.map((field) => `"${field}"`),
  ...['extra', 'part', 'entry', 'position'],
].join(', ');

/** A case whose logs are written. */
export interface WrittenCase {
  readonly from: Case;
  /** Value of the column `case`, which exists for several cases. */
  readonly name: string;
  readonly options: StreamOptions;
}

/**
 * Writes the logs that a filter selects in some cases to a Parquet file, in one order, at most `limit`. A
 * column `case` is added for several cases. Returns the number of logs.
 *
 * ```ts
 * const count = await writeLogsToParquet('hits.parquet', [{ from: incident, name: 'incident', options: {} }], { filter });
 * ```
 */
export async function writeLogsToParquet(
  path: string,
  cases: readonly WrittenCase[],
  {
    filter,
    limit,
    order = 'oldest',
    signal,
  }: StreamOptions & { readonly filter: Filter; readonly signal?: AbortSignal },
): Promise<number> {
  await using writer = await openParquetWriter(path);
  let count = 0;
  for (const [index, each] of cases.entries())
    count += await addCase(writer, each, { index, filter, signal });
  const shown = Math.min(count, limit ?? count);
  // The logs of one case arrive in order.
  const sorted = `ORDER BY ${orderBySql[order].replace(', id', ', case_number, id')} LIMIT ${toSqlCount(shown)}`;
  await writer.finish({
    select: `* EXCLUDE (case_number${cases.length === 1 ? ', "case"' : ''})`,
    rest: cases.length === 1 ? '' : sorted,
  });
  return shown;
}

/** Selection of logs of a case; `index` is its number, from 0. */
interface Selected {
  readonly index: number;
  readonly filter: Filter;
  readonly signal: AbortSignal | undefined;
}

/** Adds the selected logs of a case in order; returns their number. */
async function addCase(
  writer: ParquetWriter,
  { from, name, options: { order = 'oldest', limit = Number.POSITIVE_INFINITY, after } }: WrittenCase,
  { index, filter, signal }: Selected,
): Promise<number> {
  const { connection, condition, end } = await startSearch(from, filter, signal);
  try {
    const wanted = pageCondition(condition(), order, after);
    let count = 0;
    for (const block of await splitIntoBlocks(connection, wanted, order)) {
      const { sql, parameters } = blockCondition(wanted, block, order);
      const rows = await streamRows(connection, {
        sql: `SELECT ${toSqlCount(index)}::INTEGER AS case_number, $${parameters.length + 1}::VARCHAR AS "case", ${columns}
         FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}`,
        ...{ parameters: [...parameters, name], signal },
      });
      count += await writer.add(rows, { limit: limit - count, signal });
      if (count === limit) break;
    }
    return count;
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}
