import type { Bound } from '../../meaning/filter.ts';
import { compareCodePoints } from '../../meaning/match.ts';
import type { Leaf } from './logic.ts';

/** The values from one on, up to but without another; an end that is absent is open. */
export interface Interval<V> {
  readonly from: V | undefined;
  readonly to: V | undefined;
}

/** The terms that a leaf asks for where these lie side by side in the order of terms; undefined for any other leaf. */
export function termInterval(leaf: Leaf): Interval<string> | undefined {
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
function firstAt({ value, inclusive }: Bound<string>): string {
  return inclusive ? value : nextTerm(value);
}

/** The first term behind another one: nothing lies between the two. */
export function nextTerm(term: string): string {
  return `${term}\0`;
}

/** The first term behind all those with a prefix; undefined when no term is. */
function afterPrefix(prefix: string): string | undefined {
  for (let length = prefix.length; 0 < length; length -= 1) {
    const next = nextUnit(prefix.charCodeAt(length - 1));
    if (next !== undefined) return prefix.slice(0, length - 1) + String.fromCharCode(next);
  }
  return undefined;
}

/** The UTF-16 unit that follows in the order of code points, in which surrogates come last. */
function nextUnit(unit: number): number | undefined {
  if (unit === 0xd7ff) return 0xe000;
  if (unit === 0xffff) return 0xd800;
  return unit === 0xdfff ? undefined : unit + 1;
}

/** A line of values cut into segments, none of which an interval holds in part. */
export interface Segments<V> {
  /** In order, without gaps: the first is open below, the last above. */
  readonly all: readonly Interval<V>[];
  /** The places in `all` of the segments of an interval: from the first, up to but without the second. */
  readonly segmentsOf: (interval: Interval<V>) => readonly [first: number, end: number];
}

/** The segments that intervals cut a line into; every end of an interval asked for later must be among theirs. */
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

/** Whether a term lies in an interval. */
export function holdsTerm({ from, to }: Interval<string>, term: string): boolean {
  return (
    (from === undefined || compareCodePoints(from, term) <= 0) &&
    (to === undefined || compareCodePoints(term, to) < 0)
  );
}
