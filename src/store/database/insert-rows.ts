import type { DuckDBConnection } from '@duckdb/node-api';

/** Value of a column. */
export type ColumnValue = string | number | null;

/** Larger statements take longer to plan than they save. */
const maxRows = 100;

/**
 * Inserts rows into a table. A value replaces the `?` in the expression of its column, such as
 * `epoch_ms(?::BIGINT)`. One statement carries many rows: a statement for each would take longer than the logs
 * of a small file.
 */
export async function insertRows(
  connection: DuckDBConnection,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  rows: readonly (readonly ColumnValue[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += maxRows) {
    const batch = rows.slice(from, from + maxRows);
    const tuples = batch.map((_, row) => {
      const values = columns.map((column, at) => column.replace('?', `$${row * columns.length + at + 1}`));
      return `(${values.join(', ')})`;
    });
    await connection.run(`INSERT INTO ${table} VALUES ${tuples.join(', ')}`, batch.flat());
  }
}
