import {
  type Case,
  type Contents,
  exportedOnly,
  type Loss,
  lossesOf,
  type SevereValue,
  type StoredPart,
  sourceOf,
  streamLogs,
  type TimedLog,
  type ValueCount,
} from '../case/index.ts';
import { type FieldValue, logLevels, matchAllFilter, parse, resolve } from '../language/index.ts';
import type { Log, LogField } from '../records/index.ts';
import {
  type CoverageGap,
  coverageGaps,
  coverageOf,
  type IntervalCoverage,
  laterLogs,
  type RequestedInterval,
} from './coverage.ts';
import { facets } from './facets.ts';
import { type Bucket, type Histogram, histogram } from './histogram.ts';
import type { AnyLogSource } from './log-source.ts';
import { mergeLogs } from './several-cases.ts';

/** A message code with an example. */
export interface RankedCode extends RankedValue {
  /** Message of the first severe log of the code. */
  readonly message?: string;
  /** Request of that log. */
  readonly request?: string;
}

/** Contents of some cases at a glance. Times are milliseconds since the epoch. */
export interface Overview {
  readonly logs: number;
  /** Number of logs without a time. */
  readonly timeless: number;
  /** First and last time; absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** Length of a bucket in milliseconds, and the start of the first one. */
  readonly every: number;
  readonly start?: number;
  /** Number of logs in each bucket, and the fullest one. */
  readonly overTime: readonly number[];
  readonly peak?: Peak;
  /** Levels, the most severe first. */
  readonly levels: readonly LevelOverTime[];
  readonly codes: Omit<RankedValues, 'values'> & { readonly values: readonly RankedCode[] };
  readonly sources: RankedValues;
  /** Completeness from the first log to the last requested time; absent if no export requested an interval. */
  readonly coverage?: IntervalCoverage;
  /** The last requested time, if later logs are there. */
  readonly coveredUntil?: number;
  readonly gaps: readonly CoverageGap[];
  /** Which logs the exports asked for, if not for all: `exportedOnly`. */
  readonly exportedOnly?: string;
  /** Number of records that could not be read. */
  readonly unreadable: number;
  /** Entries that could not be loaded. */
  readonly losses: readonly Loss[];
}

/** Options of an overview. */
export interface OverviewOptions {
  /** Intervals requested by exports; empty if there was none. */
  readonly requested: readonly RequestedInterval[];
  /** Approximate number of buckets. Default: 40. */
  readonly buckets?: number;
  /** Maximum number of codes and of sources. Default: 5. */
  readonly values?: number;
}

/** Maximum number of different levels; further ones are left out. */
const mostLevels = 12;

/**
 * Summarises some cases, with a fixed number of statements for each.
 *
 * ```ts
 * const requested = (await readCoverage(incident)).flatMap(({ covered }) => covered);
 * const { levels, peak, gaps } = await overview([incident], { requested });
 * ```
 */
export async function overview(
  cases: readonly AnyLogSource[],
  { requested, buckets = 40, values = 5 }: OverviewOptions,
): Promise<Overview> {
  const only = await exportedOnly(cases);
  const [counted, levels, codes, sources, summaries] = await Promise.all([
    histogram(cases, matchAllFilter, { buckets, by: 'logLevel', values: mostLevels }),
    facets(cases, 'logLevel', { filter: matchAllFilter, limit: mostLevels }),
    rankValues(cases, 'logCode', values),
    rankValues(cases, 'source', values),
    Promise.all(cases.map((source) => sourceOf(source).contents())),
  ]);
  const peak = peakOf(counted.buckets);
  const [start] = counted.buckets;
  const span = spanOf(summaries);
  return {
    logs: levels.total,
    timeless: counted.timeless,
    ...span,
    every: counted.every,
    ...(start && { start: start.start }),
    overTime: counted.buckets.map(({ count }) => count),
    ...(peak && { peak }),
    levels: levelsOverTime(levels.values, counted),
    codes: { ...codes, values: await Promise.all(codes.values.map((value) => withExample(cases, value))) },
    sources,
    ...coverageWithin(requested, span),
    gaps: coverageGaps(requested, span.first),
    ...(only !== undefined && { exportedOnly: only }),
    unreadable: summaries.reduce((sum, summary) => sum + summary.unreadable, 0),
    losses: summaries.flatMap(({ parts }) => filesOf(parts).flatMap(lossesOf)),
  };
}

type Span = Pick<Overview, 'first' | 'last'>;

function spanOf(summaries: readonly Contents[]): Span {
  const firsts = summaries.flatMap(({ first }) => (first === undefined ? [] : [first]));
  const lasts = summaries.flatMap(({ last }) => (last === undefined ? [] : [last]));
  return firsts.length === 0 ? {} : { first: Math.min(...firsts), last: Math.max(...lasts) };
}

function coverageWithin(
  requested: readonly RequestedInterval[],
  { first, last }: Span,
): Pick<Overview, 'coverage' | 'coveredUntil'> {
  if (requested.length === 0) return {};
  const later = laterLogs(requested, last);
  const start = first ?? Math.min(...requested.map(({ oldest }) => oldest));
  const end = later ? later.oldest - 1 : (last ?? Math.max(...requested.map(({ newest }) => newest)));
  return {
    coverage: coverageOf(requested, { start, length: Math.max(1, end - start + 1) }),
    ...(later && { coveredUntil: later.oldest - 1 }),
  };
}

/** Groups parts by their files. */
export function filesOf(parts: readonly StoredPart[]): readonly (readonly StoredPart[])[] {
  const files = new Map<string, StoredPart[]>();
  for (const part of parts) {
    const key = part.fileSha256 ?? `part ${part.part}`;
    const file = files.get(key) ?? [];
    files.set(key, file);
    file.push(part);
  }
  return [...files.values()];
}

async function withExample(cases: readonly AnyLogSource[], code: RankedValue): Promise<RankedCode> {
  if (!code.firstSevere) return code;
  const { msg: message, requestID: request } = (await readSevereLog(cases, code.firstSevere)) ?? {};
  return { ...code, ...(message !== undefined && { message }), ...(request !== undefined && { request }) };
}

/** A severe log of one of the cases. */
export interface SevereLog extends TimedLog {
  /** Index of its case, from 0. */
  readonly ofCase: number;
}

/** A value of a field with the number of its logs. */
export interface RankedValue extends Omit<SevereValue, 'firstSevere' | 'lastSevere'> {
  /** First and last severe log; absent if no severe log has a time. */
  readonly firstSevere?: SevereLog;
  readonly lastSevere?: SevereLog;
}

/** The first values of a field. */
export interface RankedValues {
  /** Ordered by severe logs, then by all logs, the most first. Logs without a value are left out. */
  readonly values: readonly RankedValue[];
  /** True if there are more values. */
  readonly hasMore: boolean;
}

/** Ranks the values of a field in some cases by their severe logs. */
export async function rankValues(
  cases: readonly AnyLogSource[],
  field: LogField,
  limit: number,
): Promise<RankedValues> {
  // One for the logs without a value, one to notice more values. Each of several cases can have others first.
  const max = cases.length === 1 ? limit + 2 : Number.POSITIVE_INFINITY;
  const found = await Promise.all(
    cases.map((source) => sourceOf(source).countSevereBy(field, { limit: max })),
  );
  const merged = new Map<SevereValue['value'], RankedValue>();
  for (const [ofCase, values] of found.entries())
    for (const value of values)
      merged.set(value.value, merge(merged.get(value.value), withCase(value, ofCase)));
  merged.delete(undefined);
  const ranked = [...merged.values()];
  if (1 < cases.length) ranked.sort(compareRanks);
  return { values: ranked.slice(0, limit), hasMore: limit < ranked.length };
}

function withCase({ firstSevere, lastSevere, ...value }: SevereValue, ofCase: number): RankedValue {
  return {
    ...value,
    ...(firstSevere && { firstSevere: { ...firstSevere, ofCase } }),
    ...(lastSevere && { lastSevere: { ...lastSevere, ofCase } }),
  };
}

function merge(first: RankedValue | undefined, second: RankedValue): RankedValue {
  if (!first) return second;
  const firstSevere = earlier(first.firstSevere, second.firstSevere);
  const lastSevere = earlier(second.lastSevere, first.lastSevere);
  return {
    ...(second.value !== undefined && { value: second.value }),
    count: first.count + second.count,
    severe: first.severe + second.severe,
    ...(firstSevere && { firstSevere: firstSevere.log }),
    ...(lastSevere && { lastSevere: lastSevere.other }),
  };
}

/** Orders two logs by time; one alone is both. */
function earlier(
  first: SevereLog | undefined,
  second: SevereLog | undefined,
): { readonly log: SevereLog; readonly other: SevereLog } | undefined {
  if (!first || !second) {
    const only = first ?? second;
    return only && { log: only, other: only };
  }
  return second.time < first.time ? { log: second, other: first } : { log: first, other: second };
}

function compareRanks(first: RankedValue, second: RankedValue): number {
  const byCounts = second.severe - first.severe || second.count - first.count;
  if (byCounts !== 0 || first.value === undefined || second.value === undefined) return byCounts;
  return first.value < second.value ? -1 : 1;
}

/** Reads a log of one of the cases. */
export async function readSevereLog(
  cases: readonly AnyLogSource[],
  { ofCase, id }: SevereLog,
): Promise<Log | undefined> {
  const from = cases[ofCase];
  return from && (await sourceOf(from).readLog(id))?.log;
}

/** The bucket with the most logs. */
export interface Peak {
  /** Start: milliseconds since the epoch. */
  readonly start: number;
  readonly count: number;
}

/** Number of logs of one level, in total and over time. */
export interface LevelOverTime {
  /** Absent for logs without a level. */
  readonly level?: FieldValue;
  /** Number of logs, with and without a time. */
  readonly count: number;
  /** Number of logs in each bucket. */
  readonly overTime: readonly number[];
  /** The first of the fullest buckets; absent if no log has a time. */
  readonly peak?: Peak;
}

/** Combines the counts of levels with their counts over time. The most severe level is first. */
export function levelsOverTime(
  counts: readonly ValueCount[],
  { buckets }: Pick<Histogram, 'buckets'>,
): readonly LevelOverTime[] {
  return [...counts]
    .sort((first, second) => severityRank(first.value) - severityRank(second.value))
    .map(({ value, count }) => {
      const overTime = buckets.map((bucket) => countIn(bucket, value));
      const peak = peakOf(buckets.map(({ start }, index) => ({ start, count: overTime[index] ?? 0 })));
      return { ...(value !== undefined && { level: value }), count, overTime, ...(peak && { peak }) };
    });
}

/** Returns the first of the fullest buckets; undefined if none has a log. */
export function peakOf(buckets: readonly Peak[]): Peak | undefined {
  const fullest = buckets.reduce<Peak | undefined>(
    (highest, peak) => (highest && peak.count <= highest.count ? highest : peak),
    undefined,
  );
  return fullest && 0 < fullest.count ? { start: fullest.start, count: fullest.count } : undefined;
}

function countIn({ values = [] }: Bucket, value: FieldValue | undefined): number {
  return values.find((counted) => counted.value === value)?.count ?? 0;
}

/** Known levels by severity, then unknown ones, then logs without a level. */
function severityRank(value: FieldValue | undefined): number {
  if (value === undefined) return logLevels.length + 1;
  const rank = (logLevels as readonly string[]).indexOf(String(value).toUpperCase());
  return rank === -1 ? logLevels.length : rank;
}

/** An upgrade or a rollback by its messages. Times are milliseconds since the epoch. */
export interface KnownUpgrade {
  /** The message of its start. */
  readonly message: string;
  readonly from: number;
  /** The time of its last message. */
  readonly to: number;
}

/** All codes of upgrades, and those of a start: of an upgrade, of a rollback. */
const allCodes = 'logCode:[2010 TO 2299]';
const startCodes: readonly unknown[] = [2010, 2072];

/**
 * Finds the upgrades that some cases know of, the oldest first.
 *
 * ```ts
 * for (const { message, from, to } of await findUpgrades([incident])) console.log(message, to - from);
 * ```
 */
export async function findUpgrades(cases: readonly Case[]): Promise<readonly KnownUpgrade[]> {
  const filter = resolve(parse(allCodes).query, { now: 0 });
  const streams = cases.map((from) => streamLogs(from, filter, { order: 'oldest' }));
  const found: KnownUpgrade[] = [];
  for await (const { log } of mergeLogs(streams, 'oldest', cases)) {
    if (log.time === undefined) continue;
    const last = found.at(-1);
    if (startCodes.includes(log.logCode))
      found.push({ message: log.msg ?? '', from: log.time, to: log.time });
    else if (last) found[found.length - 1] = { ...last, to: log.time };
  }
  return found;
}
