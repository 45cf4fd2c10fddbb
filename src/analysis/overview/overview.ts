import { type Loss, lossesOf, type StoredPart } from '../../case/index.ts';
import { matchAllFilter } from '../../language/index.ts';
import { facets } from '../facets.ts';
import { histogram } from '../histogram.ts';
import { coverageOf, type IntervalCoverage, type RequestedInterval } from '../interval-coverage.ts';
import { type Asked, type Contents, contentsOf } from '../log-source.ts';
import { type CoverageGap, coverageGaps } from './coverage-gaps.ts';
import { type LevelOverTime, levelsOverTime, type Peak, peakOf } from './levels.ts';
import { type RankedValue, type RankedValues, rankValues, readSevereLog } from './severe-values.ts';

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
  /** Completeness between the first and the last log; absent if no export requested an interval. */
  readonly coverage?: IntervalCoverage;
  readonly gaps: readonly CoverageGap[];
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
  cases: readonly Asked[],
  { requested, buckets = 40, values = 5 }: OverviewOptions,
): Promise<Overview> {
  const [counted, levels, codes, sources, summaries] = await Promise.all([
    histogram(cases, matchAllFilter, { buckets, by: 'logLevel', values: mostLevels }),
    facets(cases, 'logLevel', { filter: matchAllFilter, limit: mostLevels }),
    rankValues(cases, 'logCode', values),
    rankValues(cases, 'source', values),
    Promise.all(cases.map(contentsOf)),
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
    codes: { ...codes, values: await Promise.all(codes.values.map((each) => withExample(cases, each))) },
    sources,
    ...coverageWithin(requested, span),
    gaps: requested.length === 0 ? [] : coverageGaps(requested, span),
    unreadable: summaries.reduce((sum, each) => sum + each.unreadable, 0),
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
): Pick<Overview, 'coverage'> {
  if (requested.length === 0) return {};
  const start = first ?? Math.min(...requested.map(({ oldest }) => oldest));
  const end = last ?? Math.max(...requested.map(({ newest }) => newest));
  return { coverage: coverageOf(requested, { start, length: end - start + 1 }) };
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

async function withExample(cases: readonly Asked[], code: RankedValue): Promise<RankedCode> {
  if (!code.firstSevere) return code;
  const { msg: message, requestID: request } = (await readSevereLog(cases, code.firstSevere)) ?? {};
  return { ...code, ...(message !== undefined && { message }), ...(request !== undefined && { request }) };
}
