import {
  type Arrivals,
  type Case,
  countArrivals,
  countErrors,
  type ErrorCount,
  groupTimings,
  slowestTimings,
  type TimedRequest,
  type TimingGroup,
  type TimingKey,
  timingIntervals,
} from '../case/index.ts';
import type { FieldValue, Filter } from '../language/index.ts';
import { quarterHour, type TimeZone, utcZone } from '../records/index.ts';
import { joinNumbers } from './group-blocks.ts';
import { bucketStarts, lastAtMost } from './histogram.ts';

/** Figures of some logs. Times are seconds, `first` and `last` milliseconds since the epoch. */
export interface ServiceFigures {
  readonly logs: number;
  /** Requests with a measured time. */
  readonly requests: number;
  /** Logs of level SEVERE, and of level WARNING. */
  readonly errors: number;
  readonly warnings: number;
  /** Measured times of requests; absent if there is none. */
  readonly elapsed?: TimingStatistics;
  /** Times that requests waited, by messages of code 7615; absent if there is none. */
  readonly wait?: TimingStatistics;
  readonly first?: number;
  readonly last?: number;
}

/** Figures of the logs with the same values of the keys. */
export interface ServiceGroup extends ServiceFigures {
  /** Values by key; a key that the logs lack is absent. Intervals are the start in milliseconds since the epoch. */
  readonly key: { readonly [K in TimingKey]?: FieldValue };
  /** Share of all requests, and of the sum of their times: 0 to 1. Absent if no request was measured. */
  readonly share?: number;
  readonly sumShare?: number;
}

/** A measured request in one of some cases. */
export interface SlowRequest extends TimedRequest {
  /** Index of its case, from 0. */
  readonly ofCase: number;
}

/** Requests, times and errors of some logs. */
export interface ServiceReport {
  readonly by: readonly TimingKey[];
  /** All logs. The counts of the groups add up to those here. */
  readonly total: ServiceFigures;
  /** Intervals in order of time, else the largest sum of times first. */
  readonly groups: readonly ServiceGroup[];
  /** Logs with a measured time that belong to no request, such as health checks and backups. */
  readonly background: number;
  /** Measured requests by the time they took; empty if none was measured. */
  readonly responses: readonly ResponseBucket[];
  /** Absent if no request has a time. */
  readonly arrivals?: ArrivalRate;
  /** The slowest measured requests first. */
  readonly slowest: readonly SlowRequest[];
  /** Codes of errors and warnings: errors first, then the most frequent. */
  readonly errors: readonly RankedError[];
}

/** Options of a service report. */
export interface ServiceReportOptions {
  readonly filter: Filter;
  /** Keys by which logs are grouped. Default: by service. */
  readonly by?: readonly TimingKey[];
  /** Maximum number of slowest requests. Default 10. */
  readonly slowest?: number;
  /** Zone by whose clocks hours and days begin. Default UTC. */
  readonly zone?: TimeZone;
  /** Ends the work: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Summarises the requests in the logs that a filter selects: how many, how long, which errors. Times are as
 * measured by the deployment, which needs level FINE; zero means "not measured". A request counts once: by
 * the time that a service logged (code 100004), else the full one (9999, 9526), else the longest. Rejects with a `StoreError`.
 *
 * ```ts
 * const { groups, errors } = await serviceReport([incident], { filter, by: ['service'] });
 * for (const { key, requests, elapsed } of groups) console.log(key.service, requests, elapsed);
 * ```
 */
export async function serviceReport(
  cases: readonly Case[],
  { filter, by = ['service'], slowest = 10, zone = utcZone, signal }: ServiceReportOptions,
): Promise<ServiceReport> {
  const options = { by, signal, ...(zone !== utcZone && { longest: quarterHour }) };
  // The database works on the others while this thread sums up one.
  const [groups, arrivals, slowestFound, errors] = await Promise.all([
    Promise.all(cases.map((from) => groupTimings(from, filter, options))),
    arrivalRate(cases, filter, signal),
    slowestOf(cases, filter, { limit: slowest, signal }),
    errorsByCode(cases, filter, signal),
  ]);
  const found = groups.flat();
  const joined = joinGroups(alignIntervals(found, by, zone));
  const all = joinNumbers(found.map(({ took }) => took));
  const total = figuresOf(found);
  return {
    by,
    total,
    groups: joined.map((group) => toGroup(group, { by, total })).sort(comparing(by)),
    background: found.reduce((sum, { background }) => sum + background, 0),
    responses: all.length === 0 ? [] : responseHistogram(all),
    ...(arrivals && { arrivals }),
    slowest: slowestFound,
    errors,
  };
}

/** Replaces the starts of shorter intervals by those of the hour or day by the clocks of a zone. */
function alignIntervals(
  found: readonly TimingGroup[],
  by: readonly TimingKey[],
  zone: TimeZone,
): readonly TimingGroup[] {
  const starts = by.map((key, index) => {
    const every = timingIntervals[key];
    const times = found.flatMap(({ keys }) => (typeof keys[index] === 'number' ? keys[index] : []));
    if (zone === utcZone || every === undefined || times.length === 0) return undefined;
    return bucketStarts({ first: smallest(times), last: largest(times), every }, zone);
  });
  const align = (value: FieldValue | undefined, index: number) => {
    const ofKey = starts[index];
    return ofKey && typeof value === 'number' ? (ofKey[lastAtMost(ofKey, value)] ?? value) : value;
  };
  return found.map((group) => ({ ...group, keys: group.keys.map(align) }));
}

/** Collects the groups of all cases with the same keys. */
function joinGroups(found: readonly TimingGroup[]): readonly (readonly TimingGroup[])[] {
  const groups = new Map<string, TimingGroup[]>();
  for (const group of found) {
    const key = JSON.stringify(group.keys.map((value) => (value === undefined ? null : String(value))));
    groups.set(key, [...(groups.get(key) ?? []), group]);
  }
  return [...groups.values()];
}

function figuresOf(parts: readonly TimingGroup[]): ServiceFigures {
  const sum = (of: (part: TimingGroup) => number) => parts.reduce((total, part) => total + of(part), 0);
  const elapsed = timingStatistics(joinNumbers(parts.map(({ took }) => took)));
  const wait = timingStatistics(joinNumbers(parts.map(({ waited }) => waited)));
  const firsts = parts.flatMap(({ first = [] }) => first);
  const lasts = parts.flatMap(({ last = [] }) => last);
  return {
    logs: sum(({ logs }) => logs),
    requests: elapsed?.count ?? 0,
    errors: sum(({ errors }) => errors),
    warnings: sum(({ warnings }) => warnings),
    ...(elapsed && { elapsed }),
    ...(wait && { wait }),
    ...(0 < firsts.length && { first: smallest(firsts), last: largest(lasts) }),
  };
}

/** Not by spreading into `Math.min`, which fails for many groups. */
function smallest(values: readonly number[]): number {
  return values.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY);
}

function largest(values: readonly number[]): number {
  return values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
}

function toGroup(
  parts: readonly TimingGroup[],
  { by, total }: Pick<ServiceReport, 'by' | 'total'>,
): ServiceGroup {
  const figures = figuresOf(parts);
  const values = parts[0]?.keys ?? [];
  const named = by.flatMap((name, index): [TimingKey, FieldValue][] => {
    const value = values[index];
    return value === undefined ? [] : [[name, value]];
  });
  const shares = total.elapsed && {
    share: figures.requests / total.requests,
    sumShare: (figures.elapsed?.sum ?? 0) / total.elapsed.sum,
  };
  return { key: Object.fromEntries(named), ...figures, ...shares };
}

/** Orders intervals by time and others by what they cost, so that equal data have one order. */
function comparing(by: readonly TimingKey[]): (first: ServiceGroup, second: ServiceGroup) => number {
  const time = by.find((key) => timingIntervals[key] !== undefined);
  return (first, second) =>
    (time === undefined ? 0 : compareValues(first.key[time], second.key[time])) ||
    (second.elapsed?.sum ?? 0) - (first.elapsed?.sum ?? 0) ||
    second.errors - first.errors ||
    second.logs - first.logs ||
    by.reduce((order, key) => order || compareValues(first.key[key], second.key[key]), 0);
}

/** Compares numbers by size, texts by code units; an absent value is last. */
function compareValues(first: FieldValue | undefined, second: FieldValue | undefined): number {
  if (first === second) return 0;
  if (first === undefined) return 1;
  return second === undefined || first < second ? -1 : 1;
}

async function slowestOf(
  cases: readonly Case[],
  filter: Filter,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<readonly SlowRequest[]> {
  const found = await Promise.all(cases.map((from) => slowestTimings(from, filter, { limit, signal })));
  const all = found.flatMap((requests, ofCase) => requests.map((request) => ({ ...request, ofCase })));
  return all.sort((first, second) => second.took - first.took).slice(0, limit);
}

/** Requests over time. */
interface ArrivalRate {
  /** `measured`: requests with a measured time, by their begin. `logged`: logs of arrivals (code 9029). */
  readonly of: 'measured' | 'logged';
  readonly requests: number;
  /** Mean from the first to the last minute with a request, both included. */
  readonly perMinute: number;
  /** The first of the fullest minutes; `start` is in milliseconds since the epoch. */
  readonly busiest: Arrivals;
}

const minute = 60_000;

/**
 * Returns the rate at which requests arrive in the logs that a filter selects: of measured requests, else of
 * logged arrivals. Undefined if there is none with a time.
 */
async function arrivalRate(
  cases: readonly Case[],
  filter: Filter,
  signal?: AbortSignal,
): Promise<ArrivalRate | undefined> {
  for (const of of ['measured', 'logged'] as const) {
    const counts = await Promise.all(cases.map((from) => countArrivals(from, filter, { of, signal })));
    const rate = rateOf(counts.flat());
    if (rate) return { of, ...rate };
  }
  return undefined;
}

function rateOf(arrivals: readonly Arrivals[]): Omit<ArrivalRate, 'of'> | undefined {
  const byMinute = new Map<number, number>();
  for (const { start, count } of arrivals) byMinute.set(start, (byMinute.get(start) ?? 0) + count);
  const minutes = [...byMinute].map(([start, count]) => ({ start, count })).sort((a, b) => a.start - b.start);
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (!first || !last) return undefined;
  const requests = minutes.reduce((sum, { count }) => sum + count, 0);
  const busiest = minutes.reduce(
    (fullest, bucket) => (fullest.count < bucket.count ? bucket : fullest),
    first,
  );
  return { requests, perMinute: requests / ((last.start - first.start) / minute + 1), busiest };
}

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
    count,
    min,
    mean,
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max,
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
  for (const item of values) {
    const value = of(item);
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

/** Logs of level SEVERE or WARNING with the same code. */
export type RankedError = ErrorCount;

/** Ranks the codes of errors and warnings that a filter selects: errors first, then the most frequent. */
export async function errorsByCode(
  cases: readonly Case[],
  filter: Filter,
  signal?: AbortSignal,
): Promise<readonly RankedError[]> {
  const found = await Promise.all(cases.map((from) => countErrors(from, filter, { signal })));
  const joined = new Map<string, RankedError>();
  for (const error of found.flat()) {
    const key = `${error.level} ${error.code}`;
    const known = joined.get(key);
    joined.set(key, known ? join(known, error) : error);
  }
  return [...joined.values()].sort(
    (first, second) =>
      compare(first.level, second.level) ||
      second.count - first.count ||
      (first.first ?? 0) - (second.first ?? 0) ||
      compare(String(first.code), String(second.code)),
  );
}

function join(one: RankedError, other: RankedError): RankedError {
  const isOneFirst = (one.first ?? Number.POSITIVE_INFINITY) <= (other.first ?? Number.POSITIVE_INFINITY);
  const [earlier, later] = isOneFirst ? [one, other] : [other, one];
  const lasts = [one.last ?? [], other.last ?? []].flat();
  return {
    ...earlier,
    count: one.count + other.count,
    last: lasts.length === 0 ? undefined : Math.max(...lasts),
    source: earlier.source ?? later.source,
    message: earlier.message ?? later.message,
  };
}

/** "SEVERE" precedes "WARNING" in the order of code units. */
function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
