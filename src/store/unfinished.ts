import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { noteAction } from './actions.ts';

/**
 * The part whose logs are being written by two transactions. Where the process
 * is killed between their ends, the logs of one are there, of a part that is
 * not listed. In any other case such logs are somebody else's work, and for
 * `verify` to find.
 */
export const unfinishedTable = 'CREATE TABLE IF NOT EXISTS stored.unfinished (part INTEGER)';

/** Notes that a part is begun, on a connection without a transaction: it is known from now on. */
export async function beginPart(connection: DuckDBConnection, part: number): Promise<void> {
  await connection.run('INSERT INTO stored.unfinished VALUES ($1)', [part]);
}

/** Forgets that a part was begun. What there is of one that is not listed is taken out of the case, which is noted. */
export async function endPart(connection: DuckDBConnection): Promise<void> {
  const unfinished = await findUnfinished(connection);
  if (unfinished) {
    await connection.run('DELETE FROM stored.logs WHERE part = $1', [unfinished.part]);
    await noteAction(connection, 'remove unfinished part', unfinished);
  }
  await connection.run('DELETE FROM stored.unfinished');
}

/** The part that was begun and is not listed, and how many logs there are of it. */
export async function findUnfinished(
  connection: DuckDBConnection,
): Promise<{ readonly part: number; readonly logs: number } | undefined> {
  const begun = await connection.runAndReadAll('SELECT part FROM stored.unfinished');
  if (begun.getRowsJS().length === 0) return undefined;
  const result = await connection.runAndReadAll(
    `SELECT part, count(*)::DOUBLE AS logs FROM stored.logs WHERE part =
       (SELECT max(part) FROM stored.unfinished WHERE part NOT IN (SELECT part FROM stored.parts)) GROUP BY part`,
  );
  return v.parse(unfinished, result.getRowObjectsJS())[0];
}

const unfinished = v.array(v.object({ part: v.number(), logs: v.number() }));
