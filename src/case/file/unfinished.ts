import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { recordAction } from '../chain/actions.ts';

/**
 * First part whose logs are written by parallel transactions. A kill between their commits leaves logs of
 * unlisted parts. Without a row here, such logs were added by others, and `verify` reports them.
 */
export const unfinishedTable = 'CREATE TABLE IF NOT EXISTS stored.unfinished (part INTEGER)';

/**
 * Marks a part, and all later ones, as begun. On a connection without a transaction, so that it is committed at
 * once.
 */
export async function markPartBegun(connection: DuckDBConnection, part: number): Promise<void> {
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
