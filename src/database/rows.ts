import {
  DuckDBBlobVector,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBListVector,
  type DuckDBMaterializedResult,
  type DuckDBResult,
  type DuckDBValue,
  type DuckDBVector,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import * as v from 'valibot';

/** A SELECT whose rows are streamed. */
interface StreamedSelect {
  readonly sql: string;
  readonly parameters?: readonly DuckDBValue[];
  /** Signal that interrupts the connection: after it, the reason for the end of the rows is not looked up. */
  readonly signal?: AbortSignal | undefined;
}

/** Connections in a transaction that `beginTransactionOnce` started. */
const inTransaction = new WeakSet<DuckDBConnection>();

/** Starts a transaction on a connection, unless it is in one already. It lasts until the connection closes. */
export async function beginTransactionOnce(connection: DuckDBConnection): Promise<void> {
  if (inTransaction.has(connection)) return;
  await connection.run('BEGIN');
  inTransaction.add(connection);
}

/**
 * Streams all rows of a SELECT; reading rejects if the SELECT failed. The driver alone would end the stream as
 * if there were no more rows. A failure also ends the transaction, so the connection is put into one and tested
 * at the end.
 */
export async function streamRows(
  connection: DuckDBConnection,
  streamed: StreamedSelect,
): Promise<DuckDBResult> {
  await beginTransactionOnce(connection);
  const { sql, parameters = [] } = streamed;
  const result = await connection.stream(sql, [...parameters]);
  const fetchChunk = result.fetchChunk.bind(result);
  result.fetchChunk = async () => {
    const chunk = await fetchChunk();
    if (!chunk?.rowCount && !(await isInTransaction(connection)))
      throw await findReason(connection, streamed);
    return chunk;
  };
  return result;
}

async function isInTransaction(connection: DuckDBConnection): Promise<boolean> {
  try {
    await connection.run('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** Finds the reason for a failed stream: EXPLAIN ANALYZE runs the SELECT again and returns no rows. */
async function findReason(
  connection: DuckDBConnection,
  { sql, parameters = [], signal }: StreamedSelect,
): Promise<unknown> {
  if (!signal?.aborted) {
    try {
      await connection.run('ROLLBACK');
      inTransaction.delete(connection);
      await connection.run(`EXPLAIN ANALYZE ${sql}`, [...parameters]);
    } catch (reason) {
      return reason;
    }
  }
  return new Error('Execution Error: Reading ended before the last row');
}

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

/** Value of a column. */
export type ColumnValue = string | number | null;

/** Bounds the memory of a statement. */
const maxRows = 2_000;

/**
 * Inserts rows into a table. A value replaces the `?` in the expression of its column, such as
 * `epoch_ms(?::BIGINT)`. A number arrives as its text. One statement carries many rows, with one
 * list for each column: it takes a tenth of the time of a statement with a parameter for each value.
 */
export async function insertRows(
  connection: DuckDBConnection,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  rows: readonly (readonly ColumnValue[])[],
): Promise<void> {
  const values = columns.map((column, index) => column.replace('?', `c${index}`));
  const lists = columns.map((_, index) => `unnest($${index + 1}) AS c${index}`);
  const statement = `INSERT INTO ${table} SELECT ${values.join(', ')} FROM (SELECT ${lists.join(', ')})`;
  for (let from = 0; from < rows.length; from += maxRows) {
    const batch = rows.slice(from, from + maxRows);
    const parameters = columns.map((_, index) => listValue(batch.map((row) => textOf(row[index]))));
    await connection.run(
      statement,
      parameters,
      columns.map(() => LIST(VARCHAR)),
    );
  }
}

function textOf(value: ColumnValue | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** Returns the bytes of a BLOB in a row; empty for NULL. */
export function blobBytes(column: DuckDBVector, row: number): Uint8Array {
  const found = column instanceof DuckDBBlobVector ? column.getItemBytes(row) : null;
  // A short value is still in the memory of the chunk, which is released.
  return found && found.length < 16 ? found.slice() : (found ?? new Uint8Array());
}

/** Returns the chunks of a materialized result. Fetching them one by one would wait for another thread each time. */
export function chunksOf(result: DuckDBMaterializedResult): readonly DuckDBDataChunk[] {
  return Array.from({ length: result.chunkCount }, (_chunk, index) => result.getChunk(index));
}

/**
 * Reads a list of doubles in a chunk, without its NULL items; empty for NULL. Reading the vector takes a tenth of the
 * time of the driver's values, and of numbers as text.
 */
export function readNumberList(chunk: DuckDBDataChunk, column: number, row: number): Float64Array {
  const lists = chunk.getColumnVector(column);
  if (!(lists instanceof DuckDBListVector)) throw new Error(`Column ${column} has no lists`);
  const items = lists.getItemVector(row);
  const numbers = new Float64Array(items?.itemCount ?? 0);
  let length = 0;
  for (let index = 0; index < numbers.length; index++) {
    const item = items?.getItem(index);
    if (typeof item === 'number') numbers[length++] = item;
  }
  return numbers.subarray(0, length);
}

/** Returns a text, or an equal one that came before under the same name. */
export interface ShareText {
  (name: string, text: string): string;
  (name: string, text: string | undefined): string | undefined;
}

/**
 * Creates a function that lets equal values of subsequent rows share their memory: the parts of a zip all have
 * the name and the hash of its file, each in a text of its own as the driver reads them.
 */
export function textSharing(): ShareText {
  const latest = new Map<string, string>();
  return share;

  function share(name: string, text: string): string;
  function share(name: string, text: string | undefined): string | undefined;
  function share(name: string, text: string | undefined): string | undefined {
    const known = latest.get(name);
    if (known === text) return known;
    if (text !== undefined) latest.set(name, text);
    return text;
  }
}
