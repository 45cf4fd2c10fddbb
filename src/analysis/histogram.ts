import type { FieldValue } from '../meaning/document.ts';
import type { Filter } from '../meaning/filter.ts';
import type { LogField } from '../records/log.ts';
import { type Case, countByTime, type TimeCount, timeSpan } from '../store/index.ts';
import { type AskedStretch, type Known, knownOf } from './asked.ts';

/** How many logs there are over time. */
export interface Histogram {
  /** The length of a bucket in milliseconds. */
  readonly every: number;
  /** Without gaps from the first log to the last; empty when no log has a time. */
  readonly buckets: readonly Bucket[];
  /** Logs with a time. */
  readonly total: number;
  /** Logs without a time, which are in no bucket. */
  readonly timeless: number;
}

/** One stretch of time. */
export interface Bucket {
  /** When it begins: milliseconds since the epoch. */
  readonly start: number;
  readonly count: number;
  /** By the values of a field where that was asked for: the most frequent of the whole, in their order. */
  readonly values?: readonly ValueInBucket[];
  /** Logs of other values, where logs are parted by values. */
  readonly others?: number;
  /** What is known of the logs of its time, where it is known what was asked for. */
  readonly known?: Known;
}

/** How many logs of a bucket have one value. */
export interface ValueInBucket {
  /** Absent for logs that have none. */
  readonly value?: FieldValue;
  readonly count: number;
}

/** How logs are counted over time. */
export interface HistogramOptions {
  /** The length of a bucket in milliseconds; unless given it is chosen so that there are about as many as `buckets`. */
  readonly every?: number | undefined;
  /** About so many buckets: 40 unless given. */
  readonly buckets?: number;
  /** The field by which each bucket is parted. */
  readonly by?: LogField | undefined;
  /** By so many of its most frequent values at most: 10 unless given. */
  readonly values?: number;
  /** What was asked for, so that each bucket says what is known of it. */
  readonly asked?: readonly AskedStretch[] | undefined;
}

/** More buckets than this nobody reads. */
const maxBuckets = 100_000;

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Lengths that people count time in, in milliseconds. */
const lengths: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * day),
];

/**
 * How many of the logs that a filter selects in some cases there are over
 * time. Buckets begin at multiples of their length since the epoch, in UTC.
 * Throws a `RangeError` when there would be more than 100,000 of them.
 */
export async function histogram(
  cases: readonly Case[],
  filter: Filter,
  { every, buckets = 40, by, values = 10, asked }: HistogramOptions = {},
): Promise<Histogram> {
  const spans = await Promise.all(cases.map((each) => timeSpan(each, filter)));
  const first = Math.min(...spans.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  const total = spans.reduce((sum, { count }) => sum + count, 0);
  const timeless = spans.reduce((sum, span) => sum + span.timeless, 0);
  const length = every ?? niceLength(last - first, buckets);
  if (last < first) return { every: length, buckets: [], total, timeless };
  if (maxBuckets * length < last - first)
    throw new RangeError(
      `There would be ${Math.ceil((last - first) / length)} buckets; ${maxBuckets} are the most`,
    );
  const options = { every: length, ...(by !== undefined && { by }) };
  const counts = (await Promise.all(cases.map((each) => countByTime(each, filter, options)))).flat();
  const parted = by === undefined ? undefined : mostFrequent(counts, values);
  const filled = fill(counts, { first, last, every: length }, parted);
  return { every: length, buckets: asked ? withKnown(filled, asked, length) : filled, total, timeless };
}

function withKnown(buckets: readonly Bucket[], asked: readonly AskedStretch[], length: number): Bucket[] {
  return buckets.map((each) => ({ ...each, known: knownOf(asked, { start: each.start, length }) }));
}

/** The shortest of the usual lengths of which a span has no more than so many. */
function niceLength(span: number, buckets: number): number {
  const least = Number.isFinite(span) ? span / buckets : 0;
  return lengths.find((length) => least <= length) ?? Math.ceil(least / day) * day;
}

interface Span {
  readonly first: number;
  readonly last: number;
  readonly every: number;
}

type Value = FieldValue | undefined;

/** The most frequent values of all buckets. */
function mostFrequent(counts: readonly TimeCount[], limit: number): readonly Value[] {
  const totals = new Map<Value, number>();
  for (const { value, count } of counts) totals.set(value, (totals.get(value) ?? 0) + count);
  const sorted = [...totals].sort(([, first], [, second]) => second - first);
  return sorted.slice(0, limit).map(([value]) => value);
}

/** Buckets without gaps, parted by some values where there are any. */
function fill(
  counts: readonly TimeCount[],
  { first, last, every }: Span,
  parted?: readonly Value[],
): Bucket[] {
  const byStart = new Map<number, Map<Value, number>>();
  for (const { start, value, count } of counts) {
    const known = byStart.get(start) ?? new Map<Value, number>();
    byStart.set(start, known.set(value, (known.get(value) ?? 0) + count));
  }
  const buckets: Bucket[] = [];
  for (let start = Math.floor(first / every) * every; start <= last; start += every)
    buckets.push(toBucket(start, byStart.get(start), parted));
  return buckets;
}

function toBucket(
  start: number,
  counts: ReadonlyMap<Value, number> = new Map(),
  parted?: readonly Value[],
): Bucket {
  const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
  if (!parted) return { start, count };
  const values = parted.map((value) => ({
    ...(value !== undefined && { value }),
    count: counts.get(value) ?? 0,
  }));
  const shown = values.reduce((sum, each) => sum + each.count, 0);
  return { start, count, values, others: count - shown };
}
