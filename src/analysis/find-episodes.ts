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

/** Counts of events in successive buckets, and the exposure of each, such as the number of all logs. */
export interface CountSeries {
  readonly counts: ArrayLike<number>;
  /** At least 0. A bucket without exposure is no data. */
  readonly exposure: ArrayLike<number>;
}

/** A bucket at which the rate of events changes. */
interface ChangePoint {
  /** Index of the first bucket with the new rate. */
  readonly index: number;
  /** An upper bound of the probability of such a change by chance, corrected for all places and series examined. */
  readonly p: number;
}

/** Options of `findChangePoints`. */
interface ChangePointOptions {
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number;
  /** Number of series that are examined at once. Default 1. */
  readonly series?: number;
}

/**
 * Finds all changes of the rate of events per exposure, in order of the buckets. The method is seeded binary
 * segmentation (Kovács et al., 2023), the narrowest significant interval first (Baranowski et al., 2019).
 *
 * The test is the likelihood ratio of two Poisson rates, given their sum. Its p-value is bounded for any number of
 * events by Chernoff's inequality, and corrected for the number of places (Bonferroni): within an interval these are
 * its buckets, or its events if they are fewer, as the ratio is greatest beside one. Each length of intervals has an
 * equal part of the error, so that slow changes of rare events are not held to the number of short intervals. Events
 * that come in bursts count less, by the dispersion between neighbours.
 */
export function findChangePoints(
  series: CountSeries,
  { limit = 0.01, series: number = 1 }: ChangePointOptions = {},
): readonly ChangePoint[] {
  const sums = cumulate(series);
  const length = series.counts.length;
  const intervals = seededIntervals(length);
  const dispersion = dispersionOf(series);
  const pOf = ({ start, end, gain }: SplitInterval, share = shareOf(length, end - start)) => {
    const events = (sums.counts[end] ?? 0) - (sums.counts[start] ?? 0);
    const places = Math.max(1, Math.min(end - start - 1, events));
    return Math.min(1, ((2 * places * number) / share) * Math.exp(-gain / dispersion));
  };
  const significant = intervals
    .map(({ share, ...each }) => ({ share, ...each, ...bestSplit(sums, each.start, each.end) }))
    .filter(({ share, ...each }) => pOf(each, share) < limit)
    .sort(
      (first, second) => first.end - first.start - (second.end - second.start) || second.gain - first.gain,
    );
  const accepted: number[] = [];
  for (const { start, end, index } of significant)
    if (!accepted.some((each) => start < each && each < end)) accepted.push(index);
  return refine(sums, { indexes: accepted.sort((a, b) => a - b), pOf, limit });
}

/** Cumulative counts and exposures: those of the first n buckets at index n. */
interface Sums {
  readonly counts: Float64Array;
  readonly exposure: Float64Array;
}

function cumulate({ counts, exposure }: CountSeries): Sums {
  const sums = { counts: new Float64Array(counts.length + 1), exposure: new Float64Array(counts.length + 1) };
  for (let index = 0; index < counts.length; index++) {
    const isKnown = 0 < (exposure[index] ?? 0);
    sums.counts[index + 1] = (sums.counts[index] ?? 0) + (isKnown ? (counts[index] ?? 0) : 0);
    sums.exposure[index + 1] = (sums.exposure[index] ?? 0) + (exposure[index] ?? 0);
  }
  return sums;
}

/** The place in an interval that divides it best: before `index`, with the gain in log-likelihood. */
interface Split {
  readonly index: number;
  readonly gain: number;
}

/** An interval with its best split. */
interface SplitInterval extends Split, BucketInterval {}

/** Finds the split of the buckets from `start` up to `end` with the greatest gain. */
function bestSplit({ counts, exposure }: Sums, start: number, end: number): Split {
  const [firstCount = 0, firstExposure = 0] = [counts[start], exposure[start]];
  const count = (counts[end] ?? 0) - firstCount;
  const all = (exposure[end] ?? 0) - firstExposure;
  let best = { index: start, gain: 0 };
  if (count === 0 || all === 0) return best;
  const rate = count / all;
  for (let index = start + 1; index < end; index++) {
    const [left, seen] = [(counts[index] ?? 0) - firstCount, (exposure[index] ?? 0) - firstExposure];
    if (seen === 0 || seen === all) continue;
    const gain = term(left, rate * seen) + term(count - left, rate * (all - seen));
    if (best.gain < gain) best = { index, gain };
  }
  return best;
}

function term(count: number, expected: number): number {
  return count === 0 ? 0 : count * Math.log(count / expected);
}

/** Moves each change to its best place between its neighbours, and drops the weakest until all are significant. */
function refine(
  sums: Sums,
  {
    indexes,
    pOf,
    limit,
  }: {
    readonly indexes: readonly number[];
    readonly pOf: (split: SplitInterval) => number;
    readonly limit: number;
  },
): readonly ChangePoint[] {
  const last = sums.counts.length - 1;
  let splits = indexes.map((index): SplitInterval => ({ index, gain: 0, start: 0, end: last }));
  for (;;) {
    for (const at of splits.keys()) {
      const [start, end] = [splits[at - 1]?.index ?? 0, splits[at + 1]?.index ?? last];
      splits[at] = { start, end, ...bestSplit(sums, start, end) };
    }
    const weakest = splits.reduce<SplitInterval | undefined>(
      (least, each) => (least && pOf(each) <= pOf(least) ? least : each),
      undefined,
    );
    if (!weakest || pOf(weakest) < limit) return splits.map((each) => ({ index: each.index, p: pOf(each) }));
    splits = splits.filter((each) => each !== weakest);
  }
}

/** Shares of the pairs that are left out as changes themselves when the dispersion is estimated. */
const trimmed = 0.05;

/**
 * The dispersion of the counts relative to a Poisson process, at least 1. It is the mean chi-square of neighbours,
 * whose expectation is 1 for equal rates.
 */
function dispersionOf({ counts, exposure }: CountSeries): number {
  const pairs: number[] = [];
  for (let index = 1; index < counts.length; index += 2) {
    const [first = 0, second = 0] = [counts[index - 1], counts[index]];
    const [a = 0, b = 0] = [exposure[index - 1], exposure[index]];
    if (0 < first + second && 0 < a && 0 < b)
      pairs.push((first * b - second * a) ** 2 / (a * b * (first + second)));
  }
  pairs.sort((first, second) => first - second);
  const rest = pairs.slice(0, pairs.length - Math.max(1, Math.ceil(pairs.length * trimmed)));
  return Math.max(1, rest.reduce((sum, each) => sum + each, 0) / Math.max(1, rest.length));
}

/** Buckets from `start` up to, not including, `end`. */
interface BucketInterval {
  readonly start: number;
  readonly end: number;
}

/** An interval with its share of the probability of an error: all lengths have the same, and all of one length. */
interface SeededInterval extends BucketInterval {
  readonly share: number;
}

/** Each layer of intervals is shorter than the one before by this factor. */
const decay = Math.SQRT1_2;

/**
 * Intervals of all lengths over a number of buckets, overlapping by half. Any change has some interval in which it
 * is the only one (Kovács et al., 2023). Their lengths add up to O(n log n).
 */
export function seededIntervals(length: number): readonly SeededInterval[] {
  const found = new Map<number, SeededInterval>();
  for (let size = length; 2 <= size; size *= decay) {
    const count = intervalsOf(length, size);
    const share = shareOf(length, size);
    const shift = count === 1 ? 0 : (length - size) / (count - 1);
    for (let at = 0; at < count; at++) {
      const [start, end] = [Math.floor(at * shift), Math.min(length, Math.ceil(at * shift + size))];
      const key = start * (length + 1) + end;
      if (!found.has(key)) found.set(key, { start, end, share });
    }
  }
  return [...found.values()];
}

/** The share of an interval of some size. */
function shareOf(length: number, size: number): number {
  const sizes = Math.floor(Math.log(length / 2) / Math.log(1 / decay)) + 1;
  return 1 / (sizes * intervalsOf(length, size));
}

/** The number of intervals of some size. */
function intervalsOf(length: number, size: number): number {
  return 2 * Math.ceil(length / size) - 1;
}
