import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { insertRows, packageVersion } from '../../database/index.ts';

/**
 * One recorded change of the case. Each holds the hash of the one before, so that none can be altered, removed
 * or inserted unnoticed.
 */
export interface Action {
  /** From 1, without gaps. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly done: number;
  readonly action: string;
  /** Details of the change, as JSON. */
  readonly details: string;
  /** Version of this program; absent in actions of versions that did not record it. */
  readonly version?: string;
  /** Hash of the action before; empty in the first. */
  readonly previous: string;
  /** SHA-256 of all members above. */
  readonly hash: string;
}

/** Computes the hash of an action: SHA-256 of its members as a JSON list in UTF-8. */
export function actionHash({
  number,
  done,
  action,
  details,
  version,
  previous,
}: Omit<Action, 'hash'>): string {
  const text = JSON.stringify([number, done, action, details, version ?? null, previous]);
  return createHash('sha256').update(text).digest('hex');
}

/** Details that are recorded with an action. */
export type ActionDetails = Readonly<Record<string, Json | undefined>>;

type Json = string | number | null | readonly Json[] | { readonly [name: string]: Json };

/** An action to record. */
export interface NewAction {
  readonly action: string;
  readonly details: ActionDetails;
}

/** Records an action in the case, in the transaction that carries it out. */
export function recordAction(
  connection: DuckDBConnection,
  action: string,
  details: ActionDetails,
): Promise<void> {
  return recordActions(connection, [{ action, details }]);
}

/** Records actions in their order, in the transaction that carries them out. */
export async function recordActions(
  connection: DuckDBConnection,
  notes: readonly NewAction[],
): Promise<void> {
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
    const recorded = {
      number,
      action,
      details: JSON.stringify(details),
      version: packageVersion,
      done: Date.now(),
      previous,
    };
    previous = actionHash(recorded);
    return { ...recorded, hash: previous };
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

/** Reads the actions of the case in their order. */
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

/** Numbers and chains the actions of versions that had no hashes. */
export async function chainActions(connection: DuckDBConnection): Promise<void> {
  const found = await readActions(connection);
  await connection.run('DELETE FROM stored.actions');
  let previous = '';
  const chained = found.map((action, index): Action => {
    const linked = { ...action, number: index + 1, previous };
    previous = actionHash(linked);
    return { ...linked, hash: previous };
  });
  await insertActions(connection, chained);
}
