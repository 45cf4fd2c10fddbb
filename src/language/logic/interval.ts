import type { FilterBound } from '../meaning/filter.ts';
import { compareCodePoints } from '../meaning/match.ts';
import type { LeafFilter } from './boolean-logic.ts';

/** The values from `from` up to `to`, exclusive; an undefined end is open. */
export interface Interval<V> {
  readonly from: V | undefined;
  readonly to: V | undefined;
}

/** The interval of terms that a leaf matches; undefined if they are no interval. */
export function termInterval(leaf: LeafFilter): Interval<string> | undefined {
  switch (leaf.kind) {
    case 'term':
      return { from: leaf.term, to: nextTerm(leaf.term) };
    case 'termRange':
      return {
        from: leaf.lower && firstAt(leaf.lower),
        to: leaf.upper && firstAt({ ...leaf.upper, inclusive: !leaf.upper.inclusive }),
      };
    case 'prefix':
      return { from: leaf.prefix || undefined, to: afterPrefix(leaf.prefix) };
    default:
      return undefined;
  }
}

/** The first term at a lower bound. */
function firstAt({ value, inclusive }: FilterBound<string>): string {
  return inclusive ? value : nextTerm(value);
}

/** The immediate successor of a term. */
export function nextTerm(term: string): string {
  return `${term}\0`;
}

/** The first term after all terms with a prefix; undefined if there is none. */
function afterPrefix(prefix: string): string | undefined {
  for (let length = prefix.length; 0 < length; length -= 1) {
    const next = nextUnit(prefix.charCodeAt(length - 1));
    if (next !== undefined) return prefix.slice(0, length - 1) + String.fromCharCode(next);
  }
  return undefined;
}

/** The next UTF-16 unit in the order of code points, in which surrogates come last. */
function nextUnit(unit: number): number | undefined {
  if (unit === 0xd7ff) return 0xe000;
  if (unit === 0xffff) return 0xd800;
  return unit === 0xdfff ? undefined : unit + 1;
}

/** A line of values cut into segments, none of which an interval contains in part. */
export interface Segments<V> {
  /** In order, without gaps: the first is open below, the last above. */
  readonly all: readonly Interval<V>[];
  /** The range of indices in `all` for the segments of an interval; the second is exclusive. */
  readonly segmentsOf: (interval: Interval<V>) => readonly [first: number, end: number];
}

/** Cuts a line into segments at the ends of intervals; `segmentsOf` accepts only intervals with such ends. */
export function cutInto<V>(intervals: readonly Interval<V>[], compare: (a: V, b: V) => number): Segments<V> {
  const ends = intervals.flatMap(({ from, to }) => [from, to]).filter((end) => end !== undefined);
  const cuts = [...new Set(ends)].sort(compare);
  const places = new Map(cuts.map((cut, place) => [cut, place]));
  return {
    all: [undefined, ...cuts].map((from, place) => ({ from, to: cuts[place] })),
    segmentsOf: ({ from, to }) => [
      from === undefined ? 0 : (places.get(from) ?? 0) + 1,
      to === undefined ? cuts.length + 1 : (places.get(to) ?? 0) + 1,
    ],
  };
}

/** Returns whether a term lies in an interval. */
export function holdsTerm({ from, to }: Interval<string>, term: string): boolean {
  return (
    (from === undefined || compareCodePoints(from, term) <= 0) &&
    (to === undefined || compareCodePoints(term, to) < 0)
  );
}
