import { parseFloat32 } from '../automata/java-float.ts';
import type { Filter } from '../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../meaning/resolve.ts';
import type { Item, Query } from '../parse/tree.ts';

/** A filter with the boosts of its parts, which only the order by relevance needs. */
export interface Scored {
  readonly filter: Filter;
  /** Boosts by filter object; 1 for filters that are not in the map. */
  readonly boosts: ReadonlyMap<Filter, number>;
}

/**
 * Like `resolve`, with the boosts of the query. They change no match.
 *
 * ```ts
 * const { filter, boosts } = resolveScored(parse('timeout^2 database').query);
 * ```
 */
export function resolveScored(query: Query, options: Omit<ResolveOptions, 'onClause'> = {}): Scored {
  const boosts = new Map<Filter, number>();
  const filter = resolve(query, {
    ...options,
    onClause: ({ item }, part) => {
      const boost = boostOf(item);
      if (part && boost !== 1) boosts.set(part, multiplyBoosts(boost, boosts.get(part) ?? 1));
    },
  });
  return { filter, boosts };
}

/** The same without prohibited parts at the top level, which no matching log has. */
export function withoutProhibited({ filter, boosts }: Scored): Scored {
  if (filter.kind !== 'bool' || filter.mustNot.length === 0) return { filter, boosts };
  const rest = { ...filter, mustNot: [] };
  const boost = boosts.get(filter);
  return { filter: rest, boosts: boost === undefined ? boosts : new Map([...boosts, [rest, boost]]) };
}

/** The product of two boosts as in the engine, limited to the range of scores. */
export function multiplyBoosts(first: number, second: number): number {
  return Math.min(Math.fround(first * second), mostBoost);
}

// The sum of a million parts with this boost still fits into 32 bits. The engine refuses an infinite sum.
const mostBoost = 2 ** 100;

/** The number behind the `^` of an item. */
function boostOf(item: Item): number {
  if (item.kind === 'Missing') return 1;
  const token =
    item.kind === 'Range' || item.kind === 'Group'
      ? item.boost
      : item.suffixes.find(({ kind }) => kind === 'Boost');
  const boost = token && parseFloat32(token.text.slice(1));
  return boost === undefined ? 1 : Math.min(boost, mostBoost);
}
