import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { noteAction } from '../chain/actions.ts';

/**
 * From which part on logs are being written by two transactions. Where the
 * process is killed between their ends, the logs of one are there, of parts that
 * are not listed. In any other case such logs are somebody else's work, and for
 * `verify` to find.
 */
export const unfinishedTable = 'CREATE TABLE IF NOT EXISTS stored.unfinished (part INTEGER)';

/** Notes that a part is begun, and others may follow, on a connection without a transaction: it is known from now on. */
export async function beginPart(connection: DuckDBConnection, part: number): Promise<void> {
  await connection.run('INSERT INTO stored.unfinished VALUES ($1)', [part]);
}

/** Forgets which parts were begun. What there is of those that are not listed is taken out of the case, which is noted. */
export async function endParts(connection: DuckDBConnection): Promise<void> {
  for (const unfinished of await findUnfinished(connection)) {
    await connection.run('DELETE FROM stored.logs WHERE part = $1', [unfinished.part]);
    await noteAction(connection, 'remove unfinished part', unfinished);
  }
  await connection.run('DELETE FROM stored.unfinished');
}

const parts = v.array(v.object({ part: v.number(), logs: v.number() }));

/** The parts that were begun and are not listed, and how many logs there are of each; only those of which there are any. */
export async function findUnfinished(
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
