import type { Filter } from '../meaning/filter.ts';
import type { Scored } from '../meaning/relevance/scored.ts';

/** Something that a target cannot say exactly. */
export interface Loss {
  /** The part that is not said as it is meant. */
  readonly filter: Filter;
  /** What is lost, in plain words, no final stop. */
  readonly reason: string;
}

/** The boosts of a filter as losses, for a target that has no order by relevance. */
export function boostLosses({ filter, boosts }: Scored): readonly Loss[] {
  const boost = boosts.get(filter) ?? 1;
  const reason = `Its boost ${boost} is left out: it only changes the order by relevance`;
  const own = boost === 1 ? [] : [{ filter, reason }];
  return [...own, ...partsOf(filter).flatMap((part) => boostLosses({ filter: part, boosts }))];
}

/** The levels whose optional parts filter nothing, for a target that has no order by relevance. */
export function optionalLosses(filter: Filter): readonly Loss[] {
  const isLost = filter.kind === 'bool' && 0 < filter.must.length && 0 < filter.should.length;
  const own = isLost ? [{ filter, reason: optionalPartsLost }] : [];
  return [...own, ...partsOf(filter).flatMap(optionalLosses)];
}

/** The reason for which optional parts are left out. */
export const optionalPartsLost = 'Its optional parts are left out: they only change the order by relevance';

/** The parts that stay: beside a required one the optional ones are left out as a whole. */
function partsOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters;
  if (filter.kind !== 'bool') return [];
  return [...filter.must, ...(filter.must.length === 0 ? filter.should : []), ...filter.mustNot];
}
