import type { DuckDBConnection } from '@duckdb/node-api';
import type { ReaderBarrier } from './reader-barrier.ts';
import { markPartBegun, removeUnfinishedParts } from './unfinished.ts';

/** A task on a connection. */
export type ConnectionTask<T> = (connection: DuckDBConnection) => Promise<T>;

/** Runs a task in a transaction of its own. */
export type WriteStep = <T>(task: ConnectionTask<T>) => Promise<T>;

/** Opens another connection, which only writes logs of this part and later ones. */
export type ConnectBeside = (part: number) => Promise<DuckDBConnection>;

/** Runs work in a transaction; a failure rolls it back. */
export async function runTransaction<T>(connection: DuckDBConnection, work: ConnectionTask<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    const result = await work(connection);
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // A failed commit has ended the transaction already: the first error is the relevant one.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Runs work in a transaction, and in parallel ones if the work asks for them. Those are committed before the
 * first, which lists the parts: a kill in between leaves parts that are known as unfinished. No reader begins
 * in between.
 */
export async function runParallelTransactions<T>(
  connection: DuckDBConnection,
  {
    connect,
    readers,
  }: { readonly connect: () => Promise<DuckDBConnection>; readonly readers: ReaderBarrier },
  work: (connection: DuckDBConnection, beside: ConnectBeside) => Promise<T>,
): Promise<T> {
  const connections: DuckDBConnection[] = [];
  const others: Promise<DuckDBConnection>[] = [];
  let begun: Promise<void> | undefined;
  let openBarrier = () => {};
  const open = async (part: number) => {
    const other = await connect();
    connections.push(other);
    begun ??= markPartBegun(other, part);
    await begun;
    await other.run('BEGIN');
    return other;
  };
  const beside: ConnectBeside = (part) => {
    const other = open(part);
    others.push(other);
    return other;
  };
  try {
    return await runTransaction(connection, async () => {
      const result = await work(connection, beside);
      if (0 < others.length) openBarrier = await readers.close();
      for (const other of await Promise.all(others)) await other.run('COMMIT');
      return result;
    });
  } finally {
    await Promise.allSettled(others);
    // Closing rolls back uncommitted transactions.
    for (const other of connections) other.closeSync();
    // If this fails as well, the next opening of the case repeats it.
    if (0 < connections.length)
      await runTransaction(connection, removeUnfinishedParts).catch(() => undefined);
    openBarrier();
  }
}
