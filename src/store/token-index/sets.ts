import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import {
  leastPostings,
  postingsTable,
  setBounds,
  setColumn,
  setsTable,
  type TokenRun,
  termsTable,
} from './runs.ts';

/** Makes the sets of a run: the logs of its most frequent terms. */
export async function makeSets(connection: DuckDBConnection, run: TokenRun): Promise<void> {
  const terms = await frequentTerms(connection, run);
  const sets = terms.map((term) => `, (${setOf(run, term)}) AS ${setColumn(term)}`);
  await connection.run(`CREATE TABLE ${setsTable(run.run)} AS SELECT ${run.run} AS run${sets.join('')}`);
}

/** How many sets of a run are not what the postings say, or are missing or too many. */
export async function countWrongSets(connection: DuckDBConnection, run: TokenRun): Promise<number> {
  const terms = await frequentTerms(connection, run);
  const there = (await connection.runAndReadAll(`FROM ${setsTable(run.run)}`)).columnNames();
  let wrong = Math.abs(terms.length + 1 - there.length);
  for (const term of terms) {
    if (!there.includes(String(term.first))) wrong++;
    else if (!(await isRight(connection, run, term))) wrong++;
  }
  return wrong;
}

async function isRight(connection: DuckDBConnection, run: TokenRun, term: FrequentTerm): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT (SELECT any_value(${setColumn(term)}) FROM ${setsTable(run.run)}) IS NOT DISTINCT FROM (${setOf(run, term)})`,
  );
  return result.getRowsJS()[0]?.[0] === true;
}

interface FrequentTerm {
  readonly first: number;
  readonly count: number;
}

async function frequentTerms(connection: DuckDBConnection, run: TokenRun): Promise<readonly FrequentTerm[]> {
  const found = await connection.runAndReadAll(
    `SELECT first::DOUBLE, count::DOUBLE FROM ${termsTable(run.run)} WHERE count >= $1::BIGINT ORDER BY first`,
    [leastPostings(run)],
  );
  const rows = v.parse(v.array(v.tuple([v.number(), v.number()])), found.getRowsJS());
  return rows.map(([first, count]) => ({ first, count }));
}

function setOf(run: TokenRun, { first, count }: FrequentTerm): string {
  const { base, bits } = setBounds(run);
  return `SELECT bitstring_agg(id::INTEGER, ${base}, ${base + bits - 1}) FROM ${postingsTable(run.run)}
    WHERE number >= ${first} AND number < ${first + count}`;
}
