/** Statistics of measured times, in seconds. */
export interface TimingStatistics {
  readonly count: number;
  readonly min: number;
  readonly mean: number;
  /** Percentiles, interpolated linearly between the two nearest values (type 7 of Hyndman and Fan, 1996). */
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Standard deviation of the sample; absent for a single value. */
  readonly deviation?: number;
  readonly sum: number;
}

/** Computes the statistics of some times; undefined if there is none. */
export function timingStatistics(times: Float64Array): TimingStatistics | undefined {
  const sorted = times.toSorted();
  const count = sorted.length;
  const [min, max] = [sorted[0], sorted[count - 1]];
  if (min === undefined || max === undefined) return undefined;
  const sum = sumOf(sorted);
  const mean = sum / count;
  const at = (share: number) => percentile(sorted, share);
  return {
    ...{ count, min, mean },
    ...{ p50: at(0.5), p75: at(0.75), p90: at(0.9), p95: at(0.95), p99: at(0.99), max },
    ...(1 < count && { deviation: Math.sqrt(sumOf(sorted, (value) => (value - mean) ** 2) / (count - 1)) }),
    sum,
  };
}

function percentile(sorted: Float64Array, share: number): number {
  const rank = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(rank)] ?? Number.NaN, sorted[Math.ceil(rank)] ?? Number.NaN];
  return below + (above - below) * (rank - Math.floor(rank));
}

/** Adds values with compensation for rounding errors (Neumaier, 1974). */
function sumOf(values: Float64Array, of: (value: number) => number = (value) => value): number {
  let [sum, lost] = [0, 0];
  for (const each of values) {
    const value = of(each);
    const next = sum + value;
    lost += Math.abs(value) <= Math.abs(sum) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** Requests whose time is within a range. */
export interface ResponseBucket {
  /** Seconds, included. */
  readonly from: number;
  /** Seconds, excluded; absent for the last range. */
  readonly to?: number;
  readonly count: number;
}

/** Bounds in seconds. Those from 3 on are usual in reports on this deployment; most requests are below. */
const bounds: readonly number[] = [0, 0.1, 0.3, 1, 3, 10, 20, 30, 60];

/** Counts times by fixed ranges, from 0 to 60 seconds and beyond. */
export function responseHistogram(times: Float64Array): readonly ResponseBucket[] {
  const counts = new Array<number>(bounds.length).fill(0);
  for (const time of times) {
    const bucket = bounds.findLastIndex((bound) => bound <= time);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return bounds.map((from, index) => {
    const to = bounds[index + 1];
    return { from, ...(to !== undefined && { to }), count: counts[index] ?? 0 };
  });
}
