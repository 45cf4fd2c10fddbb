import { rm, writeFile } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import * as v from 'valibot';
import {
  type AtomicFile,
  beginAtomicFile,
  inMemoryPath,
  messageOf,
  retryWithMoreMemory,
  StoreError,
  streamRows,
  vectorSize,
} from '../../database/index.ts';

/** Collects rows for a Parquet file. Disposal discards an unfinished file. */
export interface ParquetWriter extends AsyncDisposable {
  /**
   * Adds the rows of a result, at most `limit`; the first result determines the columns. Returns
   * the number of rows.
   */
  readonly add: (
    rows: DuckDBResult,
    options?: { readonly limit?: number; readonly signal?: AbortSignal | undefined },
  ) => Promise<number>;
  /**
   * Writes the file, and replaces an existing one. `rest` is SQL after FROM: an order, a limit;
   * without it the rows keep their order.
   */
  readonly finish: (options?: { readonly select?: string; readonly rest?: string }) => Promise<void>;
}

/**
 * Settings of the writing database: it reads only its own rows, and fetches nothing. Data that
 * exceeds its memory goes to files beside the target. More threads would each hold a row group.
 */
const settings = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '192MB',
  threads: '1',
};

/**
 * Opens a writer of a Parquet file. A case may not write files, so rows go through a separate
 * database, which runs only the SQL of this module.
 */
export async function openParquetWriter(path: string): Promise<ParquetWriter> {
  const file = await beginAtomicFile(path);
  const instance = await open(file, path);
  const connection = await instance.connect();
  let columns: readonly Column[] = [];
  return { add, finish, [Symbol.asyncDispose]: dispose };

  async function add(
    rows: DuckDBResult,
    { limit = Number.POSITIVE_INFINITY, signal }: { limit?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<number> {
    if (columns.length === 0) {
      columns = columnsOf(rows);
      const definitions = columns.map(({ name, type }) => `${name} ${type}`);
      await connection.run(`CREATE TEMP TABLE rows (${definitions.join(', ')})`);
    }
    const appender = await connection.createAppender('rows');
    let count = 0;
    for (let chunk = await rows.fetchChunk(); chunk && 0 < chunk.rowCount; chunk = await rows.fetchChunk()) {
      signal?.throwIfAborted();
      if (limit < count + chunk.rowCount) chunk.rowCount = limit - count;
      count += chunk.rowCount;
      if (0 < chunk.rowCount) appender.appendDataChunk(chunk);
      // The texts of chunks are outside the memory limit of the database and unknown to the garbage
      // collector, so each chunk is flushed at once.
      appender.flushSync();
      chunk.reset();
      if (count === limit) break;
    }
    appender.closeSync();
    return count;
  }

  async function finish({ select = '*', rest = '' } = {}): Promise<void> {
    try {
      const rowGroup = await retryWithMoreMemory(connection, () => rowsOfGroup(connection, columns));
      const form = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroup}, USE_TMP_FILE false`;
      const copy = `COPY (SELECT ${select} FROM rows ${rest}) TO $1 (${form})`;
      await retryWithMoreMemory(connection, () => connection.run(copy, [file.temporary]));
      await file.finish();
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  async function dispose(): Promise<void> {
    connection.closeSync();
    instance.closeSync();
    await discard(file);
  }
}

/** Maximum bytes of the texts of a row group, and its maximum rows. */
const rowGroupBytes = 24 * 1024 * 1024;
const mostRows = 122_880;

/** Types whose values take few bytes. */
const shortTypes = /^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT|FLOAT|DOUBLE|DECIMAL|DATE|TIME|INTERVAL|UUID|ENUM)/;

/** Returns the rows of a row group, so that their texts fit into memory. */
async function rowsOfGroup(connection: DuckDBConnection, columns: readonly Column[]): Promise<number> {
  const lengths = columns
    .filter(({ type }) => !shortTypes.test(type) || type.endsWith(']'))
    .map(({ name }) => `coalesce(strlen(${name}::VARCHAR), 0)`);
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(bytes), 0)::DOUBLE FROM (
       SELECT sum(length) AS bytes
       FROM (SELECT ${['0', ...lengths].join(' + ')} AS length, row_number() OVER () // ${vectorSize} AS vector FROM rows)
       GROUP BY vector)`,
  );
  const bytes = v.parse(v.number(), result.getRowsJS()[0]?.[0]);
  const fitting = Math.trunc(rowGroupBytes / Math.max(1, bytes)) * vectorSize;
  return Math.min(mostRows, Math.max(vectorSize, fitting));
}

/**
 * Returns the folder for data that exceeds the memory. Its name begins with that of the temporary
 * file, so that it is removed together with it after a kill.
 */
function spillFolder({ temporary }: AtomicFile): string {
  return `${temporary}.tmp`;
}

async function discard(file: AtomicFile): Promise<void> {
  await file[Symbol.asyncDispose]();
  await rm(spillFolder(file), { recursive: true, force: true });
}

async function open(file: AtomicFile, path: string): Promise<DuckDBInstance> {
  try {
    // Fails before much is read if the target is not writable.
    await writeFile(file.temporary, '', { flag: 'wx' });
    return await DuckDBInstance.create(inMemoryPath, { ...settings, temp_directory: spillFolder(file) });
  } catch (error) {
    await discard(file);
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, cause: unknown): StoreError {
  return new StoreError('STORE_FAILED', `"${path}" cannot be written: ${messageOf(cause)}`, { cause });
}

/** A column of a table: quoted name, and type. */
interface Column {
  readonly name: string;
  readonly type: string;
}

/** Returns the columns of a result for a table; a repeated name gets a number. */
function columnsOf(rows: DuckDBResult): readonly Column[] {
  const types = rows.columnTypes();
  const taken = new Set<string>();
  return rows.columnNames().map((name, index) => ({
    name: `"${freeName(name, taken).replaceAll('"', '""')}"`,
    type: String(types[index]),
  }));
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  // DuckDB treats names that differ in case as the same.
  for (let number = 1; taken.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}

/** Types of whole numbers, which the driver gives as digits. */
const wholeTypes = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;

/**
 * Yields the rows of a Parquet file as lines of JSON, with columns for members. Whole numbers beyond doubles, decimals
 * and times are texts. Rejects with the error of the database.
 */
export async function* parquetLines(path: string): AsyncGenerator<string, void, undefined> {
  const instance = await DuckDBInstance.create(inMemoryPath, settings);
  const connection = await instance.connect();
  try {
    const rows = await streamRows(connection, { sql: 'SELECT * FROM read_parquet($1)', parameters: [path] });
    const types = rows.columnTypes().map(String);
    const names = rows.columnNames();
    for await (const chunk of rows.yieldRowsJson())
      for (const row of chunk)
        yield `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, jsonOf(row[at], types[at] ?? '')])))}\n`;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function jsonOf(value: unknown, type: string): unknown {
  if (typeof value !== 'string') return value;
  if (wholeTypes.test(type)) return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  // An offset of hours alone is no time of ISO 8601 with a colon.
  return type === 'TIMESTAMP WITH TIME ZONE' ? value.replace(/([+-]\d\d)$/, '$1:00') : value;
}
