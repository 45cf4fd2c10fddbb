import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import { messageOf, StoreError } from './store-error.ts';

/** Takes rows for a Parquet file. What was not finished leaves nothing behind. */
export interface ParquetWriter extends AsyncDisposable {
  /** Takes the rows of a result, at most so many; the first result decides the columns. Gives back how many there were. */
  readonly add: (
    rows: DuckDBResult,
    options?: { readonly limit?: number; readonly signal?: AbortSignal | undefined },
  ) => Promise<number>;
  /** Writes the file, in place of what there was. `rest` is SQL behind FROM: an order, a limit, columns left out. */
  readonly finish: (options?: { readonly select?: string; readonly rest?: string }) => Promise<void>;
}

/** Settings of the database that writes: it reads nothing but what it is given, and fetches nothing. */
const settings = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
};

/**
 * A writer of a Parquet file. A case may not write files, so rows go through a
 * database of their own, which runs no SQL but that of this module, and waits
 * in a file beside the one to be written.
 */
export async function openParquetWriter(path: string): Promise<ParquetWriter> {
  const target = resolve(path);
  const staging = `${target}.arriving-${randomUUID()}`;
  const instance = await open(staging, path);
  const connection = await instance.connect();
  let isMade = false;
  return { add, finish, [Symbol.asyncDispose]: dispose };

  async function add(
    rows: DuckDBResult,
    { limit = Number.POSITIVE_INFINITY, signal }: { limit?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<number> {
    if (!isMade) await connection.run(`CREATE TABLE rows (${columnsOf(rows)})`);
    isMade = true;
    const appender = await connection.createAppender('rows');
    let count = 0;
    for (let chunk = await rows.fetchChunk(); chunk && 0 < chunk.rowCount; chunk = await rows.fetchChunk()) {
      signal?.throwIfAborted();
      if (limit < count + chunk.rowCount) chunk.rowCount = limit - count;
      if (0 < chunk.rowCount) appender.appendDataChunk(chunk);
      count += chunk.rowCount;
      if (count === limit) break;
    }
    appender.closeSync();
    return count;
  }

  async function finish({ select = '*', rest = '' } = {}): Promise<void> {
    try {
      const copy = `COPY (SELECT ${select} FROM rows ${rest}) TO $1 (FORMAT parquet, COMPRESSION zstd)`;
      await connection.run(copy, [`${staging}.parquet`]);
      await rename(`${staging}.parquet`, target);
    } catch (error) {
      throw new StoreError('STORE_FAILED', `"${path}" cannot be written: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  async function dispose(): Promise<void> {
    connection.closeSync();
    instance.closeSync();
    await removeStaging(staging);
  }
}

async function removeStaging(staging: string): Promise<void> {
  for (const end of ['', '.wal', '.tmp', '.parquet'])
    await rm(`${staging}${end}`, { recursive: true, force: true });
}

async function open(staging: string, path: string): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(staging, settings);
  } catch (error) {
    await removeStaging(staging);
    throw new StoreError('STORE_FAILED', `"${path}" cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The columns of a result for a table; a name that comes twice gets a number. */
function columnsOf(rows: DuckDBResult): string {
  const types = rows.columnTypes();
  const taken = new Set<string>();
  return rows
    .columnNames()
    .map((name, index) => `"${freeName(name, taken).replaceAll('"', '""')}" ${types[index]}`)
    .join(', ');
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  // DuckDB takes names that differ in case for the same.
  for (let number = 1; taken.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
