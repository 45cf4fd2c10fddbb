import type { Filter } from '../meaning/filter.ts';
import type { Scored } from '../meaning/scored.ts';

/** A part of a filter that a target cannot express exactly. */
export interface TranslationLoss {
  /** The affected part. */
  readonly filter: Filter;
  /** The difference in plain words, no final stop. */
  readonly reason: string;
}

/** The boosts of a filter as losses, for a target without an order by relevance. */
export function boostLosses({ filter, boosts }: Scored): readonly TranslationLoss[] {
  const boost = boosts.get(filter) ?? 1;
  const reason = `Its boost ${boost} is left out: it only changes the order by relevance`;
  const own = boost === 1 ? [] : [{ filter, reason }];
  return [...own, ...partsOf(filter).flatMap((part) => boostLosses({ filter: part, boosts }))];
}

/** The levels whose optional parts filter nothing, for a target without an order by relevance. */
export function optionalLosses(filter: Filter): readonly TranslationLoss[] {
  const isLost = filter.kind === 'bool' && 0 < filter.must.length && 0 < filter.should.length;
  const own = isLost ? [{ filter, reason: optionalPartsLost }] : [];
  return [...own, ...partsOf(filter).flatMap(optionalLosses)];
}

/** The reason for omitting optional parts. */
export const optionalPartsLost = 'Its optional parts are left out: they only change the order by relevance';

/** The remaining parts: beside a required one the optional ones are omitted. */
function partsOf(filter: Filter): readonly Filter[] {
  if (filter.kind === 'disMax') return filter.filters;
  if (filter.kind !== 'bool') return [];
  return [...filter.must, ...(filter.must.length === 0 ? filter.should : []), ...filter.mustNot];
}
