import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';

/**
 * Runs work while the database uses one thread. Rows that this program feeds to a statement occupy one thread.
 * With more, the calling thread waits in a busy loop, which costs a third more processor time. The former
 * number of threads returns at the end of the work, or when it calls `restore`.
 */
export async function runInOneThread<T>(
  connection: DuckDBConnection,
  work: (restore: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const threads = await readThreads(connection);
  const restore = () => setThreads(connection, threads);
  await setThreads(connection, 1);
  try {
    return await work(restore);
  } finally {
    await restore();
  }
}

async function readThreads(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll("SELECT current_setting('threads')::INTEGER");
  return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
}

async function setThreads(connection: DuckDBConnection, threads: number): Promise<void> {
  await connection.run(`SET threads = ${threads}`);
}
