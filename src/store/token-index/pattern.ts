import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter, TermRangeFilter } from '../../meaning/filter.ts';
import type { TermPattern } from '../../meaning/term-test.ts';
import { withCondition } from '../case/column-test.ts';
import { streamRows } from '../database/stream-rows.ts';
import { fieldNumber } from '../index-tables/indexed-fields.ts';
import { termsTable } from '../index-tables/runs.ts';
import { type Bitmap, bitsFor, emptyBitmap } from './bitmap.ts';
import { literalStart } from './literal-start.ts';
import type { Snapshot } from './snapshot.ts';
import { addTermEntry, entryColumns, readTermEntry } from './term-entry.ts';

/** Maximum number of ids read for each log; above it, scanning the texts is faster. */
const maxIdsPerLog = 4;

/** The greatest code point, which is in no token: terms with a prefix sort before the prefix and this. */
const afterTokens = '\u{10ffff}';

/**
 * Finds the logs with a term of a pattern or range of terms by testing each term instead of each log. Undefined
 * if that does not pay.
 */
export async function logsOfPattern(
  connection: DuckDBConnection,
  { runs, covered, lastId }: Snapshot,
  filter: TermPattern | TermRangeFilter,
): Promise<Bitmap | undefined> {
  return withCondition(asKeyword(filter), async (condition) => {
    const start = literalStart(filter);
    const parameters = [...condition.parameters, start, `${start}${afterTokens}`];
    // Comparisons with bounds let DuckDB skip more than `starts_with`.
    const isNear = `term BETWEEN $${parameters.length - 1} AND $${parameters.length}`;
    const where = `field = ${fieldNumber(filter.field)} AND ${isNear} AND ${condition.sql}`;
    const selects = runs.map(({ run }) => `SELECT ${entryColumns} FROM ${termsTable(run)} WHERE ${where}`);
    const result = await streamRows(connection, { sql: selects.join(' UNION ALL '), parameters });
    const made = emptyBitmap(bitsFor(lastId));
    let ids = 0;
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      for (let row = 0; row < chunk.rowCount; row++) {
        const entry = readTermEntry(chunk, row);
        if ('ids' in entry.logs) ids += entry.logs.ids.length;
        addTermEntry(made, entry);
      }
      if (maxIdsPerLog * covered < ids) return undefined;
    }
    return made;
  });
}

/** Returns the terms of the index that a pattern selects, each at least once. */
export async function termsOfPattern(
  connection: DuckDBConnection,
  { runs }: Snapshot,
  filter: TermPattern,
): Promise<readonly string[]> {
  return withCondition(asKeyword(filter), async ({ sql, parameters }) => {
    const where = `field = ${fieldNumber(filter.field)} AND ${sql}`;
    const selects = runs.map(({ run }) => `SELECT DISTINCT term FROM ${termsTable(run)} WHERE ${where}`);
    const result = await streamRows(connection, { sql: selects.join(' UNION ALL '), parameters });
    const terms: string[] = [];
    for await (const rows of result.yieldRowsJs()) for (const [term] of rows) terms.push(String(term));
    return terms;
  });
}

/** Converts a filter on the tokens of a field to one on the column `term`, in which each value is a token. */
function asKeyword<F extends TermPattern | TermRangeFilter>(filter: F): Filter {
  return { ...filter, field: { ...filter.field, name: 'term', type: 'keyword' } };
}
