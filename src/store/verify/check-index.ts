import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { isOfDriver } from '../case.ts';
import { messageOf } from '../store-error.ts';
import { tokensOf } from '../token-index/build.ts';
import { termHashSql } from '../token-index/look-up.ts';
import { postingsTable, readRuns, type TokenRun, termsTable } from '../token-index/runs.ts';
import { countWrongSets } from '../token-index/sets.ts';
import type { Report } from './deviation.ts';

/** Checks that the index of the tokens says what the tokens of the logs do: every token of every log at its place, and nothing else. */
export async function checkIndex(connection: DuckDBConnection, report: Report): Promise<void> {
  let next = 1;
  for (const run of await readRuns(connection)) {
    const problem =
      run.firstId === next ? await problemOf(connection, run) : `it does not begin with log ${next}`;
    next = run.lastId + 1;
    if (problem !== undefined)
      report({
        code: 'INDEX_ALTERED',
        message: `The index of logs ${run.firstId} to ${run.lastId} is not that of their tokens: ${problem}. "logquarry index --rebuild" makes it anew`,
      });
  }
}

const sums = v.tuple([v.number(), v.number(), v.string(), v.string(), v.number(), v.number()]);

async function problemOf(connection: DuckDBConnection, run: TokenRun): Promise<string | undefined> {
  try {
    const result = await connection.runAndReadAll(comparison(run));
    const [there, noted, expected, found, logs, misplaced] = v.parse(sums, result.getRowsJS()[0]);
    if (logs !== run.logs) return `there are ${logs} logs, not ${run.logs}`;
    if (there !== noted || there !== run.tokens) return `it has ${noted} tokens, the logs have ${there}`;
    if (0 < misplaced) return `${misplaced} of its terms are not where they are looked up`;
    if (expected !== found) return 'it says other tokens than the logs';
    const wrong = await countWrongSets(connection, run);
    return wrong === 0 ? undefined : `${wrong} sets of its frequent terms are others`;
  } catch (error) {
    if (!isOfDriver(error)) throw error;
    return `it cannot be read (${messageOf(error)})`;
  }
}

/** A sum of hashes for the tokens of the logs, and the same for the index; the order of the rows does not count. */
function comparison({ run, firstId, lastId }: TokenRun): string {
  const sum = 'coalesce(sum(hash(field, term, id, position)), 0)::VARCHAR';
  return `WITH tokens AS (SELECT count(*) AS count, ${sum} AS hashes FROM (${tokensOf({ firstId, lastId })})),
    postings AS (
      SELECT count(t.term) AS count, ${sum} AS hashes
      FROM ${postingsTable(run)} p ASOF LEFT JOIN ${termsTable(run)} t ON p.number >= t.first),
    terms AS (
      SELECT count(*) FILTER (hash <> ${termHashSql('term')} OR first <> expected) AS misplaced
      FROM (SELECT *, sum(count) OVER (ORDER BY first) - count AS expected FROM ${termsTable(run)}))
    SELECT tokens.count::DOUBLE, postings.count::DOUBLE, tokens.hashes, postings.hashes,
      (SELECT count(*) FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId})::DOUBLE, misplaced::DOUBLE
    FROM tokens, postings, terms`;
}
