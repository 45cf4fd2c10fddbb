import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { rowGroup } from '../rows/row-group.ts';

/** The tables that grow by most of what is done to a case. */
const growing = ['stored.logs', 'stored.actions'];

/** So many row groups more than twice of what the rows need are let be. */
const spare = 8;

/** So many times a checkpoint puts neighbouring row groups together: each takes up to a second. */
const tasks = 8;

/**
 * Decides whether checkpoints put small row groups together that stand side by
 * side. What is written in one go leaves a row group that is not full, and
 * DuckDB would write it anew with the next one at every turn, which takes as
 * long as loading it. So it does that only where there are many of them: twice
 * as many as the rows need take little more time to search, and room on disk.
 * To count them reads from all over the file, a quarter of a second for 5
 * million logs, so it is for those alone who add logs.
 */
export async function decideCompaction(connection: DuckDBConnection): Promise<void> {
  const found = await Promise.all(growing.map((table) => isFragmented(connection, table)));
  await connection.run(`SET max_vacuum_tasks = ${found.includes(true) ? tasks : 0}`);
}

const counted = v.tuple([v.number(), v.number()]);

async function isFragmented(connection: DuckDBConnection, table: string): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT (SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('${table}'))::DOUBLE,
       (SELECT count(*) FROM ${table})::DOUBLE`,
  );
  const [groups, rows] = v.parse(counted, result.getRowsJS()[0]);
  return 2 * Math.ceil(rows / rowGroup) + spare < groups;
}
