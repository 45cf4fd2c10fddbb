import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';

/**
 * A run: the index of a range of log ids. Its table `stored.terms_<run>` has the logs and positions of each
 * term in a field. There is one row for each slice in which the term occurs; rows of one term are adjacent.
 */
export interface TokenRun {
  readonly run: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly logs: number;
  /** Number of tokens in its logs. */
  readonly tokens: number;
}

/** The table of the runs. The first run starts with id 1, every other after the end of the one before. */
export const runsTable = `CREATE TABLE IF NOT EXISTS stored.token_runs (
     run INTEGER, first_id BIGINT, last_id BIGINT, logs BIGINT, tokens BIGINT)`;

/** Returns the name of the table with the terms of a run. */
export function termsTable(run: number): string {
  return `stored.terms_${Math.trunc(run)}`;
}

const row = v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()]);

/** Reads the runs of the index in the order of their ids. */
export async function readRuns(connection: DuckDBConnection): Promise<readonly TokenRun[]> {
  const result = await connection.runAndReadAll(
    `SELECT run, first_id::DOUBLE, last_id::DOUBLE, logs::DOUBLE, tokens::DOUBLE FROM stored.token_runs
     ORDER BY first_id`,
  );
  return v.parse(v.array(row), result.getRowsJS()).map(([run, firstId, lastId, logs, tokens]) => ({
    ...{ run, firstId, lastId, logs, tokens },
  }));
}

/** Drops the runs that have logs from an id on, in the transaction of the caller. */
export async function dropRunsFrom(connection: DuckDBConnection, id: number): Promise<void> {
  for (const { run, lastId } of await readRuns(connection)) {
    if (lastId < id) continue;
    await connection.run(`DROP TABLE IF EXISTS ${termsTable(run)}`);
    await connection.run('DELETE FROM stored.token_runs WHERE run = $1', [run]);
  }
}

/**
 * Drops the runs of parts, at least one, that lose logs, and all later runs: their ids may be given to other
 * logs. Must run in the transaction that removes the logs.
 */
export async function dropRunsOfParts(connection: DuckDBConnection, parts: readonly number[]): Promise<void> {
  const result = await connection.runAndReadAll(
    `SELECT min(id)::DOUBLE FROM stored.logs WHERE part IN (${parts.map(Number).join(', ')})`,
  );
  const first = result.getRowsJS()[0]?.[0];
  if (typeof first === 'number') await dropRunsFrom(connection, first);
}
