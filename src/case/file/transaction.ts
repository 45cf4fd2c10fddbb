import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { recordAction } from './chain.ts';

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

/** Barrier for readers: while it is closed between two commits that belong together, none begins. */
export interface ReaderBarrier {
  /** Runs `begin` once the barrier is open. It must be short: `close` waits for it. */
  readonly enter: <T>(begin: () => Promise<T>) => Promise<T>;
  /**
   * Closes the barrier and resolves when nothing is beginning any more, with the function that opens it. One
   * caller at a time.
   */
  readonly close: () => Promise<() => void>;
}

/** Creates an open barrier. */
export function makeReaderBarrier(): ReaderBarrier {
  const entering = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  return { enter, close };

  async function enter<T>(begin: () => Promise<T>): Promise<T> {
    while (closed !== undefined) await closed;
    const entry = begin();
    entering.add(entry);
    return await entry.finally(() => entering.delete(entry));
  }

  async function close(): Promise<() => void> {
    let open = () => {};
    closed = new Promise((resolve) => {
      open = () => {
        closed = undefined;
        resolve();
      };
    });
    await Promise.allSettled(entering);
    return open;
  }
}

/**
 * First part whose logs are written by parallel transactions. A kill between their commits leaves logs of
 * unlisted parts. Without a row here, such logs were added by others, and `verify` reports them.
 */
export const unfinishedTable = 'CREATE TABLE IF NOT EXISTS stored.unfinished (part INTEGER)';

/**
 * Marks a part, and all later ones, as begun. On a connection without a transaction, so that it is committed at
 * once.
 */
async function markPartBegun(connection: DuckDBConnection, part: number): Promise<void> {
  await connection.run('INSERT INTO stored.unfinished VALUES ($1)', [part]);
}

/** Deletes the logs of unlisted parts that were begun, records that, and clears the marks. */
export async function removeUnfinishedParts(connection: DuckDBConnection): Promise<void> {
  for (const unfinished of await findUnfinishedParts(connection)) {
    await connection.run('DELETE FROM stored.logs WHERE part = $1', [unfinished.part]);
    await recordAction(connection, 'remove unfinished part', unfinished);
  }
  await connection.run('DELETE FROM stored.unfinished');
}

const parts = v.array(v.object({ part: v.number(), logs: v.number() }));

/** Returns the parts that were begun but are not listed, with the number of their logs; only parts with logs. */
export async function findUnfinishedParts(
  connection: DuckDBConnection,
): Promise<readonly { readonly part: number; readonly logs: number }[]> {
  const begun = await connection.runAndReadAll('SELECT part FROM stored.unfinished');
  if (begun.getRowsJS().length === 0) return [];
  const result = await connection.runAndReadAll(
    `SELECT part, count(*)::DOUBLE AS logs FROM stored.logs
     WHERE part >= (SELECT min(part) FROM stored.unfinished) AND part NOT IN (SELECT part FROM stored.parts)
     GROUP BY part ORDER BY part`,
  );
  return v.parse(parts, result.getRowObjectsJS());
}
