import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { streamRows } from './stream-rows.ts';

/** Row of any table, each value as the text that DuckDB casts it to. Altered values can be read as well. */
export type TextRow = Readonly<Record<string, string | null>>;

const chunk = v.array(v.record(v.string(), v.nullable(v.string())));

/** Reads the rows of a table in the schema `stored`: all rows, or those with certain values in a column. */
export async function readTextRows(
  connection: DuckDBConnection,
  table: string,
  where?: { readonly column: string; readonly values: readonly (string | number)[] },
): Promise<readonly TextRow[]> {
  if (where?.values.length === 0) return [];
  const placeholders = where?.values.map((_, index) => `$${index + 1}`).join(', ');
  const result = await connection.run(
    `SELECT COLUMNS(*)::VARCHAR FROM stored."${table}" ${where ? `WHERE "${where.column}" IN (${placeholders})` : ''}`,
    where ? [...where.values] : [],
  );
  const found: TextRow[] = [];
  for await (const rows of result.yieldRowObjectJson()) found.push(...v.parse(chunk, rows));
  return found;
}

/** Yields all rows of a table in the schema `stored`. The connection is in a transaction, and busy until the end. */
export async function* streamTextRows(
  connection: DuckDBConnection,
  table: string,
): AsyncGenerator<TextRow, void, undefined> {
  const result = await streamRows(connection, { sql: `SELECT COLUMNS(*)::VARCHAR FROM stored."${table}"` });
  for await (const rows of result.yieldRowObjectJson()) yield* v.parse(chunk, rows);
}

/** Formats milliseconds since the epoch as DuckDB formats a TIMESTAMP. */
export function timestampText(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '');
}
