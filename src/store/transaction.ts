import type { DuckDBConnection } from '@duckdb/node-api';
import type { Gate } from './gate.ts';
import { beginPart, endParts } from './unfinished.ts';

/** What is done with a connection. */
export type Work<T> = (connection: DuckDBConnection) => Promise<T>;

/** Gives a second connection, which writes logs of a part and those behind it and nothing else; the same one whenever it is asked. */
export type Beside = (part: number) => Promise<DuckDBConnection>;

/** Runs work in a transaction: when it fails, nothing of it is left. */
export async function transact<T>(connection: DuckDBConnection, work: Work<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    const result = await work(connection);
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // A failed commit has already ended the transaction: the first error is the one that tells.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Runs work in a transaction, and in a second one beside it where the work
 * asks for it. That one is committed before the first, which lists the parts:
 * what a killed process leaves between the two is known as unfinished. No
 * reader begins between the two.
 */
export async function transactBeside<T>(
  connection: DuckDBConnection,
  { connect, readers }: { readonly connect: () => Promise<DuckDBConnection>; readonly readers: Gate },
  work: (connection: DuckDBConnection, beside: Beside) => Promise<T>,
): Promise<T> {
  let second: DuckDBConnection | undefined;
  let opening: Promise<DuckDBConnection> | undefined;
  let letReadersIn = () => {};
  const open = async (part: number) => {
    second = await connect();
    await beginPart(second, part);
    await second.run('BEGIN');
    return second;
  };
  const beside: Beside = (part) => {
    opening ??= open(part);
    return opening;
  };
  try {
    return await transact(connection, async () => {
      const result = await work(connection, beside);
      if (opening) {
        letReadersIn = await readers.close();
        await (await opening).run('COMMIT');
      }
      return result;
    });
  } finally {
    await opening?.catch(() => undefined);
    // What it has not committed is undone as it is closed.
    second?.closeSync();
    // Where this fails as well, the next one to open the case does it.
    if (opening) await transact(connection, endParts).catch(() => undefined);
    letReadersIn();
  }
}
