import { totalmem } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf } from './store-error.ts';

/** Memory limit of a database that is opened. Bytes. */
export const usualMemory = 340 * 1000 * 1000;

/** Rows of a DuckDB vector. All their texts are in memory at once. */
export const vectorSize = 2_048;

/**
 * Raises the memory limit to what a search of the longest logs in the case needs. Stack traces of 100 kB do not
 * fit into the usual limit.
 */
export async function reserveMemoryForLogs(connection: DuckDBConnection): Promise<void> {
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(bytes * least(1, ${vectorSize} / greatest(logs, 1))), 0)::DOUBLE FROM stored.parts`,
  );
  const bytes = v.parse(v.number(), result.getRowsJS()[0]?.[0]);
  // Token texts are as long as the texts, and a result holds both several times.
  if (longTexts < bytes) await raiseMemoryLimit(connection, 12 * bytes);
}

/** Bytes of texts in one vector that fit into any limit. */
const longTexts = 32 * 1024 * 1024;

/**
 * Raises the memory limit of a database to this number of bytes, and returns the limit in effect. Never lowers
 * it.
 */
export async function raiseMemoryLimit(connection: DuckDBConnection, bytes: number): Promise<number> {
  const limit = await memoryLimit(connection);
  if (bytes <= limit) return limit;
  await setMemoryLimit(connection, bytes);
  return bytes;
}

async function setMemoryLimit(connection: DuckDBConnection, bytes: number): Promise<void> {
  await connection.run(`SET memory_limit = '${Math.ceil(bytes)}B'`);
}

/**
 * Runs repeatable work, and repeats it with twice the memory after an out-of-memory error: up to half of the
 * memory of the machine or container.
 */
export async function retryWithMoreMemory<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const more = 2 * (await memoryLimit(connection));
      if (!isOutOfMemory(error) || memoryOfMachine() / 2 < more) throw error;
      await raiseMemoryLimit(connection, more);
    }
  }
}

/** Memory limit of a database whose blocks are read once. Bytes. */
const lowMemory = 128 * 1000 * 1000;

/**
 * Runs repeatable work that reads blocks of the database once, under a low memory limit: they are not worth keeping.
 * A limit that was raised for long texts stays, and where the low one does not suffice the work is repeated without it.
 */
export async function withLowMemory<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  // The database tells its limit in rounded numbers.
  if (Math.abs((await memoryLimit(connection)) / usualMemory - 1) > 0.001) return await work();
  try {
    await setMemoryLimit(connection, lowMemory);
    return await work();
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
  } finally {
    await raiseMemoryLimit(connection, usualMemory);
  }
  return await work();
}

/** Reports if the database lacked memory; a commit that did says so in its own words. */
function isOutOfMemory(error: unknown): boolean {
  return /^Out of Memory Error|failed to pin block|could not allocate block/.test(messageOf(error));
}

function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Returns the memory limit of a database in bytes. */
export async function memoryLimit(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    "SELECT parse_formatted_bytes(current_setting('memory_limit'))::DOUBLE",
  );
  return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
}
