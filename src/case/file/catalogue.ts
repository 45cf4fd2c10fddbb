import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';

/** One object of a database file: a table, a view, a macro, a type and so on. */
export interface CatalogueObject {
  readonly kind: 'schema' | 'table' | 'view' | 'macro' | 'type' | 'sequence' | 'index';
  readonly schema: string;
  readonly name: string;
  /** Its definition as DuckDB prints it, with its comment and tags. */
  readonly definition: string;
}

/**
 * Names are fully qualified, and no function, operator or cast is used: a macro or type in the file would
 * replace any that is not, operators included. DuckDB resolves `system.main.…` in its own catalogue only,
 * whatever the name of the file.
 */
const inFile = `database_name <> 'system' AND database_name <> 'temp'`;

const selects = [
  `SELECT 'schema', schema_name, schema_name, sql, comment, tags FROM system.main.duckdb_schemas() WHERE ${inFile}`,
  `SELECT 'table', schema_name, table_name, sql, comment, tags FROM system.main.duckdb_tables() WHERE ${inFile}`,
  `SELECT 'view', schema_name, view_name, sql, comment, tags FROM system.main.duckdb_views() WHERE ${inFile}`,
  `SELECT 'macro', schema_name, function_name, macro_definition, comment, tags FROM system.main.duckdb_functions() WHERE ${inFile}`,
  `SELECT 'type', schema_name, type_name, logical_type, comment, tags FROM system.main.duckdb_types() WHERE ${inFile}`,
  `SELECT 'sequence', schema_name, sequence_name, sql, comment, tags FROM system.main.duckdb_sequences() WHERE ${inFile}`,
  `SELECT 'index', schema_name, index_name, sql, comment, tags FROM system.main.duckdb_indexes() WHERE ${inFile}`,
];

const row = v.tuple([
  v.picklist(['schema', 'table', 'view', 'macro', 'type', 'sequence', 'index']),
  v.string(),
  v.string(),
  v.unknown(),
  v.unknown(),
  v.unknown(),
]);

/** Reads all objects of a file, sorted. Safe before anything is known of the file. */
export async function readCatalogue(connection: DuckDBConnection): Promise<readonly CatalogueObject[]> {
  const result = await connection.runAndReadAll(selects.join(' UNION ALL '));
  const objects = v.parse(v.array(row), result.getRowsJson()).map(toObject);
  return objects.sort((first, second) => (catalogueKey(first) < catalogueKey(second) ? -1 : 1));
}

function toObject([kind, schema, name, sql, comment, tags]: v.InferOutput<typeof row>): CatalogueObject {
  // `emptyWriteAhead` may have set this comment.
  const isOwn = kind === 'table' && schema === 'stored' && name === 'about' && comment === caseComment;
  const remarks = [isOwn ? null : comment, tags].filter(
    (each) => each !== null && JSON.stringify(each) !== '[]',
  );
  return {
    kind,
    schema,
    name,
    definition: [sql ?? '', ...remarks.map((each) => JSON.stringify(each))].join(' '),
  };
}

/** Comment that this program sets on `stored.about`. */
export const caseComment = 'logquarry case';

/** Returns the identity of an object within a file. */
export function catalogueKey({ kind, schema, name, definition }: CatalogueObject): string {
  // Macros of one name differ by their parameters.
  return JSON.stringify([kind, schema, name, kind === 'macro' ? definition : '']);
}

const comments = v.array(v.tuple([v.string(), v.string(), v.string(), v.unknown()]));

/**
 * Reads the columns that have comments. `readCatalogue` leaves them out: this query takes as long as opening a
 * case.
 */
export async function readColumnComments(connection: DuckDBConnection): Promise<readonly string[]> {
  const result = await connection.runAndReadAll(
    `SELECT schema_name, table_name, column_name, comment FROM system.main.duckdb_columns()
     WHERE ${inFile} AND comment IS NOT NULL`,
  );
  const found = v.parse(comments, result.getRowsJson());
  return found.map(([schema, table, column]) => `${schema}.${table}.${column}`);
}

/** Reports if a file is empty, or has only the empty schema of a case whose creation was killed. */
export function isBlankCatalogue(objects: readonly CatalogueObject[]): boolean {
  return objects.every(
    ({ kind, schema }) =>
      kind === 'type' || (kind === 'schema' && (schema === 'main' || schema === 'stored')),
  );
}
