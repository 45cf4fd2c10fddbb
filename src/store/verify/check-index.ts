import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { isDriverError } from '../case/case.ts';
import { messageOf } from '../database/store-error.ts';
import { readRuns, type TokenRun, termsTable } from '../index-tables/runs.ts';
import { type IndexSlice, setBounds, tokensSql } from '../index-tables/slices.ts';
import { termHashSql } from '../index-tables/term-hash.ts';
import type { ReportDeviation } from './deviation.ts';

/**
 * Checks that the token index matches the tokens of the logs: every token of every log at its
 * position, and nothing else.
 */
export async function checkIndex(connection: DuckDBConnection, report: ReportDeviation): Promise<void> {
  let next = 1;
  const runs = await readRuns(connection).catch((error: unknown) => {
    if (!(error instanceof v.ValiError)) throw error;
    const message = `The list of the runs of the index was altered: ${error.message}. ${remedy}`;
    report({ code: 'INDEX_ALTERED', message });
    return [];
  });
  for (const run of runs) {
    const problem =
      run.firstId === next ? await problemOf(connection, run) : `it must begin with log ${next}`;
    next = run.lastId + 1;
    if (problem !== undefined)
      report({
        code: 'INDEX_ALTERED',
        message: `The index of logs ${run.firstId} to ${run.lastId} differs from their tokens: ${problem}. ${remedy}`,
      });
  }
}

const remedy = '"logquarry index --rebuild" rebuilds it';

async function problemOf(connection: DuckDBConnection, run: TokenRun): Promise<string | undefined> {
  const { firstId, lastId } = run;
  const table = termsTable(run.run);
  const ask = (sql: string) => numberOf(connection, sql);
  try {
    const logs = await ask(`SELECT count(*) FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId}`);
    if (logs !== run.logs) return `there are ${logs} logs, not ${run.logs}`;
    const last = await ask(`SELECT max(id) FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId}`);
    if (last !== lastId) return `its last log is ${last}, not ${lastId}`;
    const misplaced = await ask(
      `SELECT count(*) FROM ${table} WHERE hash IS DISTINCT FROM ${termHashSql('term')} OR (first BETWEEN ${firstId} AND ${lastId}) IS NOT TRUE`,
    );
    if (0 < misplaced) return `${misplaced} of its terms are not where they are looked up`;
    for (const slice of await slicesOf(connection, run)) {
      const wrong = (await ask(wrongTerms(table, slice))) + (await ask(wrongSets(table, slice)));
      if (0 < wrong) return `it differs in ${wrong} terms of the logs ${slice.firstId} to ${slice.lastId}`;
    }
    const tokens = await ask(`SELECT coalesce(sum(count), 0) FROM ${table}`);
    return tokens === run.tokens ? undefined : `there are ${tokens} tokens, not ${run.tokens}`;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  const result = await connection.runAndReadAll(`SELECT (${sql})::DOUBLE`);
  return Number(result.getRowsJS()[0]?.[0]);
}

/** Returns the slices of a run: they cover all its logs, including those without terms. */
async function slicesOf(
  connection: DuckDBConnection,
  { run, firstId, lastId }: TokenRun,
): Promise<readonly IndexSlice[]> {
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT first::DOUBLE FROM ${termsTable(run)} WHERE first > ${firstId} ORDER BY 1`,
  );
  const others = v.parse(v.array(v.tuple([v.number()])), found.getRowsJS()).map(([first]) => first);
  const ends = [...others.map((first) => first - 1), lastId];
  return [firstId, ...others].map((first, index) => ({ firstId: first, lastId: ends[index] ?? lastId }));
}

/**
 * SQL that counts terms whose positions differ from the logs of a slice; of frequent terms it
 * compares only the counts.
 */
function wrongTerms(table: string, slice: IndexSlice): string {
  const rows = `FROM ${table} WHERE first = ${slice.firstId}`;
  const places = 'sum(hash(id, position))';
  return `WITH
    known AS (SELECT field, term, sum(count) AS count, bool_or(bits IS NOT NULL) AS frequent ${rows} GROUP BY ALL),
    places AS (
      SELECT field, term, count(*) AS count, ${places} AS places
      FROM (SELECT field, term, unnest(ids) AS id, unnest(positions) AS position ${rows} AND bits IS NULL) GROUP BY ALL),
    expected AS (SELECT field, term, count(*) AS count, ${places} AS places FROM (${tokensSql(slice)}) GROUP BY ALL)
    SELECT count(*) FROM known FULL JOIN expected USING (field, term) LEFT JOIN places USING (field, term)
    WHERE known.count IS DISTINCT FROM expected.count OR (NOT frequent
      AND (places.count IS DISTINCT FROM expected.count OR places.places IS DISTINCT FROM expected.places))`;
}

/** SQL that counts sets of frequent terms that differ from the logs of a slice. */
function wrongSets(table: string, slice: IndexSlice): string {
  const frequent = `(SELECT field, term, bits FROM ${table} WHERE first = ${slice.firstId} AND bits IS NOT NULL)`;
  return `WITH expected AS (
      SELECT field, term, bitstring_agg(id::INTEGER, ${setBounds(slice)}) AS bits
      FROM (${tokensSql(slice)}) SEMI JOIN ${frequent} AS asked USING (field, term) GROUP BY ALL)
    SELECT count(*) FROM ${frequent} AS recorded LEFT JOIN expected USING (field, term)
    WHERE recorded.bits IS DISTINCT FROM expected.bits`;
}
