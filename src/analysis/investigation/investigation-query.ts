import { type Case, timeSpan } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { parse, quote, resolve } from '../../language/index.ts';

/** A query and the logs that it selects. Times are milliseconds since the epoch. */
export interface QueriedLogs {
  readonly query: string;
  readonly count: number;
  readonly first?: number;
  readonly last?: number;
}

/** An interval of time, both ends included: milliseconds since the epoch. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number;
}

/** Joins clauses by AND; undefined ones are left out. A clause with OR must be in parentheses. */
export function joinByAnd(...clauses: readonly (string | undefined)[]): string {
  return clauses.filter((clause) => clause !== undefined).join(' AND ');
}

/** Joins clauses by OR, in parentheses. */
export function joinByOr(clauses: readonly string[]): string {
  return 1 < clauses.length ? `(${clauses.join(' OR ')})` : (clauses[0] ?? '');
}

/** Selects the logs of an interval. */
export function timeClause({ from, to }: TimeInterval): string {
  const text = (time: number) => quote(new Date(time).toISOString());
  return `time:[${text(from)} TO ${text(to)}]`;
}

/** Selects a value of a field: whole numbers as they are, other values as phrases. */
export function fieldClause(field: string, value: string): string {
  return `${field}:${/^\d+$/.test(value) ? value : quote(value)}`;
}

/** The meaning of a query that was written here. */
export function filterOfQuery(query: string): Filter {
  return resolve(parse(query).query, { now: 0 });
}

/** Counts the logs of a query in some cases. */
export async function runQuery(cases: readonly Case[], query: string): Promise<QueriedLogs> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filterOfQuery(query))));
  const count = spans.reduce((sum, each) => sum + each.count + each.timeless, 0);
  const first = Math.min(...spans.map((each) => each.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((each) => each.last ?? Number.NEGATIVE_INFINITY));
  return { query, count, ...(first <= last && { first, last }) };
}
