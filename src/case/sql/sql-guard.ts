import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { StoreError } from '../../database/index.ts';

/**
 * Table functions that a query may call: those that compute, and those that describe the case. All
 * others read or write files, change settings or run other SQL. Some do so despite
 * `enable_external_access`, which permits everything at the path of the case itself.
 */
const allowedTableFunctions: ReadonlySet<string> = new Set([
  'duckdb_columns',
  'duckdb_functions',
  'duckdb_keywords',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'generate_series',
  'json_each',
  'json_tree',
  'pragma_table_info',
  'range',
  'repeat',
  'repeat_row',
  'unnest',
]);

/** Result of DuckDB's own parser. */
const parsed = v.union([
  v.object({ error: v.literal(false), statements: v.array(v.unknown()) }),
  v.object({ error: v.literal(true), error_type: v.string(), error_message: v.string() }),
]);

/**
 * Parses SQL text with DuckDB's own parser; returns its tree. Rejects SQL other than a single
 * SELECT on the tables and views of the case: `BAD_SQL` if it is not SQL, else `SQL_REFUSED`.
 */
export async function parseSql(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const result = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  const tree = readTree(v.parse(v.string(), result.getRowsJS()[0]?.[0]));
  if (tree.error && tree.error_type === 'parser') throw new StoreError('BAD_SQL', tree.error_message);
  if (tree.error) throw refused('only SELECT is run on a case');
  if (tree.statements.length === 0) throw new StoreError('BAD_SQL', 'There is no SQL to run');
  if (tree.statements.length > 1) throw refused('one statement at a time is run');
  checkNodes(tree.statements);
  return tree.statements;
}

/** Parses the output of DuckDB's parser. It is invalid JSON if a number of the SQL is infinite, as 1e400. */
function readTree(text: string): v.InferOutput<typeof parsed> {
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch (cause) {
    const message = `A number of the SQL is beyond what a DOUBLE holds, as 1e400 is; infinity is 'inf'::DOUBLE`;
    throw new StoreError('BAD_SQL', message, { cause });
  }
  return v.parse(parsed, tree);
}

/** Checks every node of a tree, without recursion: the tree may be deep. */
function checkNodes(tree: readonly unknown[]): void {
  const nodes: unknown[] = [...tree];
  while (0 < nodes.length) {
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null) continue;
    checkNode(node);
    for (const child of Object.values(node)) nodes.push(child);
  }
}

const tableFunction = v.object({
  type: v.literal('TABLE_FUNCTION'),
  function: v.object({ function_name: v.string() }),
});

const baseTable = v.object({ type: v.literal('BASE_TABLE'), table_name: v.string() });

function checkNode(node: object): void {
  if (!('type' in node)) return;
  if (node.type === 'TABLE_FUNCTION') {
    const name = v.parse(tableFunction, node).function.function_name.toLowerCase();
    if (!allowedTableFunctions.has(name))
      throw refused(`the table function "${name}" may reach beyond the case`);
  }
  if (node.type === 'BASE_TABLE') {
    const name = v.parse(baseTable, node).table_name;
    // DuckDB interprets the name of a missing table as the path of a file.
    if (/[./\\:*?]/.test(name)) throw refused(`"${name}" would be read as a file`);
  }
}

function refused(reason: string): StoreError {
  return new StoreError('SQL_REFUSED', `The SQL is refused: ${reason}`);
}
