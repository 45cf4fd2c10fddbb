import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Condition } from '../file/column-test.ts';
import {
  afterCursorSql,
  type LogCursor,
  type LogOrder,
  orderBySql,
  upToCursorSql,
} from '../file/log-order.ts';

/** Inflated bytes of logs in a block. Sorting needs a multiple of it in each thread of the database. */
const blockBytes = 12 * 1024 * 1024;

/** Limits for long logs, and for short ones: a statement for few logs costs more than they do. */
const [minLogs, maxLogs] = [100, 50_000];

/** A block of the logs of a condition, between two cursors in their order. */
export interface LogBlock {
  readonly after?: LogCursor;
  readonly to?: LogCursor;
}

/**
 * Splits the logs of a condition into consecutive blocks that can each be sorted in little memory. All of them
 * at once may need more than the database has.
 */
export async function splitIntoBlocks(
  connection: DuckDBConnection,
  { sql, parameters }: Condition,
  order: LogOrder,
): Promise<readonly LogBlock[]> {
  const each = await logsInBlock(connection);
  // Sorts the cursors only, which take a few bytes each.
  const result = await connection.runAndReadAll(
    `SELECT epoch_ms("time")::DOUBLE AS "time", id::DOUBLE AS id FROM (
       SELECT "time", id, row_number() OVER () AS number FROM (
         SELECT "time", id FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}))
     WHERE number % ${each} = 0 ORDER BY number`,
    [...parameters],
  );
  const cursors = v.parse(cursorRows, result.getRowObjectsJS());
  const blockEnds = cursors.map(({ time, id }): LogCursor => (time === null ? { id } : { time, id }));
  return [...blockEnds, undefined].map((to, index) => {
    const after = blockEnds[index - 1];
    return { ...(after && { after }), ...(to && { to }) };
  });
}

const cursorRows = v.array(v.object({ time: v.nullable(v.number()), id: v.number() }));

/** Bytes of a log if its size is unknown, as for logs of a program. */
const usualBytes = 1_000;

/** Returns the number of logs in a block, from the average size of a log in the files of the case. */
async function logsInBlock(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    'SELECT (sum(bytes) / sum(logs))::DOUBLE FROM stored.parts WHERE 0 < bytes AND 0 < logs',
  );
  const bytes = v.parse(v.nullable(v.number()), result.getRowsJS()[0]?.[0]) ?? usualBytes;
  return Math.trunc(Math.min(maxLogs, Math.max(minLogs, blockBytes / bytes)));
}

/** Restricts a condition to a block. */
export function blockCondition(
  { sql, parameters }: Condition,
  { after, to }: LogBlock,
  order: LogOrder,
): Condition {
  let condition: Condition = { sql: `(${sql})`, parameters };
  if (after) condition = combine(condition, (first) => afterCursorSql(after, order, first));
  if (to) condition = combine(condition, (first) => upToCursorSql(to, order, first));
  return condition;
}

function combine(one: Condition, other: (firstParameter: number) => Condition): Condition {
  const { sql, parameters } = other(one.parameters.length + 1);
  return { sql: `${one.sql} AND ${sql}`, parameters: [...one.parameters, ...parameters] };
}
