import type { Item, Query } from '../../language/tree.ts';
import { parseFloat32 } from '../../patterns/java-float.ts';
import type { Filter } from '../filter.ts';
import { type ResolveOptions, resolve } from '../resolve.ts';

/** A filter with what only the order by relevance needs: how much its parts count. */
export interface Scored {
  readonly filter: Filter;
  /** By the very filters; those that are not in it count once. */
  readonly boosts: ReadonlyMap<Filter, number>;
}

/** Like `resolve`, with the boosts that are written in the query. They change no match. */
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

/** The same without what is prohibited at the top: logs that match do not have it. */
export function withoutProhibited({ filter, boosts }: Scored): Scored {
  if (filter.kind !== 'bool' || filter.mustNot.length === 0) return { filter, boosts };
  const rest = { ...filter, mustNot: [] };
  const boost = boosts.get(filter);
  return { filter: rest, boosts: boost === undefined ? boosts : new Map([...boosts, [rest, boost]]) };
}

/** The product of two boosts, as the engine has it, within what scores can be made of. */
export function multiplyBoosts(first: number, second: number): number {
  return Math.min(Math.fround(first * second), mostBoost);
}

// A million parts that count so much still have a sum in 32 bits. The engine refuses what has none.
const mostBoost = 2 ** 100;

/** What is written behind the `^` of an item. */
function boostOf(item: Item): number {
  if (item.kind === 'Missing') return 1;
  const token =
    item.kind === 'Range' || item.kind === 'Group'
      ? item.boost
      : item.suffixes.find(({ kind }) => kind === 'Boost');
  const boost = token && parseFloat32(token.text.slice(1));
  return boost === undefined ? 1 : Math.min(boost, mostBoost);
}
