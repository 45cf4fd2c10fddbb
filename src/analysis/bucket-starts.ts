import { instantsOf, intervalStart, quarterHour, type TimeZone, utcZone } from '../records/index.ts';

/** The buckets to make: first and last time, and the length, all in milliseconds. */
export interface BucketSpan {
  readonly first: number;
  readonly last: number;
  readonly every: number;
}

const hour = 3_600_000;

/**
 * Returns the starts of the buckets with all times of a span, then the end of the last one. Buckets
 * begin at multiples of their length since the epoch, whole weeks on Monday. Lengths of whole quarters
 * of an hour go by the clocks of the zone. Longer ones than an hour follow the clocks: when these are
 * changed, a day has 23 or 25 hours. Shorter ones keep their length: an hour that occurs twice has
 * buckets of its own.
 */
export function bucketStarts(span: BucketSpan, zone: TimeZone): readonly number[] {
  const { first, last, every } = span;
  const isLocal = zone !== utcZone && every % quarterHour === 0;
  if (isLocal && hour < every) return calendarStarts(span, zone);
  const starts = [firstBucketStart(span, zone)];
  for (let start = starts[0] ?? first; start <= last; starts.push(start)) start += every;
  return starts;
}

/** Returns the start of the bucket with the first time of a span, by the clocks of the zone at that time. */
export function firstBucketStart({ first, every }: Omit<BucketSpan, 'last'>, zone: TimeZone): number {
  const offset = every % quarterHour === 0 ? zone.offsetAt(first) : 0;
  return intervalStart(first + offset, every) - offset;
}

function calendarStarts({ first, last, every }: BucketSpan, zone: TimeZone): readonly number[] {
  const starts: number[] = [];
  let reading = intervalStart(first + zone.offsetAt(first), every);
  for (let latest = Number.NEGATIVE_INFINITY; latest <= last; reading += every) {
    const start = instantsOf(zone, reading).earliest;
    // A whole day can be skipped where a zone crosses the date line.
    if (latest < start) starts.push(start);
    latest = start;
  }
  return starts;
}

/** The longest interval whose multiples all starts are, for counts that fit into the buckets. */
export function commonLength(starts: readonly number[], every: number): number {
  const lengths = [every, quarterHour, 60_000, 1000];
  return lengths.find((length) => starts.every((start) => intervalStart(start, length) === start)) ?? 1;
}

/** Index of the last of ascending numbers that is at most `limit`; 0 if none is. */
export function lastAtMost(ascending: readonly number[], limit: number): number {
  let [from, to] = [0, ascending.length];
  while (1 < to - from) {
    const middle = Math.floor((from + to) / 2);
    if ((ascending[middle] ?? 0) <= limit) from = middle;
    else to = middle;
  }
  return from;
}
