import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';

/**
 * A run: the index of the logs of some ids that follow on. Its table
 * `stored.terms_<run>` says which logs have a term in a field, and where, with
 * a row for each slice of the logs in which there is one, those of a term together.
 */
export interface TokenRun {
  readonly run: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly logs: number;
  /** How many tokens its logs have. */
  readonly tokens: number;
}

/** The table of the runs. The first one begins with id 1, and each begins behind the one before. */
export const runsTable = `CREATE TABLE IF NOT EXISTS stored.token_runs (
     run INTEGER, first_id BIGINT, last_id BIGINT, logs BIGINT, tokens BIGINT)`;

/** The table of the terms of a run. */
export function termsTable(run: number): string {
  return `stored.terms_${Math.trunc(run)}`;
}

const row = v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()]);

/** The runs of the index in the order of their logs. */
export async function readRuns(connection: DuckDBConnection): Promise<readonly TokenRun[]> {
  const result = await connection.runAndReadAll(
    `SELECT run, first_id::DOUBLE, last_id::DOUBLE, logs::DOUBLE, tokens::DOUBLE FROM stored.token_runs
     ORDER BY first_id`,
  );
  return v.parse(v.array(row), result.getRowsJS()).map(([run, firstId, lastId, logs, tokens]) => ({
    ...{ run, firstId, lastId, logs, tokens },
  }));
}

/** Takes the runs out of the index that have logs from an id on, in the transaction of the caller. */
export async function dropRunsFrom(connection: DuckDBConnection, id: number): Promise<void> {
  for (const { run, lastId } of await readRuns(connection)) {
    if (lastId < id) continue;
    await connection.run(`DROP TABLE IF EXISTS ${termsTable(run)}`);
    await connection.run('DELETE FROM stored.token_runs WHERE run = $1', [run]);
  }
}

/**
 * Takes out of the index what it says of a part that is about to lose logs,
 * and of all parts behind: their ids may be given to others. In the
 * transaction that takes the logs.
 */
export async function dropRunsOfPart(connection: DuckDBConnection, part: number): Promise<void> {
  const result = await connection.runAndReadAll('SELECT min(id)::DOUBLE FROM stored.logs WHERE part = $1', [
    part,
  ]);
  const first = result.getRowsJS()[0]?.[0];
  if (typeof first === 'number') await dropRunsFrom(connection, first);
}
