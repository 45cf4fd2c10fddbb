import { createHash } from 'node:crypto';
import {
  type DuckDBBitValue,
  type DuckDBConnection,
  DuckDBDecimalValue,
  type DuckDBResult,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api';
import * as v from 'valibot';
import {
  interruptOn,
  isDriverError,
  messageOf,
  StoreError,
  streamRows,
  toStoreError,
} from '../../database/index.ts';
import { assertRunnable, type Filter, type parse, resolve } from '../../language/index.ts';
import { type JsonValue, parseJson } from '../../records/index.ts';
import {
  type Bitmap,
  bitParts,
  bitSql,
  bitsFor,
  partIds,
  selectIds,
  withCondition,
} from '../../word-index/index.ts';
import { type Case, connectToCase, openCase } from '../file/case.ts';
import { findHits } from '../index/snapshot.ts';
import { openParquetWriter } from '../rows/parquet.ts';
import { expandFuzzyTerms } from '../searching/search.ts';

export type { JsonValue };

/** Result of a query. */
export interface SqlResult {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly JsonValue[])[];
  /** More rows exist than the limit allows. */
  readonly more: boolean;
}

/** A column of a result. */
export interface SqlColumn {
  readonly name: string;
  /** Type name of DuckDB, for instance `TIMESTAMP`. */
  readonly type: string;
}

/** A piece of the result of SQL, in the order of arrival. */
export type ResultPiece =
  | { readonly kind: 'columns'; readonly columns: readonly SqlColumn[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly JsonValue[])[] }
  /** Last piece; `more`: more rows exist than the limit allows. */
  | { readonly kind: 'end'; readonly more: boolean };

/** Options of running SQL. */
export interface SqlOptions {
  /** Maximum number of rows. Default: 10,000. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** Converts queries in `matches`. Default: by the documented fields. Its errors reject the call. */
  readonly toFilter?: ToFilter;
}

/**
 * Runs one SELECT on a case file. It can neither change the case nor reach any other file, the
 * network or a setting. It sees the views of the case: `logs`, `requests`, `parts`, `unreadable`,
 * `jobs`, `coverage`, `actions` and so on. `matches('msg:timeout')` reports if a query of the
 * search language selects the log of a row, by its column `id`.
 *
 * Rejects with the signal's reason, or a `StoreError`: `BAD_SQL`, `BAD_QUERY`, `SQL_REFUSED`, or an
 * error of opening the case.
 *
 * ```ts
 * await runSql('incident.duckdb', 'SELECT source, count(*) FROM logs GROUP BY ALL');
 * ```
 */
export async function runSql(casePath: string, sql: string, options: SqlOptions = {}): Promise<SqlResult> {
  await using opened = await openCase(casePath, { access: 'read' });
  let columns: readonly SqlColumn[] = [];
  const rows: (readonly JsonValue[])[] = [];
  let more = false;
  for await (const piece of streamSqlOn(opened, sql, { limit: 10_000, ...options }))
    if (piece.kind === 'columns') columns = piece.columns;
    else if (piece.kind === 'rows') rows.push(...piece.rows);
    else more = piece.more;
  return { columns, rows, more };
}

/**
 * Runs one SELECT on an open case as `runSql` does, and yields the result in pieces: all rows
 * unless limited.
 */
export function streamSqlOn(
  opened: Case,
  sql: string,
  { limit = Number.POSITIVE_INFINITY, ...options }: SqlOptions,
): AsyncGenerator<ResultPiece, void, undefined> {
  return runOn(opened, sql, { ...options, use: (rows) => piecesOf(rows, limit) });
}

/**
 * Writes the result of one SELECT as a Parquet file: all rows unless limited. Returns the number of
 * rows. Rejects as `runSql` does.
 */
export async function writeSqlToParquet(
  casePath: string,
  sql: string,
  options: SqlOptions & { readonly path: string },
): Promise<number> {
  await using opened = await openCase(casePath, { access: 'read' });
  return await writeSqlToParquetOn(opened, sql, options);
}

/** Writes a Parquet file as `writeSqlToParquet` does, from an open case. */
export async function writeSqlToParquetOn(
  opened: Case,
  sql: string,
  { path, ...options }: SqlOptions & { readonly path: string },
): Promise<number> {
  const { limit, signal } = options;
  let rowCount = 0;
  const write = async function* (rows: DuckDBResult) {
    await using writer = await openParquetWriter(path);
    const count = await writer.add(rows, { ...(limit !== undefined && { limit }), signal });
    await writer.finish();
    yield count;
  };
  for await (const count of runOn(opened, sql, { ...options, use: write })) rowCount = count;
  return rowCount;
}

/** Consumes the rows of a result, and yields values made of them. */
type Use<T> = Omit<SqlOptions, 'limit'> & {
  readonly use: (rows: DuckDBResult) => AsyncIterable<T>;
};

async function* runOn<T>(
  from: Case,
  sql: string,
  { signal, toFilter, use }: Use<T>,
): AsyncGenerator<T, void, undefined> {
  const connection = await connectToCase(from);
  const release = interruptOn(connection, signal);
  try {
    signal?.throwIfAborted();
    const tree = await parseSql(connection, sql);
    const runnable = await prepareMatches(connection, { from, sql, tree, toFilter });
    yield* use(await streamRows(connection, { sql: runnable, signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw isDriverError(error) ? toSqlError(error, from) : error;
  } finally {
    release();
    connection.closeSync();
  }
}

/** Approximate maximum text of a batch, unless a single row is longer. UTF-16 units. */
const batchLength = 1_000_000;

async function* piecesOf(result: DuckDBResult, limit: number): AsyncGenerator<ResultPiece, void, undefined> {
  const types = result.columnTypes().map((type) => type.alias ?? type.toString());
  const columns = result.columnNames().map((name, index) => ({ name, type: types[index] ?? '' }));
  yield { kind: 'columns', columns };
  let [count, length] = [0, 0];
  for await (const some of result.yieldConvertedRows(toJson)) {
    let rows: JsonValue[][] = [];
    for (const row of some.slice(0, limit - count)) {
      rows.push(row.map((value, index) => (types[index] === 'JSON' ? fromJson(value) : value)));
      length += row.reduce((sum: number, value) => sum + lengthOf(value), 0);
      if (length < batchLength) continue;
      yield { kind: 'rows', rows };
      [rows, length] = [[], 0];
    }
    if (0 < rows.length) yield { kind: 'rows', rows };
    count += some.length;
    if (limit < count) break;
  }
  yield { kind: 'end', more: limit < count };
}

/** Returns the approximate text length of a value. */
function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 1;
}

/** Converts like the driver, except that a number becomes a number if a double holds it exactly. */
const toJson: DuckDBValueConverter<Json> = (value, type, converter) => {
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  if (value instanceof DuckDBDecimalValue && value.width <= exactDigits) return value.toDouble();
  return JsonDuckDBValueConverter(value, type, converter);
};

/** Digits up to which a double holds every decimal. */
const exactDigits = 15;

/** Parses the value of a JSON column; a number that a double does not hold stays a text. */
function fromJson(value: JsonValue): JsonValue {
  return typeof value === 'string' ? parseJson(value) : value;
}

/** Converts an error of a query that the parser accepted: an unknown column, a text that is not a number. */
function toSqlError(error: unknown, from: Case): unknown {
  const message = messageOf(error);
  if (/^(IO|Out of Memory|Internal|Fatal) Error/i.test(message)) return toStoreError(error, from);
  return new StoreError('BAD_SQL', message, { cause: error });
}

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
async function parseSql(connection: DuckDBConnection, sql: string): Promise<unknown> {
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

/** Converts a query of the search language to a filter. Throws if it has errors. */
export type ToFilter = (query: string) => Filter | Promise<Filter>;

/** A call of `matches` in SQL. */
interface Call {
  /** Byte offset in the SQL. */
  readonly location: number;
  readonly query: string;
  /** The call names the column with the id of the log. */
  readonly hasId: boolean;
}

const text = v.object({
  class: v.literal('CONSTANT'),
  value: v.object({ type: v.object({ id: v.literal('VARCHAR') }), value: v.string() }),
});

const call = v.object({
  class: v.literal('FUNCTION'),
  function_name: v.pipe(v.string(), v.toLowerCase(), v.literal('matches')),
  query_location: v.number(),
  children: v.array(v.unknown()),
});

/**
 * Enables `matches` in SQL: `matches('msg:timeout')` is true if the query selects the log of the
 * row, `matches('…', l.id)` for the log of an id. Returns the SQL to run instead of the one parsed
 * as `tree`.
 *
 * The logs of each query are looked up first, exactly as in a search. Variables of the connection
 * store a bit for each log of a part of them. With many queries, a table of ids and a join for each
 * would exceed the memory. The text of a query is data throughout.
 */
async function prepareMatches(
  connection: DuckDBConnection,
  {
    from,
    sql,
    tree,
    toFilter: customToFilter,
  }: {
    readonly from: Case;
    readonly sql: string;
    readonly tree: unknown;
    readonly toFilter?: ToFilter | undefined;
  },
): Promise<string> {
  const calls = findCalls(tree);
  if (calls.length === 0) return sql;
  const toFilter = customToFilter ?? (await usualToFilter());
  const sets = new Map<string, Bitmap>();
  for (const { query } of calls)
    if (!sets.has(query)) sets.set(query, await lookUp(connection, from, await toFilter(query)));
  const bits = Math.max(...[...sets.values()].map(({ words }) => 32 * words.length));
  for (const [query, set] of sets) await setVariables(connection, query, bitParts(set, bits));
  const parts = Array.from(
    { length: Math.ceil(bits / partIds) },
    (_, part) => `getvariable('${variablePrefix}' || md5(asked) || '_${part}')`,
  );
  // Other ids belong to no log.
  const bit = `CASE WHEN log_id BETWEEN 1 AND ${bits - 1} THEN ${bitSql('log_id::INTEGER', parts)} WHEN log_id IS NOT NULL THEN 0 END`;
  const isMatched = `(${bit}) = 1`;
  await connection.run(`CREATE OR REPLACE TEMP MACRO matches(asked, log_id) AS ${isMatched}`);
  await connection.run(`CREATE OR REPLACE TEMP MACRO matched_by(log_id, asked) AS ${isMatched}`);
  // Last call first, so that the offsets of the others stay valid.
  return calls.reduceRight(withId, sql);
}

/**
 * Reads queries by the documented fields. The parser takes longer to load than a case to open, so
 * it is loaded only here.
 */
async function usualToFilter(): Promise<ToFilter> {
  const language = await import('../../language/parse/parse.ts');
  return (query) => filterOf(query, language.parse);
}

function filterOf(query: string, parseQuery: typeof parse): Filter {
  const { query: tree, findings } = parseQuery(query);
  const [first] = findings;
  if (first)
    throw new StoreError(
      'BAD_QUERY',
      `The query "${query}" cannot be run: ${first.message} (at character ${first.from + 1})`,
    );
  return resolve(tree, { now: Date.now() });
}

/** Prefix of the connection variables that hold the logs of queries; the digest of the query and the part follow. */
const variablePrefix = 'matched_';

async function setVariables(
  connection: DuckDBConnection,
  query: string,
  parts: readonly DuckDBBitValue[],
): Promise<void> {
  const name = variablePrefix + createHash('md5').update(query).digest('hex');
  for (const [part, bits] of parts.entries())
    await connection.run(`SET VARIABLE ${name}_${part} = $1::BIT`, [bits]);
}

/** Returns the logs that a filter selects. */
async function lookUp(connection: DuckDBConnection, from: Case, filter: Filter): Promise<Bitmap> {
  assertRunnable(filter);
  const expanded = await expandFuzzyTerms(from, connection, filter);
  const hits = await findHits(from, connection, expanded);
  if (hits) return hits.bitmap();
  return withCondition(expanded, async ({ sql, parameters }) => {
    const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0)::BIGINT FROM stored.logs');
    const bits = bitsFor(Number(v.parse(v.bigint(), result.getRowsJS()[0]?.[0])));
    return selectIds(connection, { sql: `SELECT id FROM stored.logs WHERE ${sql}`, parameters, bits });
  });
}

/** Finds calls in a tree in the order of the text, without recursion: the tree may be deep. */
function findCalls(tree: unknown): readonly Call[] {
  const calls: Call[] = [];
  const nodes: unknown[] = [tree];
  while (0 < nodes.length) {
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (v.is(call, node)) calls.push(toCall(v.parse(call, node)));
    for (const child of Object.values(node)) nodes.push(child);
  }
  return calls.sort((first, second) => first.location - second.location);
}

function toCall({ query_location: location, children }: v.InferOutput<typeof call>): Call {
  const [query] = children;
  if ((children.length === 1 || children.length === 2) && v.is(text, query))
    return { location, query: query.value.value, hasId: children.length === 2 };
  throw new StoreError(
    'BAD_SQL',
    `"matches" requires the text of a query, as in matches('msg:timeout'), and the id of a log where that is not the column "id", as in matches('msg:timeout', l.id)`,
  );
}

/**
 * Inserts the id column into a call without one: a macro cannot refer to a column that is not an
 * argument.
 */
function withId(sql: string, { location, hasId }: Call): string {
  if (hasId) return sql;
  const bytes = new TextEncoder().encode(sql);
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, location));
  const name = /^"?matches"?\s*\(/i.exec(sql.slice(before.length));
  if (!name)
    throw new StoreError(
      'BAD_SQL',
      '"matches" requires its bracket right behind it, without a schema before it',
    );
  return `${before}matched_by(id, ${sql.slice(before.length + name[0].length)}`;
}
