import { rm, writeFile } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import * as v from 'valibot';
import { inMemory } from '../database/database.ts';
import { rowsAtATime, withMemory } from '../database/memory-limit.ts';
import { messageOf, StoreError } from '../database/store-error.ts';
import { beginWhole, type WholeFile } from '../files/write-whole.ts';

/** Takes rows for a Parquet file. What was not finished leaves nothing behind. */
export interface ParquetWriter extends AsyncDisposable {
  /** Takes the rows of a result, at most so many; the first result decides the columns. Gives back how many there were. */
  readonly add: (
    rows: DuckDBResult,
    options?: { readonly limit?: number; readonly signal?: AbortSignal | undefined },
  ) => Promise<number>;
  /** Writes the file, in place of what there was. `rest` is SQL behind FROM: an order, a limit; without, the rows keep theirs. */
  readonly finish: (options?: { readonly select?: string; readonly rest?: string }) => Promise<void>;
}

/**
 * Settings of the database that writes: it reads nothing but what it is given,
 * and fetches nothing. What does not fit into its memory waits in files beside
 * the one to be written. More threads would each hold a row group.
 */
const settings = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '192MB',
  threads: '1',
};

/**
 * A writer of a Parquet file. A case may not write files, so rows go through a
 * database of their own, which runs no SQL but that of this module.
 */
export async function openParquetWriter(path: string): Promise<ParquetWriter> {
  const file = await beginWhole(path);
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
      const each = columns.map(({ name, type }) => `${name} ${type}`);
      await connection.run(`CREATE TEMP TABLE rows (${each.join(', ')})`);
    }
    const appender = await connection.createAppender('rows');
    let count = 0;
    for (let chunk = await rows.fetchChunk(); chunk && 0 < chunk.rowCount; chunk = await rows.fetchChunk()) {
      signal?.throwIfAborted();
      if (limit < count + chunk.rowCount) chunk.rowCount = limit - count;
      count += chunk.rowCount;
      if (0 < chunk.rowCount) appender.appendDataChunk(chunk);
      // Their texts are in no limit of the database: they go on into it at once, and the garbage collector knows nothing of them.
      appender.flushSync();
      chunk.reset();
      if (count === limit) break;
    }
    appender.closeSync();
    return count;
  }

  async function finish({ select = '*', rest = '' } = {}): Promise<void> {
    try {
      const rowGroup = await withMemory(connection, () => rowsOfGroup(connection, columns));
      const form = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroup}, USE_TMP_FILE false`;
      const copy = `COPY (SELECT ${select} FROM rows ${rest}) TO $1 (${form})`;
      await withMemory(connection, () => connection.run(copy, [file.temporary]));
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

/** Bytes of the texts of a row group, and the most rows that it has. */
const rowGroupBytes = 24 * 1024 * 1024;
const mostRows = 122_880;

/** Values of these take few bytes each. */
const shortTypes = /^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT|FLOAT|DOUBLE|DECIMAL|DATE|TIME|INTERVAL|UUID|ENUM)/;

/** How many rows a row group has, so that their texts are not too much at a time. */
async function rowsOfGroup(connection: DuckDBConnection, columns: readonly Column[]): Promise<number> {
  const lengths = columns
    .filter(({ type }) => !shortTypes.test(type) || type.endsWith(']'))
    .map(({ name }) => `coalesce(strlen(${name}::VARCHAR), 0)`);
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(bytes), 0)::DOUBLE FROM (
       SELECT sum(length) AS bytes
       FROM (SELECT ${['0', ...lengths].join(' + ')} AS length, row_number() OVER () // ${rowsAtATime} AS vector FROM rows)
       GROUP BY vector)`,
  );
  const bytes = v.parse(v.number(), result.getRowsJS()[0]?.[0]);
  const fitting = Math.trunc(rowGroupBytes / Math.max(1, bytes)) * rowsAtATime;
  return Math.min(mostRows, Math.max(rowsAtATime, fitting));
}

/** Folder for what does not fit into memory. Its name begins as that of the file does, so that it goes with it after a kill. */
function spillFolder({ temporary }: WholeFile): string {
  return `${temporary}.tmp`;
}

async function discard(file: WholeFile): Promise<void> {
  await file[Symbol.asyncDispose]();
  await rm(spillFolder(file), { recursive: true, force: true });
}

async function open(file: WholeFile, path: string): Promise<DuckDBInstance> {
  try {
    // Fails before much is read where the file cannot be written.
    await writeFile(file.temporary, '', { flag: 'wx' });
    return await DuckDBInstance.create(inMemory, { ...settings, temp_directory: spillFolder(file) });
  } catch (error) {
    await discard(file);
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, cause: unknown): StoreError {
  return new StoreError('STORE_FAILED', `"${path}" cannot be written: ${messageOf(cause)}`, { cause });
}

/** A column of a table: its name in quotes, and its type. */
interface Column {
  readonly name: string;
  readonly type: string;
}

/** The columns of a result for a table; a name that comes twice gets a number. */
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
  // DuckDB takes names that differ in case for the same.
  for (let number = 1; taken.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
