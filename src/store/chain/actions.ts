import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { insertRows } from '../database/insert-rows.ts';
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
export type Details = Readonly<Record<string, Json | undefined>>;

type Json = string | number | null | readonly Json[] | { readonly [name: string]: Json };

/** Something that is to be noted. */
export interface Note {
  readonly action: string;
  readonly details: Details;
}

/** Notes in the case what is done to it, in the transaction that does it. */
export function noteAction(connection: DuckDBConnection, action: string, details: Details): Promise<void> {
  return noteActions(connection, [{ action, details }]);
}

/** Notes several things that were done to the case, in their order. */
export async function noteActions(connection: DuckDBConnection, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return;
  const last = await connection.runAndReadAll(
    'SELECT number::DOUBLE, hash FROM stored.actions ORDER BY number DESC LIMIT 1',
  );
  let [number, previous] = v.parse(
    v.optional(v.tuple([v.number(), v.string()]), [0, '']),
    last.getRowsJS()[0],
  );
  const actions = notes.map(({ action, details }): Action => {
    number += 1;
    const noted = { number, action, details: JSON.stringify(details), version, done: Date.now(), previous };
    previous = hashOf(noted);
    return { ...noted, hash: previous };
  });
  await insertActions(connection, actions);
}

const table = {
  table: 'stored.actions',
  columns: [
    ...['?::BIGINT', 'epoch_ms(?::BIGINT)', '?::VARCHAR', '?::VARCHAR', '?::VARCHAR'],
    ...['?::VARCHAR', '?::VARCHAR'],
  ],
};

function insertActions(connection: DuckDBConnection, actions: readonly Action[]): Promise<void> {
  return insertRows(
    connection,
    table,
    actions.map(({ number, done, action, details, version: by, previous, hash }) => [
      ...[number, done, action, details, by ?? null, previous, hash],
    ]),
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
  const chained = found.map((action, index): Action => {
    const linked = { ...action, number: index + 1, previous };
    previous = hashOf(linked);
    return { ...linked, hash: previous };
  });
  await insertActions(connection, chained);
}
