import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type TokenRun, termsTable } from './runs.ts';
import { type IndexSlice, minFrequentCount, setBounds, tokensSql } from './slices.ts';
import { termHashSql } from './term-hash.ts';

/**
 * A row of the index: the logs of a slice that have a term in a field. `count` is the number of occurrences. A
 * frequent term has a set of `bits`. Any other has `ids` and `positions`, one for each occurrence, in any
 * order. Compression is off where the codec that DuckDB chooses reads much for one value. The order by hash
 * spreads the terms with many logs over the table.
 */
const columns = `hash UINTEGER, first UINTEGER, field UTINYINT, term VARCHAR USING COMPRESSION uncompressed, count UINTEGER,
  bits BIT USING COMPRESSION uncompressed, ids UINTEGER[], positions UINTEGER[]`;

/** Creates and registers the table of a run, in the transaction of the caller. */
export async function makeRun(
  connection: DuckDBConnection,
  run: number,
  slices: readonly IndexSlice[],
): Promise<TokenRun> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE slices (${columns})`);
  for (const slice of slices) await connection.run(`INSERT INTO temp.slices ${rowsOf(slice)}`);
  const table = termsTable(run);
  await makeTermsTable(connection, table);
  await connection.run(`INSERT INTO ${table} FROM temp.slices ORDER BY hash, first`);
  await connection.run('DROP TABLE temp.slices');
  const made = { run, ...spanOf(slices), ...(await countsOf(connection, table, spanOf(slices))) };
  await connection.run(
    'INSERT INTO stored.token_runs VALUES ($1::INTEGER, $2::BIGINT, $3::BIGINT, $4::BIGINT, $5::BIGINT)',
    [run, made.firstId, made.lastId, made.logs, made.tokens],
  );
  return made;
}

/** Creates the empty table of a run. */
export async function makeTermsTable(connection: DuckDBConnection, table: string): Promise<void> {
  await connection.run(`CREATE TABLE ${table} (${columns})`);
}

/** SELECT of the rows of a slice. Grouping the tokens by term is much cheaper than sorting them. */
function rowsOf(slice: IndexSlice): string {
  const isFrequent = `count >= ${minFrequentCount(slice)}`;
  return `SELECT ${termHashSql('term')}, ${slice.firstId}, field, term, count,
      CASE WHEN ${isFrequent} THEN list_aggregate(ids::INTEGER[], 'bitstring_agg', ${setBounds(slice)}) END,
      CASE WHEN NOT ${isFrequent} THEN ids END, CASE WHEN NOT ${isFrequent} THEN positions END
    FROM (SELECT field, term, count(*) AS count, list(id) AS ids, list(position) AS positions
      FROM (${tokensSql(slice)}) GROUP BY field, term)`;
}

function spanOf(slices: readonly IndexSlice[]): IndexSlice {
  const [first, last] = [slices[0], slices.at(-1)];
  if (!first || !last) throw new Error('A run has no logs');
  return { firstId: first.firstId, lastId: last.lastId };
}

const counts = v.tuple([v.number(), v.number()]);

async function countsOf(connection: DuckDBConnection, table: string, { firstId, lastId }: IndexSlice) {
  const result = await connection.runAndReadAll(
    `SELECT (SELECT count(*) FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId})::DOUBLE,
       (SELECT coalesce(sum(count), 0) FROM ${table})::DOUBLE`,
  );
  const [logs, tokens] = v.parse(counts, result.getRowsJS()[0]);
  return { logs, tokens };
}
