import { totalmem } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf } from './store-error.ts';

/** DuckDB takes so many rows at a time, and holds all texts of theirs that it is asked about. */
export const rowsAtATime = 2_048;

/**
 * Lets a database take the memory that a search of its longest logs needs:
 * those of a part with stack traces of 100 kB do not fit into what others need.
 */
export async function makeRoomForLogs(connection: DuckDBConnection): Promise<void> {
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(bytes * least(1, ${rowsAtATime} / greatest(logs, 1))), 0)::DOUBLE FROM stored.parts`,
  );
  const bytes = v.parse(v.number(), result.getRowsJS()[0]?.[0]);
  // The terms of texts are as long as these, and an answer holds both several times.
  if (longTexts < bytes) await raiseMemoryLimit(connection, 12 * bytes);
}

/** The texts of shorter logs, so many at a time, leave room within any limit. Bytes. */
const longTexts = 32 * 1024 * 1024;

/**
 * Lets the database of a connection take so many bytes of memory, where it may
 * not take as many yet, and gives back how many it may take now. The limit is
 * raised for what fails without; it is never lowered.
 */
export async function raiseMemoryLimit(connection: DuckDBConnection, bytes: number): Promise<number> {
  const limit = await memoryLimit(connection);
  if (bytes <= limit) return limit;
  await connection.run(`SET memory_limit = '${Math.ceil(bytes)}B'`);
  return bytes;
}

/**
 * Runs work that can be repeated, with twice the memory where the database of
 * the connection had not enough for it: up to half of what the machine has, or
 * the container.
 */
export async function withMemory<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const more = 2 * (await memoryLimit(connection));
      if (!messageOf(error).startsWith('Out of Memory Error') || memoryOfMachine() / 2 < more) throw error;
      await raiseMemoryLimit(connection, more);
    }
  }
}

function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The bytes of memory that the database of a connection may take by now. */
export async function memoryLimit(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    "SELECT parse_formatted_bytes(current_setting('memory_limit'))::DOUBLE",
  );
  return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
}
