import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';

/** A row of any table, each value as DuckDB writes it as a text. It can be read whatever stands in it. */
export type TextRow = Readonly<Record<string, string | null>>;

const rows = v.array(v.record(v.string(), v.nullable(v.string())));

/** The rows of a table of the schema `stored`: all of them, or those that have some values in a column. */
export async function readTextRows(
  connection: DuckDBConnection,
  table: string,
  where?: { readonly column: string; readonly values: readonly (string | number)[] },
): Promise<readonly TextRow[]> {
  if (where?.values.length === 0) return [];
  const places = where?.values.map((_, index) => `$${index + 1}`).join(', ');
  const result = await connection.runAndReadAll(
    `SELECT COLUMNS(*)::VARCHAR FROM stored."${table}" ${where ? `WHERE "${where.column}" IN (${places})` : ''}`,
    where ? [...where.values] : [],
  );
  return v.parse(rows, result.getRowObjectsJson());
}

/** A time in milliseconds since the epoch as DuckDB writes a TIMESTAMP. */
export function timestampText(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '');
}
