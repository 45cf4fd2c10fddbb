import type { Parameter } from '../../translate/duckdb.ts';

/** The order of logs: by time, those of the same time by id. Logs without a time come last either way. */
export type Order = 'newest' | 'oldest';

/** The columns by which logs are sorted. */
export const orders: { readonly [O in Order]: string } = {
  newest: '"time" DESC NULLS LAST, id DESC',
  oldest: '"time" ASC NULLS LAST, id ASC',
};

/** A place in the order of logs: that of the log of a time and an id, whether there is one or not. */
export interface Place {
  /** Milliseconds since the epoch; absent for a log without a time. */
  readonly time?: number;
  readonly id: number;
}

/** The condition of the logs behind a place; its parameters are numbered from `first` on. */
export function behind(
  { time, id }: Place,
  order: Order,
  first: number,
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const sign = order === 'newest' ? '<' : '>';
  if (time === undefined)
    return { sql: `("time" IS NULL AND id ${sign} $${first}::BIGINT)`, parameters: [id] };
  const given = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign} ${given} OR ("time" = ${given} AND id ${sign} $${first + 1}::BIGINT) OR "time" IS NULL)`;
  return { sql, parameters: [time, id] };
}

/** The condition of the logs up to a place, with that itself; its parameters are numbered from `first` on. */
export function upTo(
  { time, id }: Place,
  order: Order,
  first: number,
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const sign = order === 'newest' ? '>' : '<';
  if (time === undefined)
    return { sql: `("time" IS NOT NULL OR id ${sign}= $${first}::BIGINT)`, parameters: [id] };
  const given = `epoch_ms($${first}::BIGINT)`;
  const sql = `("time" ${sign}= ${given} AND ("time" ${sign} ${given} OR id ${sign}= $${first + 1}::BIGINT))`;
  return { sql, parameters: [time, id] };
}

/** Which comes first of two places: negative when it is the first. */
export function comparePlaces(first: Place, second: Place, order: Order): number {
  if (first.time === undefined || second.time === undefined) {
    if (first.time !== undefined) return -1;
    if (second.time !== undefined) return 1;
    return order === 'newest' ? second.id - first.id : first.id - second.id;
  }
  const byTime = first.time - second.time || first.id - second.id;
  return order === 'newest' ? -byTime : byTime;
}
