import { type Case, countByTime, timeSpan } from '../case/index.ts';
import { boolFilter, type Filter, parse, quote, resolve } from '../language/index.ts';
import { coverageOf, type RequestedInterval } from './coverage.ts';
import { type Episode, fitExposure } from './find-episodes.ts';
import { collectElapsed, type ElapsedTimes } from './find-latency-shifts.ts';
import { patternId, patternQuery } from './find-patterns.ts';
import { compareTexts, type InternedBytes } from './group-blocks.ts';
import {
  addCounts,
  type Buckets,
  countMasks,
  type MaskCounts,
  type MaskGroups,
  mergeMasks,
} from './mask-groups.ts';

/** Counts over time of logs that belong together. */
export interface SubjectSeries {
  readonly subject: ChangeSubject;
  readonly counts: ArrayLike<number>;
  /** Parts of each bucket with any log, where they were counted: logs that come together are one. */
  readonly bursts?: ArrayLike<number> | undefined;
  /** The number of parts of each bucket. */
  readonly parts?: number | undefined;
  /** The expected course of the counts; 0 where a time was not exported. */
  readonly exposure: ArrayLike<number>;
  /** The known part of each bucket; absent for latencies, whose exposure is the number of requests. */
  readonly time?: ArrayLike<number> | undefined;
  /** Selects the logs at any time. Absent where no query can. */
  readonly query?: string;
  /** True for failures and slow services: they share a half of the probability of an error. */
  readonly isFailure?: boolean | undefined;
  /** The share of slower requests that is counted, for latencies: a quarter, or the slowest twentieth. */
  readonly slowest?: number | undefined;
  /** Elapsed times of the logs by method, for latencies. */
  readonly elapsed?: readonly ElapsedTimes[];
}

/** All series of some cases. */
export interface CollectedSeries {
  readonly buckets: Buckets;
  readonly series: readonly SubjectSeries[];
  /** Logs of the symptom; absent without one. */
  readonly symptomLogs?: number;
}

/** The logs to collect series of. */
export interface CollectSeriesOptions {
  readonly filter: Filter;
  readonly buckets: Buckets;
  /** The first and the last log. */
  readonly span: { readonly first: number; readonly last: number };
  /** The messages of these logs, with the buckets as a partition. */
  readonly messages: Promise<MaskGroups>;
  readonly requested: readonly RequestedInterval[];
  /** Logs whose rate is examined before all others. */
  readonly symptom?: { readonly query: string; readonly filter: Filter } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The changes of fewer logs than these cannot be distinguished from chance. */
const fewestLogs = 5;

/** Levels whose codes are counted by themselves. */
const failureLevels = ['SEVERE', 'WARNING'] as const;

/** Fields whose values are counted by themselves: who logs, what, and at which level. */
const countedFields = ['logLevel', 'source', 'username', 'machine'] as const;

/** A latency is counted by its slower quarter, and by its slowest twentieth. */
const slowestParts = [0.25, 0.05] as const;

/**
 * Collects the logs over time: all of them, the codes of severe logs and warnings, all patterns, levels, sources, users
 * and hosts, and all latencies.
 */
export async function collectSeries(
  cases: readonly Case[],
  options: CollectSeriesOptions,
): Promise<CollectedSeries> {
  const { filter, buckets, symptom, signal } = options;
  // The database reads for one while this thread counts for another.
  const [patterns, elapsed, values, ...codes] = await Promise.all([
    patternSeries(options),
    collectElapsed(cases, { filter, signal }),
    Promise.all(countedFields.map((field) => valueSeries(cases, { field, filter, buckets }))),
    ...failureLevels.map((level) => codeSeries(cases, { level, filter, buckets })),
  ]);
  const time = knownTime(options);
  const all = totalOf(patterns, buckets);
  const enough = elapsed.filter(({ seconds }) => fewestLogs <= seconds.length);
  const services = [...groupByService(enough).values()];
  const slow = services.flatMap((service) => slowestParts.map((part) => slowSeries(service, buckets, part)));
  const symptoms = symptom ? [await symptomSeries(cases, { ...symptom, within: filter, buckets })] : [];
  const counted = [
    ...codes.flat().map((subject) => withTemplate(subject, patterns)),
    ...patterns,
    ...values.flat(),
  ];
  const isEnough = ({ counts }: CountedSubject) => fewestLogs <= sumOf(counts);
  const found = [...symptoms, ...counted].filter(isEnough).map((subject) => {
    const others = all.map((logs, at) => logs - (subject.counts[at] ?? 0));
    const isFailure = subject.subject.type === 'code' || subject.subject.type === 'query';
    return { ...subject, exposure: fitExposure(subject.counts, others, time), time, isFailure };
  });
  const total = { subject: { type: 'total' }, counts: all, exposure: time, time } as const;
  const symptomLogs = symptoms[0] && sumOf(symptoms[0].counts);
  return {
    buckets,
    series: [...found, ...[total].filter(isEnough), ...slow],
    ...(symptomLogs !== undefined && { symptomLogs }),
  };
}

function sumOf(counts: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < counts.length; index++) sum += counts[index] ?? 0;
  return sum;
}

/** Adds the most frequent pattern to a code. */
function withTemplate(of: CountedSubject, patterns: readonly CountedSubject[]): CountedSubject {
  const { subject } = of;
  if (subject.type !== 'code') return of;
  const [commonest] = patterns
    .flatMap(({ subject: pattern, counts }) =>
      pattern.type === 'pattern' && pattern.code === subject.code
        ? [{ template: pattern.template, logs: sumOf(counts) }]
        : [],
    )
    .sort((first, second) => second.logs - first.logs || compareTexts(first.template, second.template));
  return commonest ? { ...of, subject: { ...subject, template: commonest.template } } : of;
}

type CountedSubject = Omit<SubjectSeries, 'exposure'>;

type SeriesContext = Pick<CollectSeriesOptions, 'filter' | 'buckets'>;

/** All logs in each bucket. */
function totalOf(patterns: readonly CountedSubject[], { count }: Buckets): Float64Array {
  const all = new Float64Array(count);
  for (const { counts } of patterns)
    for (let bucket = 0; bucket < count; bucket++) all[bucket] = (all[bucket] ?? 0) + (counts[bucket] ?? 0);
  return all;
}

/** The part of each bucket within the logs; 0 where a part of it was not exported. */
function knownTime({
  buckets,
  span,
  requested,
}: Pick<CollectSeriesOptions, 'buckets' | 'span' | 'requested'>): Float64Array {
  const { start: first, length, count } = buckets;
  return Float64Array.from({ length: count }, (_, bucket) => {
    const start = first + bucket * length;
    const coverage = requested.length === 0 ? undefined : coverageOf(requested, { start, length });
    if (coverage === 'never' || coverage === 'open') return 0;
    return Math.max(0, Math.min(start + length, span.last + 1) - Math.max(start, span.first)) / length;
  });
}

const patternFields = ['logLevel', 'logCode'] as const;

async function patternSeries({
  messages,
  buckets,
}: Pick<CollectSeriesOptions, 'messages' | 'buckets'>): Promise<readonly CountedSubject[]> {
  const { masks, values, counts } = countMasks(await messages, { fields: patternFields, buckets });
  const { templates, templateOf } = mergeMasks(
    Array.from({ length: masks.size() }, (_, mask) => masks.text(mask)),
  );
  const merged: MaskCounts[] = [];
  for (const [mask, counted] of counts.entries()) {
    if (!counted) continue;
    const template = templateOf[mask] ?? 0;
    const known = merged[template];
    if (known) addCounts(known, counted);
    else merged[template] = counted;
  }
  return templates.flatMap((template, index) => {
    const counted = merged[index];
    if (!counted) return [];
    const [level, code] = counted.values.map((logs, field) => mostFrequent(logs, values[field]));
    const phrases = patternQuery(template);
    const query =
      code === undefined || phrases === undefined
        ? phrases
        : joinByAnd(fieldClause('logCode', code), phrases);
    return {
      subject: {
        ...({ type: 'pattern', id: patternId(template), template } as const),
        ...(level !== undefined && { level }),
        ...(code !== undefined && { code }),
      },
      counts: counted.buckets,
      ...(query !== undefined && { query }),
    };
  });
}

/** The most frequent value; undefined if most logs have none. */
function mostFrequent(
  logs: ReadonlyMap<number, number>,
  values: InternedBytes | undefined,
): string | undefined {
  const [commonest] = [...logs]
    .map(([value, count]) => ({ value: values?.text(value) ?? '', count }))
    .sort((first, second) => second.count - first.count || compareTexts(first.value, second.value));
  return commonest?.value || undefined;
}

async function codeSeries(
  cases: readonly Case[],
  { level, filter, buckets }: SeriesContext & { readonly level: string },
): Promise<readonly CountedSubject[]> {
  const ofLevel = boolFilter({ must: [filter, filterOfQuery(`logLevel:${level}`)] });
  const found = await countValues(cases, { filter: ofLevel, buckets, by: 'logCode' });
  return [...found].map(([code, counted]) => ({
    subject: { type: 'code', level, code } as const,
    ...counted,
    query: joinByAnd(`logLevel:${level}`, fieldClause('logCode', code)),
  }));
}

/** Counts the logs of each value of a field. */
async function valueSeries(
  cases: readonly Case[],
  { field, filter, buckets }: SeriesContext & { readonly field: (typeof countedFields)[number] },
): Promise<readonly CountedSubject[]> {
  const found = await countValues(cases, { filter, buckets, by: field });
  // The only value of a field changes with all logs.
  if (found.size < 2) return [];
  return [...found].map(([value, counted]) => ({
    subject: { type: 'value', field, value } as const,
    ...counted,
    query: fieldClause(field, value),
  }));
}

async function symptomSeries(
  cases: readonly Case[],
  options: {
    readonly query: string;
    readonly filter: Filter;
    readonly within: Filter;
    readonly buckets: Buckets;
  },
): Promise<CountedSubject> {
  const { query, filter, within, buckets } = options;
  const found = await countValues(cases, { filter: boolFilter({ must: [within, filter] }), buckets });
  return { subject: { type: 'query' }, ...(found.get('') ?? emptyCounts(buckets)), query };
}

/** Bursts of retries and the logs of one failure last less than this: milliseconds. */
const burstLength = 60_000;

/** Parts of a bucket, in which logs of the same burst are together. A bucket of a week or more has none. */
function partsOf({ length }: Buckets): number | undefined {
  const parts = Math.max(1, length / burstLength);
  return Number.isInteger(parts) && length < 7 * 86_400_000 ? parts : undefined;
}

interface Counted {
  readonly counts: Float64Array;
  readonly bursts: Float64Array | undefined;
  readonly parts: number | undefined;
}

function emptyCounts(buckets: Buckets): Counted {
  const parts = partsOf(buckets);
  const bursts = parts === undefined ? undefined : new Float64Array(buckets.count);
  return { counts: new Float64Array(buckets.count), bursts, parts };
}

/** Counts the logs and the bursts of each value of a field, or of all logs as the value ''. */
async function countValues(
  cases: readonly Case[],
  { filter, buckets, by }: SeriesContext & { readonly by?: 'logCode' | (typeof countedFields)[number] },
): Promise<ReadonlyMap<string, Counted>> {
  const found = new Map<string, Counted>();
  const { start: first, length } = buckets;
  const every = length / (partsOf(buckets) ?? 1);
  for (const from of cases)
    for (const { start, value, count } of await countByTime(from, filter, {
      every,
      ...(by !== undefined && { by }),
    })) {
      if (by !== undefined && value === undefined) continue;
      const key = by === undefined ? '' : String(value);
      const counted = found.get(key) ?? emptyCounts(buckets);
      found.set(key, counted);
      const bucket = Math.floor((start - first) / length);
      counted.counts[bucket] = (counted.counts[bucket] ?? 0) + count;
      if (counted.bursts) counted.bursts[bucket] = (counted.bursts[bucket] ?? 0) + 1;
    }
  return found;
}

function groupByService(elapsed: readonly ElapsedTimes[]): ReadonlyMap<string, readonly ElapsedTimes[]> {
  const groups = new Map<string, ElapsedTimes[]>();
  for (const times of elapsed) {
    const key = JSON.stringify([times.source, times.code]);
    groups.set(key, [...(groups.get(key) ?? []), times]);
  }
  return groups;
}

/**
 * The requests of a service that are among the slowest of their method, over time. The
 * comparison by method ignores a change in the mix of methods.
 */
function slowSeries(
  methods: readonly ElapsedTimes[],
  { start, length, count }: Buckets,
  slowest: number,
): SubjectSeries {
  const { source = '', code = '' } = methods[0] ?? {};
  const [counts, exposure] = [new Float64Array(count), new Float64Array(count)];
  for (const { times, seconds } of methods) {
    const sorted = seconds.toSorted();
    const threshold = sorted[Math.floor(sorted.length * (1 - slowest))] ?? 0;
    for (const [index, time] of times.entries()) {
      const bucket = Math.floor((time - start) / length);
      if (!(0 <= bucket && bucket < count)) continue;
      exposure[bucket] = (exposure[bucket] ?? 0) + 1;
      if (threshold < (seconds[index] ?? 0)) counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
  }
  const ofCode = code === '' ? undefined : fieldClause('logCode', code);
  return {
    subject: { type: 'latency', source, method: '', code, medianBefore: Number.NaN, medianAfter: Number.NaN },
    counts,
    exposure,
    slowest,
    elapsed: methods,
    isFailure: slowest === slowestParts[0],
    query: joinByAnd(fieldClause('source', source), ofCode),
  };
}

/** Logs that are counted together over time. */
export type ChangeSubject =
  | {
      readonly type: 'code';
      readonly level: string;
      readonly code: string;
      /** The most frequent pattern of its logs. */
      readonly template?: string;
    }
  | {
      readonly type: 'pattern';
      readonly id: string;
      readonly template: string;
      /** The most frequent level and code of its logs, if they have one. */
      readonly level?: string;
      readonly code?: string;
    }
  | {
      readonly type: 'latency';
      readonly source: string;
      readonly code: string;
      /** The most frequent method, empty if it has none, and its medians in seconds: before, and while it lasts. */
      readonly method: string;
      readonly medianBefore: number;
      readonly medianAfter: number;
      /** The 95th percentiles in seconds, of a change of the slowest requests alone. */
      readonly tail?: { readonly before: number; readonly after: number } | undefined;
    }
  /** The logs of a level, a source, a user or a host. */
  | { readonly type: 'value'; readonly field: (typeof countedFields)[number]; readonly value: string }
  /** All logs. */
  | { readonly type: 'total' }
  | { readonly type: 'query' };

/** An interval in which logs are more or less frequent, or requests slower or faster, than otherwise. */
export interface Change {
  readonly kind: Episode['kind'] | 'slower' | 'faster';
  readonly subject: ChangeSubject;
  /** Milliseconds since the epoch: the start of its first interval, and of the first one behind it. */
  readonly start: number;
  readonly end: number;
  /** True if it lasts to the end of the logs. */
  readonly isOpen: boolean;
  /** Logs within; for latencies those that are slower than three quarters of all. */
  readonly count: number;
  /** The number of logs that the rate at other times would give. */
  readonly expected: number;
  /** The binary logarithm of the ratio of the rates. */
  readonly effect: number;
  /** The p-value, corrected for all comparisons. */
  readonly p: number;
  /** Selects the logs. Absent where no query can. */
  readonly query?: string;
  /** True for a rate that rises or falls over days: `effect` compares the last day with the first. */
  readonly isGradual?: true;
  /** Milliseconds that the clock of most of its logs is ahead; absent if it is not known to differ. */
  readonly ahead?: number | undefined;
}

/** The number of successive intervals whose changes count as one. */
export const alignedBuckets = 2;

/**
 * Rank of a change: failures and silence of all first, then warnings, slower requests and sources that vanish, then
 * all other logs.
 */
export function rankOf({ kind, subject }: Change): number {
  if (subject.type === 'query') return 4;
  if (subject.type === 'total') return kind === 'gone' ? 3 : kind === 'less' ? 2 : 1;
  if (subject.type === 'value') {
    if (kind === 'gone') return subject.field === 'source' ? 2 : 0;
    return kind === 'less' ? 0 : 1;
  }
  if (kind === 'less' || kind === 'gone' || kind === 'faster') return 0;
  if (subject.type === 'latency') return 2;
  if (subject.level === 'SEVERE') return 3;
  return subject.level === 'WARNING' ? 2 : 1;
}

/** The log-likelihood that a change explains. */
export function gainOf({ count, expected }: Change): number {
  return count * Math.log((count + 0.5) / (expected + 0.5)) - (count - expected);
}

/** A query and the logs that it selects. Times are milliseconds since the epoch. */
export interface QueriedLogs {
  readonly query: string;
  readonly count: number;
  /** Logs among them that the query selects besides those that are meant, such as others with the same words. */
  readonly others?: number;
  readonly first?: number;
  readonly last?: number;
}

/** An interval of time, both ends included: milliseconds since the epoch. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number;
}

/** Joins clauses by AND; undefined ones are left out. A clause with OR must be in parentheses. */
export function joinByAnd(...clauses: readonly (string | undefined)[]): string {
  return clauses.filter((clause) => clause !== undefined).join(' AND ');
}

/** Joins clauses by OR, in parentheses. */
export function joinByOr(clauses: readonly string[]): string {
  return 1 < clauses.length ? `(${clauses.join(' OR ')})` : (clauses[0] ?? '');
}

/** Selects the logs of an interval. */
export function timeClause({ from, to }: TimeInterval): string {
  const text = (time: number) => quote(new Date(time).toISOString());
  return `time:[${text(from)} TO ${text(to)}]`;
}

/** Selects a value of a field: whole numbers as they are, other values as phrases. */
export function fieldClause(field: string, value: string): string {
  return `${field}:${/^\d+$/.test(value) ? value : quote(value)}`;
}

/** The meaning of a query that was written here. */
export function filterOfQuery(query: string): Filter {
  return resolve(parse(query).query, { now: 0 });
}

/** Counts the logs of a query in some cases, and those beyond the number that is meant, if it is known. */
export async function runQuery(
  cases: readonly Case[],
  query: string,
  { meant }: { readonly meant?: number | undefined } = {},
): Promise<QueriedLogs> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filterOfQuery(query))));
  const count = spans.reduce((sum, span) => sum + span.count + span.timeless, 0);
  const first = Math.min(...spans.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  const others = meant === undefined || count <= meant ? {} : { others: count - meant };
  return { query, count, ...others, ...(first <= last && { first, last }) };
}
