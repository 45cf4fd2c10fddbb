import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { version } from './version.ts';

/**
 * One thing that was done to the case. Each holds the hash of the one before,
 * so that none can be changed, left out or put in between without a trace.
 */
export interface Action {
  /** From 1, without gaps. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly done: number;
  readonly action: string;
  /** What it was done to, as JSON. */
  readonly details: string;
  /** Of this program; absent where it was not noted yet. */
  readonly version?: string;
  /** The hash of the one before; empty in the first. */
  readonly previous: string;
  /** SHA-256 of all the above. */
  readonly hash: string;
}

/** The hash that an action has to have: of its members as a JSON list, in UTF-8. */
export function hashOf({ number, done, action, details, version, previous }: Omit<Action, 'hash'>): string {
  const text = JSON.stringify([number, done, action, details, version ?? null, previous]);
  return createHash('sha256').update(text).digest('hex');
}

/** What is noted along with an action. */
export type Details = Readonly<Record<string, string | number | undefined>>;

/** Notes in the case what is done to it, in the transaction that does it. */
export async function noteAction(
  connection: DuckDBConnection,
  action: string,
  details: Details,
): Promise<void> {
  const last = await connection.runAndReadAll(
    'SELECT number::DOUBLE, hash FROM stored.actions ORDER BY number DESC LIMIT 1',
  );
  const [number, previous] = v.parse(
    v.optional(v.tuple([v.number(), v.string()]), [0, '']),
    last.getRowsJS()[0],
  );
  const noted = { action, details: JSON.stringify(details), version, done: Date.now() };
  await insertAction(connection, { ...noted, number: number + 1, previous });
}

async function insertAction(connection: DuckDBConnection, action: Omit<Action, 'hash'>): Promise<void> {
  await connection.run(
    'INSERT INTO stored.actions VALUES ($1::BIGINT, epoch_ms($2::BIGINT), $3, $4, $5, $6, $7)',
    [
      ...[action.number, action.done, action.action, action.details, action.version ?? null],
      ...[action.previous, hashOf(action)],
    ],
  );
}

const row = v.object({
  number: v.number(),
  done: v.number(),
  action: v.string(),
  details: v.string(),
  version: v.nullable(v.string()),
  previous: v.nullish(v.string(), ''),
  hash: v.nullish(v.string(), ''),
});

/** What was done to the case, in its order. */
export async function readActions(connection: DuckDBConnection): Promise<Action[]> {
  const result = await connection.runAndReadAll(
    `SELECT * REPLACE (number::DOUBLE AS number, epoch_ms(done)::DOUBLE AS done) FROM stored.actions
     ORDER BY number`,
  );
  return result.getRowObjectsJS().map((each) => {
    const { version, ...rest } = v.parse(row, each);
    return { ...rest, ...(version !== null && { version }) };
  });
}

/** Chains actions that were noted by a version which did not yet: as they are found. */
export async function chainActions(connection: DuckDBConnection): Promise<void> {
  const found = await readActions(connection);
  await connection.run('DELETE FROM stored.actions');
  let previous = '';
  for (const [index, action] of found.entries()) {
    const chained = { ...action, number: index + 1, previous };
    await insertAction(connection, chained);
    previous = hashOf(chained);
  }
}
