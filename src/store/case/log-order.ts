import type { Parameter } from '../../translate/duckdb.ts';

/** Order of logs by time, then by id. Logs without a time come last in both orders. */
export type Order = 'newest' | 'oldest';

/** The ORDER BY expressions. */
export const orderBySql: { readonly [O in Order]: string } = {
  newest: '"time" DESC NULLS LAST, id DESC',
  oldest: '"time" ASC NULLS LAST, id ASC',
};

/** A position in the order of logs, given by time and id. A log there is not necessary. */
export interface Place {
  /** Milliseconds since the epoch; absent for a log without a time. */
  readonly time?: number;
  readonly id: number;
}

/** SQL condition for the logs after a cursor. Its parameters are numbered from `first` on. */
export function afterCursorSql(
  { time, id }: Place,
  order: Order,
  first: number,
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const sign = order === 'newest' ? '<' : '>';
  if (time === undefined)
    return { sql: `("time" IS NULL AND id ${sign} $${first}::BIGINT)`, parameters: [id] };
  const timeSql = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign} ${timeSql} OR ("time" = ${timeSql} AND id ${sign} $${first + 1}::BIGINT) OR "time" IS NULL)`;
  return { sql, parameters: [time, id] };
}

/** SQL condition for the logs up to a cursor, inclusive. Its parameters are numbered from `first` on. */
export function upToCursorSql(
  { time, id }: Place,
  order: Order,
  first: number,
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const sign = order === 'newest' ? '>' : '<';
  if (time === undefined)
    return { sql: `("time" IS NOT NULL OR id ${sign}= $${first}::BIGINT)`, parameters: [id] };
  const timeSql = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign}= ${timeSql} AND ("time" ${sign} ${timeSql} OR id ${sign}= $${first + 1}::BIGINT))`;
  return { sql, parameters: [time, id] };
}

/** Compares two cursors; negative if the first comes first. */
export function comparePlaces(first: Place, second: Place, order: Order): number {
  if (first.time === undefined || second.time === undefined) {
    if (first.time !== undefined) return -1;
    if (second.time !== undefined) return 1;
    return order === 'newest' ? second.id - first.id : first.id - second.id;
  }
  const byTime = first.time - second.time || first.id - second.id;
  return order === 'newest' ? -byTime : byTime;
}
