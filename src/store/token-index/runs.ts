import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';

/**
 * A run: the index of the logs of some ids that follow on. Its postings are in
 * the table `stored.postings_<run>`, one row for each token of each log, those
 * of a term together and in the order of the logs; its terms are in
 * `stored.terms_<run>` with the numbers of their postings. The logs of the most
 * frequent terms are in `stored.sets_<run>` as well, as sets of bits.
 */
export interface TokenRun {
  readonly run: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly logs: number;
  /** How many postings it has. */
  readonly tokens: number;
}

/** The table of the runs. The first one begins with id 1, and each begins behind the one before. */
export const runsTable = `CREATE TABLE IF NOT EXISTS stored.token_runs (
     run INTEGER, first_id BIGINT, last_id BIGINT, logs BIGINT, tokens BIGINT)`;

/** The table of the terms of a run. */
export function termsTable(run: number): string {
  return `stored.terms_${Math.trunc(run)}`;
}

/** The table of the postings of a run. */
export function postingsTable(run: number): string {
  return `stored.postings_${Math.trunc(run)}`;
}

/** The table of the sets of a run. */
export function setsTable(run: number): string {
  return `stored.sets_${Math.trunc(run)}`;
}

/** The ids of a run. */
type Span = Pick<TokenRun, 'firstId' | 'lastId'>;

/**
 * A term with so many postings in a run has a set, which is read faster than
 * they are and takes about as much room. No more than 512 terms have one.
 */
export function leastPostings({
  firstId,
  lastId,
  tokens,
}: Pick<TokenRun, 'firstId' | 'lastId' | 'tokens'>): number {
  return Math.max(1024, Math.ceil((lastId + 1 - firstId) / 32), Math.ceil(tokens / 512));
}

/** The column of the set of a term: the number of its first posting. Of a table with a row for each, a look-up would read all. */
export function setColumn({ first }: { readonly first: number }): string {
  return `"${Math.trunc(first)}"`;
}

/** The id of the first bit in the sets of a run and how many bits there are, both multiples of 8. */
export function setBounds({ firstId, lastId }: Span): { readonly base: number; readonly bits: number } {
  const base = 8 * Math.floor(firstId / 8);
  return { base, bits: 8 * Math.ceil((lastId + 1 - base) / 8) };
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
    for (const table of [termsTable(run), postingsTable(run), setsTable(run)])
      await connection.run(`DROP TABLE IF EXISTS ${table}`);
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
