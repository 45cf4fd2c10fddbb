import { type ChangePointOptions, type CountSeries, findChangePoints } from './find-change-points.ts';

/** Successive buckets in which the rate of events differs from the rate at first. */
export interface Episode {
  /** `new`: no event before. `gone`: none within. */
  readonly kind: 'new' | 'more' | 'less' | 'gone';
  /** Index of the first bucket, and of the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Events within, and as many as the first rate would give. */
  readonly count: number;
  readonly expected: number;
  /** The binary logarithm of the ratio of the rates. */
  readonly effect: number;
  /** The p-value of the change at the start, corrected for all comparisons. */
  readonly p: number;
}

/** A rate differs at least by this factor, as a binary logarithm. */
const leastEffect = 1;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly exposure: number;
  readonly p: number;
}

/**
 * Finds the intervals in which events are at least twice or at most half as frequent as at first, in order. Empty
 * where the rate does not change.
 */
export function findEpisodes(series: CountSeries, options: ChangePointOptions = {}): readonly Episode[] {
  const changes = findChangePoints(series, options);
  const edges = [{ index: 0, p: 1 }, ...changes];
  const segments = edges.map(({ index, p }, at) =>
    segmentOf(series, { start: index, end: edges[at + 1]?.index ?? series.counts.length, p }),
  );
  const [first, ...others] = segments;
  if (!first) return [];
  const episodes: Segment[] = [];
  let isOpen = false;
  for (const segment of others) {
    const direction = directionOf(segment, first);
    const last = episodes.at(-1);
    if (last && isOpen && direction === directionOf(last, first))
      episodes[episodes.length - 1] = join(last, segment);
    else if (direction !== 0) episodes.push(segment);
    isOpen = direction !== 0;
  }
  return episodes.map((segment) => toEpisode(segment, first));
}

function segmentOf(
  { counts, exposure }: CountSeries,
  { start, end, p }: { readonly start: number; readonly end: number; readonly p: number },
): Segment {
  let [count, all] = [0, 0];
  for (let index = start; index < end; index++) {
    if (exposure[index] === 0) continue;
    count += counts[index] ?? 0;
    all += exposure[index] ?? 0;
  }
  return { start, end, count, exposure: all, p };
}

function join(first: Segment, second: Segment): Segment {
  return {
    ...{ start: first.start, end: second.end, p: Math.min(first.p, second.p) },
    count: first.count + second.count,
    exposure: first.exposure + second.exposure,
  };
}

function effectOf(segment: Segment, first: Segment): number {
  const rate = (each: Segment) => (each.count + 0.5) / each.exposure;
  return Math.log2(rate(segment) / rate(first));
}

/** 1 for more events than at first, -1 for fewer, 0 for about as many. */
function directionOf(segment: Segment, first: Segment): number {
  const effect = effectOf(segment, first);
  return leastEffect <= Math.abs(effect) ? Math.sign(effect) : 0;
}

function toEpisode(segment: Segment, first: Segment): Episode {
  const { start, end, count, exposure, p } = segment;
  const effect = effectOf(segment, first);
  const kind = first.count === 0 ? 'new' : count === 0 ? 'gone' : 0 < effect ? 'more' : 'less';
  return { kind, start, end, count, expected: (first.count / first.exposure) * exposure, effect, p };
}
