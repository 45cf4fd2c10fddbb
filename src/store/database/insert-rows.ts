import type { DuckDBConnection } from '@duckdb/node-api';

/** A value of a column. */
export type ColumnValue = string | number | null;

/** More rows in one statement take longer to plan than they save. */
const rowsAtOnce = 100;

/**
 * Adds rows to a table, each value put in the place of `?` in the expression
 * of its column, as `epoch_ms(?::BIGINT)`. Many rows go in one statement: one
 * for each would take longer than the logs of a small file.
 */
export async function insertRows(
  connection: DuckDBConnection,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  rows: readonly (readonly ColumnValue[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    const tuples = some.map((_, row) => {
      const values = columns.map((column, at) => column.replace('?', `$${row * columns.length + at + 1}`));
      return `(${values.join(', ')})`;
    });
    await connection.run(`INSERT INTO ${table} VALUES ${tuples.join(', ')}`, some.flat());
  }
}
