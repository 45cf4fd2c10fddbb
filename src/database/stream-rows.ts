import type { DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api';

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
