import { sourceOf, type ValueCount } from '../case/index.ts';
import type { Filter } from '../language/index.ts';
import type { LogField } from '../records/index.ts';
import type { AnyLogSource } from './log-source.ts';

/** Most frequent values of a field. */
export interface Facets {
  readonly field: LogField;
  /** Number of counted logs. */
  readonly total: number;
  /** Most frequent first, equal counts ordered by value. Logs without a value form one item. */
  readonly values: readonly ValueCount[];
  /** Number of logs with other values. */
  readonly others: number;
}

/**
 * Counts the most frequent values of a field in the logs that a filter selects in some cases.
 *
 * ```ts
 * const { values, others } = await facets([incident], 'username', { filter, limit: 10 });
 * for (const { value, count } of values) console.log(value, count);
 * ```
 */
export async function facets(
  cases: readonly AnyLogSource[],
  field: LogField,
  {
    filter,
    limit,
    signal,
  }: { readonly filter: Filter; readonly limit: number; readonly signal?: AbortSignal | undefined },
): Promise<Facets> {
  // The most frequent values of all cases need not be the most frequent of one.
  const options = { limit: cases.length === 1 ? limit : Number.POSITIVE_INFINITY, signal };
  const counts = (
    await Promise.all(cases.map((from) => sourceOf(from).countBy(field, filter, options)))
  ).flat();
  const totals = await Promise.all(cases.map((from) => sourceOf(from).countLogs(filter, { signal })));
  const values = (cases.length === 1 ? counts : merge(counts)).slice(0, limit);
  const total = totals.reduce((sum, count) => sum + count, 0);
  const shown = values.reduce((sum, { count }) => sum + count, 0);
  return { field, total, values, others: total - shown };
}

function merge(counts: readonly ValueCount[]): readonly ValueCount[] {
  const totals = new Map<ValueCount['value'], number>();
  for (const { value, count } of counts) totals.set(value, (totals.get(value) ?? 0) + count);
  return [...totals]
    .map(([value, count]) => ({ ...(value !== undefined && { value }), count }))
    .sort((first, second) => second.count - first.count || compareValues(first, second));
}

/** Compares numbers by size, texts by code units; an absent value is last. */
function compareValues({ value: first }: ValueCount, { value: second }: ValueCount): number {
  if (first === undefined || second === undefined) return first === second ? 0 : first === undefined ? 1 : -1;
  return first < second ? -1 : first > second ? 1 : 0;
}
