import { createHash } from 'node:crypto';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf, StoreError, timestampText } from '../../database/index.ts';
import { textFields } from '../../records/index.ts';
import { idIndexName, makeIdIndex, makePagesTable, segmentsTable } from '../../word-index/index.ts';
import { recordAction } from './chain.ts';
import { runTransaction, unfinishedTable } from './transaction.ts';

/** Version of the tables below. Cases of other versions are refused. */
export const caseVersion = 1;

/** The format in the one row of `stored.about`. */
export const caseFormat = 'logquarry case';

/** Types of the columns of `stored.windows`, in their order. */
export const windowColumnTypes = {
  window: 'INTEGER',
  export: 'INTEGER',
  oldest: 'TIMESTAMP',
  newest: 'TIMESTAMP',
  slice: 'VARCHAR',
  state: 'VARCHAR',
  attempts: 'INTEGER',
  job: 'VARCHAR',
  address: 'VARCHAR',
  upload: 'VARCHAR',
  bytes: 'BIGINT',
  sha256: 'VARCHAR',
  records: 'INTEGER',
  found: 'INTEGER',
  logs: 'INTEGER',
  unreadable: 'INTEGER',
  expected: 'VARCHAR',
  missing: 'INTEGER',
  reason: 'VARCHAR',
  updated: 'TIMESTAMP',
} as const;

/** The column definitions of `stored.windows`. */
const windowColumns = Object.entries(windowColumnTypes)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ');

/**
 * The tables of a case are in the schema `stored` and may change. The views in `main` are for users and stay
 * stable.
 */
const tables = [
  'CREATE SCHEMA IF NOT EXISTS stored',
  'CREATE TABLE IF NOT EXISTS stored.about (format VARCHAR, version INTEGER, created TIMESTAMP)',
  `CREATE TABLE IF NOT EXISTS stored.logs (
     id BIGINT, part INTEGER, entry VARCHAR, position INTEGER, byte_offset BIGINT, byte_length INTEGER,
     "time" TIMESTAMP, "logCode" BIGINT, elapsed DOUBLE, extra VARCHAR,
     ${textFields.map((field) => `"${field}" VARCHAR`).join(', ')})`,
  `CREATE TABLE IF NOT EXISTS stored.files (
     sha256 VARCHAR, file VARCHAR, bytes BIGINT, job VARCHAR, added TIMESTAMP)`,
  `CREATE TABLE IF NOT EXISTS stored.parts (
     part INTEGER, file VARCHAR, file_sha256 VARCHAR, entry VARCHAR, entry_number INTEGER,
     entry_sha256 VARCHAR, bytes BIGINT, format VARCHAR, logs BIGINT, unreadable BIGINT, remarks VARCHAR,
     problem VARCHAR, problem_message VARCHAR, job VARCHAR, added TIMESTAMP, zone VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS stored.unreadable (
     part INTEGER, entry VARCHAR, position INTEGER, byte_offset BIGINT, byte_length BIGINT,
     code VARCHAR, reason VARCHAR, raw VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS stored.jobs (
     address VARCHAR, id VARCHAR, operation VARCHAR, state VARCHAR, request VARCHAR, zip_url VARCHAR,
     submitted TIMESTAMP, updated TIMESTAMP, reason VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS stored.exports (
     export INTEGER, deployment VARCHAR, request VARCHAR, settings VARCHAR, oldest TIMESTAMP,
     newest TIMESTAMP, learnt VARCHAR, started TIMESTAMP)`,
  `CREATE TABLE IF NOT EXISTS stored.windows (${windowColumns})`,
  `CREATE TABLE IF NOT EXISTS stored.actions (
     number BIGINT, done TIMESTAMP, action VARCHAR, details VARCHAR, version VARCHAR, previous VARCHAR,
     hash VARCHAR)`,
  segmentsTable,
  unfinishedTable,
];

const views = [
  `CREATE OR REPLACE VIEW logs AS SELECT id, "time", "logCode", elapsed,
     ${textFields.map((field) => `"${field}"`).join(', ')},
     extra::JSON AS extra, part, entry, position FROM stored.logs`,
  `CREATE OR REPLACE VIEW parts AS SELECT part, file, file_sha256, entry, entry_sha256, bytes, format, logs, unreadable,
     remarks::JSON AS remarks, problem, problem_message, job, added, zone FROM stored.parts`,
  'CREATE OR REPLACE VIEW unreadable AS SELECT part, entry, position, code, reason, raw FROM stored.unreadable',
  `CREATE OR REPLACE VIEW jobs AS SELECT id, address, operation, state, request::JSON AS request, zip_url, submitted,
     updated, reason FROM stored.jobs`,
  `CREATE OR REPLACE VIEW exports AS SELECT export, deployment, request::JSON AS request, settings::JSON AS settings, oldest,
     newest, started FROM stored.exports`,
  `CREATE OR REPLACE VIEW windows AS SELECT "window", export, oldest, newest, slice::JSON AS slice, state, attempts, job, bytes,
     sha256, records, logs, unreadable, missing, reason, updated FROM stored.windows`,
  // All windows of an export that was interrupted before its proof are loaded: they are not complete.
  `CREATE OR REPLACE VIEW coverage AS SELECT export, oldest, newest,
     CASE WHEN state <> 'loaded' THEN 'open' WHEN missing > 0 THEN 'capped'
       WHEN bool_and(state = 'loaded') OVER (PARTITION BY export) AND export IN (
         SELECT e.export FROM stored.exports e WHERE e.learnt::JSON ->> 'pending' = 'yes') THEN 'open'
       ELSE 'complete' END AS state,
     logs, missing FROM stored.windows WHERE state <> 'split'`,
  `CREATE OR REPLACE VIEW requests AS SELECT "requestID", count(*) AS logs, min("time") AS first, max("time") AS last,
     max(elapsed) AS elapsed, min(username) AS username, count(DISTINCT machine) AS machines
     FROM stored.logs WHERE "requestID" IS NOT NULL GROUP BY "requestID"`,
  `CREATE OR REPLACE VIEW actions AS SELECT number, done, action, details::JSON AS details, version, previous, hash
     FROM stored.actions`,
];

/** Creates a case in an empty database. */
export async function createSchema(connection: DuckDBConnection): Promise<void> {
  await runTransaction(connection, async () => {
    await makeTables(connection);
    const created = Date.now();
    await connection.run('INSERT INTO stored.about VALUES ($1, $2, epoch_ms($3::BIGINT))', [
      ...[caseFormat, caseVersion, created],
    ]);
    await recordAction(connection, 'create case', { version: caseVersion, created: timestampText(created) });
  });
}

/** Creates the missing tables, and the views. One call with all statements takes a third less time than one call for each. */
async function makeTables(connection: DuckDBConnection): Promise<void> {
  await connection.run([...tables, ...views].join(';\n'));
}

/** Reports if nothing was added to a case since its creation, not even an export. */
export async function isUnfilled(connection: DuckDBConnection): Promise<boolean> {
  const result = await connection
    .runAndReadAll('SELECT (SELECT count(*) FROM stored.actions) = 1 AND NOT EXISTS (FROM stored.exports)')
    .catch(() => undefined);
  return result?.getRowsJS()[0]?.[0] === true;
}

/** Rejects if the database is no case, or one of another version. */
async function checkVersion(connection: DuckDBConnection, path: string): Promise<void> {
  const version = await readVersion(connection);
  if (version === undefined) throw notACaseError(path);
  if (version === caseVersion) return;
  const other = caseVersion < version ? 'Use a newer logquarry, or import' : 'Import';
  throw new StoreError(
    'CASE_VERSION',
    `"${path}" is a case of version ${version}; this program reads version ${caseVersion}. ${other} its evidence folder into a new case`,
  );
}

/** Returns the error for a database that is not a case. */
function notACaseError(path: string): StoreError {
  return new StoreError('NOT_A_CASE', `"${path}" is a DuckDB file, but not a Logquarry case`);
}

async function readVersion(connection: DuckDBConnection): Promise<number | undefined> {
  try {
    const about = await connection.runAndReadAll(
      `SELECT version FROM stored.about WHERE format = '${caseFormat}'`,
    );
    const version = about.getRowsJS()[0]?.[0];
    return typeof version === 'number' ? version : undefined;
  } catch (error) {
    // Anything but a case lacks the table. Checking for it first would add a tenth to the time of opening.
    if (messageOf(error).startsWith('Catalog Error')) return undefined;
    throw error;
  }
}

/**
 * Checks the catalogue of a file before any query of its tables; returns the objects that differ from this program's.
 * Rejects with `NOT_A_CASE`, `CASE_VERSION`, or `CASE_ALTERED` unless differences are allowed.
 */
export async function checkCatalogue(
  connection: DuckDBConnection,
  {
    path,
    catalogue,
    mayDiffer,
  }: {
    readonly path: string;
    readonly catalogue: readonly CatalogueObject[];
    readonly mayDiffer: boolean;
  },
): Promise<readonly CatalogueDifference[]> {
  const isCase = catalogue.some(({ kind, schema, name }) => {
    return kind === 'table' && schema === 'stored' && name === 'about';
  });
  if (!isCase) throw notACaseError(path);
  const differences = await compareCatalogue(catalogue);
  // Another version has other tables and views. Anything else could change what the query for the version returns.
  const mayBeOfVersion = differences.every(({ kind }) => kind === 'table' || kind === 'view');
  // Tables of this version prove more than the one row with its number, which `verify` reports.
  if (mayBeOfVersion && !(mayDiffer && differences.length === 0)) await checkVersion(connection, path);
  if (0 < differences.length && !mayDiffer) throw alteredCaseError(path, differences);
  return differences;
}

/** Returns the error for an altered case. */
function alteredCaseError(path: string, differences: readonly CatalogueDifference[]): StoreError {
  const [first, ...others] = differences;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const message =
    `"${path}" was altered${first ? `: ${describeDifference(first)}` : ''}${more}. Results from it could be false. ` +
    '"logquarry verify" lists all differences. To use the case, remove the additions with the DuckDB shell. ' +
    'Keep your own views in another database that attaches the case';
  return new StoreError('CASE_ALTERED', message);
}

/** Describes a difference in one sentence, without its full stop. */
export function describeDifference({ kind, schema, name, found, expected }: CatalogueDifference): string {
  const object = kind === 'schema' ? `schema "${name}"` : `${kind} "${schema}"."${name}"`;
  if (expected === undefined) return `the ${object} is not part of a case (${cut(found ?? '')})`;
  if (found === undefined) return `the ${object} is missing`;
  return `the ${object} differs: ${cut(found)} instead of ${cut(expected)}`;
}

/** Maximum number of characters of a quoted definition. */
const maxDefinitionLength = 200;

function cut(definition: string): string {
  const text = definition.replace(/\s+/g, ' ').trim();
  return text.length <= maxDefinitionLength ? text : `${text.slice(0, maxDefinitionLength)}…`;
}

/** A catalogue object that differs from the one of this version. */
export interface CatalogueDifference extends Pick<CatalogueObject, 'kind' | 'schema' | 'name'> {
  /** Its definition in the file; absent if it is missing there. */
  readonly found?: string;
  /** Its definition in this version; absent if this version has no such object. */
  readonly expected?: string;
}

/**
 * SHA-256 of the catalogue of a new case, and the definitions of what its index adds, a table of pages and the index
 * of ids, as the pinned version of DuckDB prints them. Tests compare all. With another version of DuckDB the comparison is only slower.
 */
export const pinnedCatalogue = {
  catalogue: '9dc70c5b3d1281f77b943ef356793f10f8e3252e8d87a6c58d6c5a945540e954',
  pages: 'CREATE TABLE "stored".segment_0(bytes BLOB);',
  ids: 'CREATE INDEX log_ids ON "stored".logs(id);',
} as const;

/** Compares the catalogue of a file with the one of this version; empty if they are the same. */
async function compareCatalogue(
  objects: readonly CatalogueObject[],
): Promise<readonly CatalogueDifference[]> {
  const own = objects.filter((object) => !isOfIndex(object, pinnedCatalogue));
  if (hashOfCatalogue(own) === pinnedCatalogue.catalogue) return [];
  const expected = new Map((await referenceCatalogue()).map((object) => [catalogueKey(object), object]));
  const ofIndex = {
    pages: take(expected, firstPagesTable)?.definition,
    ids: take(expected, idIndex)?.definition,
  };
  const found = objects.filter((object) => !isOfIndex(object, ofIndex));
  const keys = new Set(found.map(catalogueKey));
  const gone = [...expected.values()].filter((object) => !keys.has(catalogueKey(object)));
  return [
    ...found.flatMap((object) => differenceOf(object, expected.get(catalogueKey(object)))),
    ...gone.map(({ kind, schema, name, definition }) => ({ kind, schema, name, expected: definition })),
  ];
}

function differenceOf(
  { kind, schema, name, definition }: CatalogueObject,
  expected: CatalogueObject | undefined,
): readonly CatalogueDifference[] {
  if (expected?.definition === definition) return [];
  const difference = { kind, schema, name, found: definition };
  return [expected ? { ...difference, expected: expected.definition } : difference];
}

export function hashOfCatalogue(objects: readonly CatalogueObject[]): string {
  return createHash('sha256').update(JSON.stringify(objects)).digest('hex');
}

/** Definitions of what the index of a case may add to its catalogue. */
interface IndexDefinitions {
  readonly pages: string | undefined;
  readonly ids: string | undefined;
}

/** Reports if an object belongs to the index, which a case may lack. */
function isOfIndex(object: CatalogueObject, { pages, ids }: IndexDefinitions): boolean {
  if (catalogueKey(object) === catalogueKey(idIndex)) return object.definition === ids;
  const table = asFirstPagesTable(object);
  return table !== undefined && table.definition === pages;
}

/** Removes the object with the identity of another one. */
function take(from: Map<string, CatalogueObject>, object: CatalogueObject): CatalogueObject | undefined {
  const taken = from.get(catalogueKey(object));
  from.delete(catalogueKey(object));
  return taken;
}

const idIndex: CatalogueObject = { kind: 'index', schema: 'stored', name: idIndexName, definition: '' };

/** Stands for the tables of the index, one for each segment. */
const firstPagesTable: CatalogueObject = {
  kind: 'table',
  schema: 'stored',
  name: 'segment_0',
  definition: '',
};

/** Returns a table of the index as the one of segment 0; undefined for any other object. */
function asFirstPagesTable({ kind, schema, name, definition }: CatalogueObject): CatalogueObject | undefined {
  if (kind !== 'table' || schema !== 'stored' || !/^segment_\d+$/.test(name)) return undefined;
  return { ...firstPagesTable, definition: definition.replace(`.${name}(`, `.${firstPagesTable.name}(`) };
}

let reference: Promise<readonly CatalogueObject[]> | undefined;

/** Returns the catalogue of a new case with one table of pages and the index of ids, created once in a process. */
export function referenceCatalogue(): Promise<readonly CatalogueObject[]> {
  reference ??= makeReference();
  return reference;
}

async function makeReference(): Promise<readonly CatalogueObject[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  try {
    const connection = await instance.connect();
    await makeTables(connection);
    await makePagesTable(connection, 0);
    await makeIdIndex(connection);
    const objects = await readCatalogue(connection);
    connection.closeSync();
    return objects;
  } finally {
    instance.closeSync();
  }
}

/** One object of a database file: a table, a view, a macro, a type and so on. */
interface CatalogueObject {
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
  return sorted(v.parse(v.array(row), result.getRowsJson()).map(toObject));
}

/**
 * Reads the objects of all attached files as `readCatalogue` does, by the name that each is attached under. Files with the
 * same objects have the same list of them.
 */
export async function readCatalogues(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<string, readonly CatalogueObject[]>> {
  const ofFiles = selects.map((select) => select.replace('SELECT ', 'SELECT database_name, '));
  const columns = ['file', 'kind', 'schema', 'name', 'definition', 'comment', 'tags'];
  // The file is not the default database here, so that its macros replace no function.
  const result = await connection.runAndReadAll(
    `SELECT ${columns.slice(1).join(', ')}, list(file) FROM (${ofFiles.join(' UNION ALL ')}) found (${columns.join(', ')}) GROUP BY ALL`,
  );
  const catalogues = new Map<string, number[]>();
  const objects: CatalogueObject[] = [];
  for (const [files, ...object] of v.parse(v.array(sharedRow), result.getRowsJson().map(lastFirst))) {
    const number = objects.push(toObject(object)) - 1;
    for (const file of files) catalogues.set(file, [...(catalogues.get(file) ?? []), number]);
  }
  const lists = new Map<string, readonly CatalogueObject[]>();
  return new Map(
    [...catalogues].map(([file, numbers]) => {
      const key = numbers.join(' ');
      const list = lists.get(key) ?? sorted(numbers.flatMap((number) => objects[number] ?? []));
      lists.set(key, list);
      return [file, list];
    }),
  );
}

const sharedRow = v.tuple([v.array(v.string()), ...row.items]);

function lastFirst<T>(values: readonly T[]): readonly T[] {
  return [...values.slice(-1), ...values.slice(0, -1)];
}

function sorted(objects: CatalogueObject[]): readonly CatalogueObject[] {
  return objects.sort((first, second) => (catalogueKey(first) < catalogueKey(second) ? -1 : 1));
}

/** Reports if a catalogue is that of a case of this version, without any difference. */
export async function isOwnCatalogue(catalogue: readonly CatalogueObject[]): Promise<boolean> {
  return (await compareCatalogue(catalogue)).length === 0;
}

function toObject([kind, schema, name, sql, comment, tags]: v.InferOutput<typeof row>): CatalogueObject {
  // `emptyWriteAhead` may have set this comment.
  const isOwn = kind === 'table' && schema === 'stored' && name === 'about' && comment === caseComment;
  const remarks = [isOwn ? null : comment, tags].filter(
    (remark) => remark !== null && JSON.stringify(remark) !== '[]',
  );
  return {
    kind,
    schema,
    name,
    definition: [sql ?? '', ...remarks.map((remark) => JSON.stringify(remark))].join(' '),
  };
}

/** Comment that this program sets on `stored.about`. */
export const caseComment = 'logquarry case';

/** Returns the identity of an object within a file. */
function catalogueKey({ kind, schema, name, definition }: CatalogueObject): string {
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
