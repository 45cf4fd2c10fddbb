import type { Filter } from '../../language/index.ts';
import { type Asked, isCase } from '../log-source.ts';
import type { QueryPart } from './poor-result.ts';

/** A clause of a query, and the logs that a search for it alone reads. */
export interface PartCost {
  readonly text: string;
  readonly logs: number;
}

/**
 * Returns the clause of a query that costs most where logs are not in a case: by the logs that its search reads, and
 * by the work for each. Undefined if the query has no clauses.
 */
export async function costliestPart(
  sources: readonly Asked[],
  parts: readonly QueryPart[],
): Promise<PartCost | undefined> {
  let worst: (PartCost & { readonly cost: number }) | undefined;
  for (const { text, filter } of parts) {
    let logs = 0;
    for (const each of sources) if (!isCase(each)) logs += await each.logsToRead(filter);
    const cost = logs * workOf(filter);
    if (!worst || worst.cost < cost) worst = { text, logs, cost };
  }
  return worst && { text: worst.text, logs: worst.logs };
}

/** Work for each log, as a multiple of that for a word. */
const work: { readonly [K in Filter['kind']]?: number } = {
  ...{ phrase: 4, prefix: 4, wildcard: 16, regexp: 16, fuzzy: 16, termRange: 4 },
};

function workOf(filter: Filter): number {
  const sum = (filters: readonly Filter[]) => filters.reduce((total, each) => total + workOf(each), 0);
  if (filter.kind === 'disMax') return sum(filter.filters);
  if (filter.kind === 'bool') return sum([...filter.must, ...filter.should, ...filter.mustNot]);
  return work[filter.kind] ?? 1;
}
