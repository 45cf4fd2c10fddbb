import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { leastPostings, postingsTable, setBounds, setsTable, type TokenRun, termsTable } from './runs.ts';

type Run = Pick<TokenRun, 'run' | 'firstId' | 'lastId'>;

/** So many sets are made by one statement: more of them at a time take more memory. */
const setsAtATime = 32;

/** Makes the sets of a run: the logs of its most frequent terms. */
export async function makeSets(connection: DuckDBConnection, run: Run): Promise<void> {
  await connection.run(`CREATE TABLE ${setsTable(run.run)} (first BIGINT, ids BIT)`);
  const terms = await frequentTerms(connection, run);
  for (let from = 0; from < terms.length; from += setsAtATime) {
    const sets = terms
      .slice(from, from + setsAtATime)
      .map((term) => `SELECT ${term.first}, (${setOf(run, term)})`);
    await connection.run(`INSERT INTO ${setsTable(run.run)} ${sets.join(' UNION ALL ')}`);
  }
}

/** How many sets of a run are not what the postings say, or are missing or too many. */
export async function countWrongSets(connection: DuckDBConnection, run: Run): Promise<number> {
  const terms = await frequentTerms(connection, run);
  const result = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${setsTable(run.run)}`);
  let wrong = Math.abs(terms.length - Number(result.getRowsJS()[0]?.[0]));
  for (const term of terms) {
    const same = await connection.runAndReadAll(
      `SELECT (SELECT any_value(ids) FROM ${setsTable(run.run)} WHERE first = ${term.first})
         IS NOT DISTINCT FROM (${setOf(run, term)})`,
    );
    if (same.getRowsJS()[0]?.[0] !== true) wrong++;
  }
  return wrong;
}

interface FrequentTerm {
  readonly first: number;
  readonly count: number;
}

async function frequentTerms(connection: DuckDBConnection, run: Run): Promise<readonly FrequentTerm[]> {
  const found = await connection.runAndReadAll(
    `SELECT first::DOUBLE, count::DOUBLE FROM ${termsTable(run.run)} WHERE count >= $1::BIGINT ORDER BY first`,
    [leastPostings(run)],
  );
  const rows = v.parse(v.array(v.tuple([v.number(), v.number()])), found.getRowsJS());
  return rows.map(([first, count]) => ({ first, count }));
}

function setOf(run: Run, { first, count }: FrequentTerm): string {
  const { base, bits } = setBounds(run);
  return `SELECT bitstring_agg(id::INTEGER, ${base}, ${base + bits - 1}) FROM ${postingsTable(run.run)}
    WHERE number >= ${first} AND number < ${first + count}`;
}
