import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api';

/** A SELECT whose rows are streamed. */
interface Streamed {
  readonly sql: string;
  readonly parameters?: readonly DuckDBValue[];
  /** When it aborts, whoever reads interrupts the connection: then nobody asks why the rows ended. */
  readonly signal?: AbortSignal | undefined;
}

/** The connections that were brought into a transaction here, in which they stay. */
const begun = new WeakSet<DuckDBConnection>();

/** Brings a connection into a transaction in which it stays until it is closed, if it is not in it already. */
export async function beginOnce(connection: DuckDBConnection): Promise<void> {
  if (begun.has(connection)) return;
  await connection.run('BEGIN');
  begun.add(connection);
}

/**
 * Streams the rows of a SELECT, all of them: reading on rejects where that failed. The driver by itself ends such a stream
 * as if there were no more rows. But a failure ends the transaction, too, which the connection is brought into for that.
 */
export async function streamWhole(connection: DuckDBConnection, streamed: Streamed): Promise<DuckDBResult> {
  await beginOnce(connection);
  const { sql, parameters = [] } = streamed;
  const result = await connection.stream(sql, [...parameters]);
  const fetchChunk = result.fetchChunk.bind(result);
  result.fetchChunk = async () => {
    const chunk = await fetchChunk();
    if (!chunk?.rowCount && !(await isInTransaction(connection))) throw await reasonOf(connection, streamed);
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

/** Why the rows ended: the database says so where it is asked once more, for none of them. */
async function reasonOf(
  connection: DuckDBConnection,
  { sql, parameters = [], signal }: Streamed,
): Promise<unknown> {
  if (!signal?.aborted) {
    try {
      await connection.run('ROLLBACK');
      begun.delete(connection);
      await connection.run(`EXPLAIN ANALYZE ${sql}`, [...parameters]);
    } catch (reason) {
      return reason;
    }
  }
  return new Error('Execution Error: Reading ended before the last row');
}
