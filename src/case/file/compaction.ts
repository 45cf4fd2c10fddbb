import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { dropIdIndex } from '../../word-index/index.ts';
import { rowGroupSize } from '../rows/row-group.ts';

/** The tables to which most changes of a case append. */
const growingTables = ['stored.logs', 'stored.actions'];

/** Tolerated row groups beyond twice the necessary number. */
const tolerated = 8;

/** Maximum number of merges of row groups in a checkpoint; each takes up to a second. */
const maxMerges = 8;

/**
 * Configures checkpoints to merge small adjacent row groups, if there are many. Each write leaves a row group
 * that is not full. To merge it with the next at every write would take as long as loading it. Twice as many
 * groups as necessary cost little time and space. Counting them reads all over the file, 250 ms for 5 million
 * logs, so it is only done before logs are added. The index of ids keeps row groups that lost logs from
 * being merged; it is made anew with the next index.
 */
export async function decideCompaction(connection: DuckDBConnection): Promise<void> {
  const found = await Promise.all(growingTables.map((table) => isFragmented(connection, table)));
  const isMerged = found.includes(true);
  await connection.run(`SET max_vacuum_tasks = ${isMerged ? maxMerges : 0}`);
  if (isMerged) await dropIdIndex(connection);
}

const counted = v.tuple([v.number(), v.number()]);

async function isFragmented(connection: DuckDBConnection, table: string): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT (SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('${table}'))::DOUBLE,
       (SELECT count(*) FROM ${table})::DOUBLE`,
  );
  const [groups, rows] = v.parse(counted, result.getRowsJS()[0]);
  return 2 * Math.ceil(rows / rowGroupSize) + tolerated < groups;
}
