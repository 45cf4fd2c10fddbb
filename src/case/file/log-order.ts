import type { SqlParameter } from '../../language/index.ts';

/** Order of logs by time, then by id. Logs without a time come last in both orders. */
export type LogOrder = 'newest' | 'oldest';

/** The ORDER BY expressions. */
export const orderBySql: { readonly [O in LogOrder]: string } = {
  newest: '"time" DESC NULLS LAST, id DESC',
  oldest: '"time" ASC NULLS LAST, id ASC',
};

/** A position in the order of logs, given by time and id. A log there is not necessary. */
export interface LogCursor {
  /** Milliseconds since the epoch; absent for a log without a time. */
  readonly time?: number;
  readonly id: number;
}

/** The first logs of an order, at most `count`, after a cursor if given. */
export interface FirstLogs {
  readonly order: LogOrder;
  readonly count: number;
  readonly after?: LogCursor | undefined;
}

/** SQL condition for the logs after a cursor. Its parameters are numbered from `first` on. */
export function afterCursorSql(
  { time, id }: LogCursor,
  order: LogOrder,
  first: number,
): { readonly sql: string; readonly parameters: readonly SqlParameter[] } {
  const sign = order === 'newest' ? '<' : '>';
  if (time === undefined)
    return { sql: `("time" IS NULL AND id ${sign} $${first}::BIGINT)`, parameters: [id] };
  const timeSql = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign} ${timeSql} OR ("time" = ${timeSql} AND id ${sign} $${first + 1}::BIGINT) OR "time" IS NULL)`;
  return { sql, parameters: [time, id] };
}

/** SQL condition for the logs up to a cursor, inclusive. Its parameters are numbered from `first` on. */
export function upToCursorSql(
  { time, id }: LogCursor,
  order: LogOrder,
  first: number,
): { readonly sql: string; readonly parameters: readonly SqlParameter[] } {
  const sign = order === 'newest' ? '>' : '<';
  if (time === undefined)
    return { sql: `("time" IS NOT NULL OR id ${sign}= $${first}::BIGINT)`, parameters: [id] };
  const timeSql = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign}= ${timeSql} AND ("time" ${sign} ${timeSql} OR id ${sign}= $${first + 1}::BIGINT))`;
  return { sql, parameters: [time, id] };
}

/** Compares two cursors; negative if the first comes first. */
export function compareCursors(first: LogCursor, second: LogCursor, order: LogOrder): number {
  if (first.time === undefined || second.time === undefined) {
    if (first.time !== undefined) return -1;
    if (second.time !== undefined) return 1;
    return order === 'newest' ? second.id - first.id : first.id - second.id;
  }
  const byTime = first.time - second.time || first.id - second.id;
  return order === 'newest' ? -byTime : byTime;
}
