import { sourceOf, type TimeCount } from '../case/index.ts';
import type { FieldValue, Filter } from '../language/index.ts';
import {
  instantsOf,
  intervalStart,
  type LogField,
  parseTimeZone,
  quarterHour,
  type TimeZone,
  utcZone,
} from '../records/index.ts';
import { coverageOf, type IntervalCoverage, type RequestedInterval } from './coverage.ts';
import type { AnyLogSource } from './log-source.ts';

/** Number of logs over time. */
export interface Histogram {
  /** Length of a bucket in milliseconds. */
  readonly every: number;
  /** Without gaps from the first log to the last, or over more time if asked; empty if there is no time. */
  readonly buckets: readonly Bucket[];
  /** Number of logs with a time. */
  readonly total: number;
  /** Number of logs without a time, which are in no bucket. */
  readonly timeless: number;
}

/** One interval. */
export interface Bucket {
  /** Start: milliseconds since the epoch. */
  readonly start: number;
  readonly count: number;
  /** Counts by value, if requested: the most frequent values overall, in the same order in every bucket. */
  readonly values?: readonly ValueInBucket[];
  /** Number of logs with other values, if counted by value. */
  readonly others?: number;
  /** Completeness of the logs of the bucket, if requested intervals were given. */
  readonly known?: IntervalCoverage;
}

/** Number of logs of a bucket with one value. */
export interface ValueInBucket {
  /** Absent for logs without a value. */
  readonly value?: FieldValue;
  readonly count: number;
}

/** Options of a histogram. */
export interface HistogramOptions {
  /** Length of a bucket in milliseconds. Default: a usual length that yields about `buckets` buckets. */
  readonly every?: number | undefined;
  /** Approximate number of buckets. Default: 40. */
  readonly buckets?: number;
  /** Field whose values are counted in each bucket. */
  readonly by?: LogField | undefined;
  /** Maximum number of values, the most frequent ones. Default: 10. */
  readonly values?: number;
  /** Zone whose clocks and days the buckets follow, such as "Europe/Berlin". Default: UTC. */
  readonly zone?: string;
  /** Time that the buckets cover at least, both ends included, milliseconds since the epoch. Default: that of the logs. */
  readonly over?: { readonly first: number; readonly last: number } | undefined;
  /** Requested intervals, by which each bucket reports its completeness. */
  readonly requested?: readonly RequestedInterval[] | undefined;
  /** Aborts the statements; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of buckets. */
const maxBuckets = 100_000;

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Usual bucket lengths in milliseconds. */
const lengths: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * day),
];

/**
 * Counts the logs that a filter selects in some cases over time. Buckets begin at multiples of
 * their length since the epoch, whole weeks on Monday, as `bucketStarts` says. Throws a `RangeError` for an
 * unknown zone, and if there would be more than 100,000 buckets.
 *
 * ```ts
 * const { buckets } = await histogram([incident], filter, { every: 60_000, by: 'logLevel' });
 * ```
 */
export async function histogram(
  cases: readonly AnyLogSource[],
  filter: Filter,
  {
    every,
    buckets = 40,
    by,
    values = 10,
    zone: zoneName = utcZone.name,
    over,
    requested,
    signal,
  }: HistogramOptions = {},
): Promise<Histogram> {
  const zone = parseTimeZone(zoneName);
  if (!zone) throw new RangeError(`There is no time zone "${zoneName}"`);
  const spans = await Promise.all(cases.map((source) => sourceOf(source).timeSpan(filter, { signal })));
  const ends: readonly { readonly first?: number; readonly last?: number }[] = over
    ? [...spans, over]
    : spans;
  const first = Math.min(...ends.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...ends.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  const total = spans.reduce((sum, { count }) => sum + count, 0);
  const timeless = spans.reduce((sum, span) => sum + span.timeless, 0);
  const length = every ?? bucketLength(last - first, buckets);
  if (last < first) return { every: length, buckets: [], total, timeless };
  if (maxBuckets * length < last - first)
    throw new RangeError(
      `There would be ${Math.ceil((last - first) / length)} buckets; ${maxBuckets} are the most`,
    );
  const starts = bucketStarts({ first, last, every: length }, zone);
  const options = { every: commonLength(starts, length), ...(by !== undefined && { by }), signal };
  const counts = (
    await Promise.all(cases.map((source) => sourceOf(source).countByTime(filter, options)))
  ).flat();
  const parted = by === undefined ? undefined : mostFrequent(counts, values);
  const filled = fill(counts, starts, parted);
  return {
    every: length,
    buckets: requested ? withKnown(filled, requested, starts) : filled,
    total,
    timeless,
  };
}

function withKnown(
  buckets: readonly Bucket[],
  requested: readonly RequestedInterval[],
  starts: readonly number[],
): Bucket[] {
  return buckets.map((bucket, index) => {
    const length = (starts[index + 1] ?? bucket.start) - bucket.start;
    return { ...bucket, known: coverageOf(requested, { start: bucket.start, length }) };
  });
}

/** Returns the shortest usual length that divides a span into at most `buckets` buckets. */
export function bucketLength(span: number, buckets: number): number {
  const min = Number.isFinite(span) ? span / buckets : 0;
  return lengths.find((length) => min <= length) ?? Math.ceil(min / day) * day;
}

type Value = FieldValue | undefined;

/** Returns the most frequent values of all buckets. */
function mostFrequent(counts: readonly TimeCount[], limit: number): readonly Value[] {
  const totals = new Map<Value, number>();
  for (const { value, count } of counts) totals.set(value, (totals.get(value) ?? 0) + count);
  const sorted = [...totals].sort(([, first], [, second]) => second - first);
  return sorted.slice(0, limit).map(([value]) => value);
}

/** Fills the buckets between the starts, divided by values if given. */
function fill(counts: readonly TimeCount[], starts: readonly number[], parted?: readonly Value[]): Bucket[] {
  const byStart = new Map<number, Map<Value, number>>();
  for (const { start, value, count } of counts) {
    const bucket = starts[lastAtMost(starts, start)] ?? start;
    const known = byStart.get(bucket) ?? new Map<Value, number>();
    byStart.set(bucket, known.set(value, (known.get(value) ?? 0) + count));
  }
  return starts.slice(0, -1).map((start) => toBucket(start, byStart.get(start), parted));
}

function toBucket(
  start: number,
  counts: ReadonlyMap<Value, number> = new Map(),
  parted?: readonly Value[],
): Bucket {
  const count = [...counts.values()].reduce((sum, logs) => sum + logs, 0);
  if (!parted) return { start, count };
  const values = parted.map((value) => ({
    ...(value !== undefined && { value }),
    count: counts.get(value) ?? 0,
  }));
  const shown = values.reduce((sum, part) => sum + part.count, 0);
  return { start, count, values, others: count - shown };
}

/** The buckets to make: first and last time, and the length, all in milliseconds. */
interface BucketSpan {
  readonly first: number;
  readonly last: number;
  readonly every: number;
}

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
function commonLength(starts: readonly number[], every: number): number {
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
