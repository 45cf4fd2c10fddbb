import { type Case, sourceOf } from '../case/index.ts';
import {
  boolFilter,
  disMaxFilter,
  documentedSchema,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
  quote,
} from '../language/index.ts';
import type { RequestedInterval } from './coverage.ts';
import { patternId, patternQuery } from './find-patterns.ts';
import { compareTexts } from './group-blocks.ts';
import type { AnyLogSource } from './log-source.ts';
import {
  type CountedField,
  type CountedMasks,
  collectMaskGroups,
  countMasks,
  maskTables,
  mergeMasks,
} from './mask-groups.ts';

/** Logs to compare: those of some cases that a filter selects. */
export interface LogSelection {
  readonly cases: readonly Case[];
  readonly filter: Filter;
}

/** The lengths of two intervals, in any unit. */
export interface Exposure {
  readonly before: number;
  readonly after: number;
}

/** A time, both ends included: milliseconds since the epoch. */
export interface Interval {
  readonly oldest: number;
  readonly newest: number;
}

/** The logs of two intervals, with what their rates are compared by. */
export interface ComparedIntervals {
  readonly before: LogSelection;
  readonly after: LogSelection;
  readonly exposure: Exposure;
  /** Present if one side is compared in the hours of the other one alone: its parts, in order. */
  readonly sameHours?: { readonly side: 'before' | 'after'; readonly parts: readonly Interval[] };
}

/** Days are compared by steps of this many milliseconds. */
const day = 86_400_000;

/** The most days between an interval and those that it is compared with: one log of 1970 makes 20,000 of them. */
const mostDays = 366;

/** The part of the shorter interval that another day has to hold at least, to be compared with it. */
const leastHeld = 0.9;

/**
 * The logs of two intervals. A shorter one whose hours the longer one holds on other days is compared with those
 * hours alone: a whole day against an afternoon would find the night instead of what changed.
 *
 * ```ts
 * const { before, after, exposure } = selectIntervals({ cases: [incident], filter }, { before: week, after: afternoon });
 * const { groups } = await findDifferences({ before, after, exposure });
 * ```
 */
export function selectIntervals(
  { cases, filter }: LogSelection,
  intervals: { readonly before: Interval; readonly after: Interval },
): ComparedIntervals {
  const { before, after } = intervals;
  const side = lengthOf(after) < lengthOf(before) ? 'before' : 'after';
  const parts = partsWithHours(intervals[side], side === 'before' ? after : before);
  const partsOf = (of: 'before' | 'after') => (of === side && parts ? parts : [intervals[of]]);
  const within = (of: 'before' | 'after') => ({
    cases,
    filter: boolFilter({ must: [filter, disMaxFilter(partsOf(of).map(timeFilter))] }),
  });
  const exposureOf = (of: 'before' | 'after') =>
    partsOf(of).reduce((sum, part) => sum + Math.max(1, lengthOf(part)), 0);
  return {
    before: within('before'),
    after: within('after'),
    exposure: { before: exposureOf('before'), after: exposureOf('after') },
    ...(parts && { sameHours: { side, parts } }),
  };
}

function lengthOf({ oldest, newest }: Interval): number {
  return newest + 1 - oldest;
}

/** The parts of an interval at the hours of a shorter one; undefined if no other day holds them. */
function partsWithHours(longer: Interval, shorter: Interval): readonly Interval[] | undefined {
  const length = lengthOf(shorter);
  if (length <= 0 || day <= length) return undefined;
  const steps: number[] = [];
  const first = Math.max(-mostDays, Math.ceil((longer.oldest - shorter.newest) / day));
  const last = Math.min(mostDays, Math.floor((longer.newest - shorter.oldest) / day));
  for (let step = first; step <= last; step += 1) steps.push(step);
  const parts = steps
    .map((step) => ({
      oldest: Math.max(longer.oldest, shorter.oldest + step * day),
      newest: Math.min(longer.newest, shorter.newest + step * day),
    }))
    .filter((part) => leastHeld * length <= lengthOf(part));
  const ofOtherDays = parts.filter(
    ({ newest, oldest }) => newest < shorter.oldest || shorter.newest < oldest,
  );
  const held = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  return 0 < ofOtherDays.length && held < lengthOf(longer) ? parts : undefined;
}

function timeFilter({ oldest, newest }: Interval): Filter {
  const field = documentedSchema.fields.get('time');
  if (!field) return matchNoneFilter;
  const [lower, upper] = [oldest, newest].map((value) => ({ value, inclusive: true }));
  return { kind: 'range', field, ...(lower && { lower }), ...(upper && { upper }) };
}

/**
 * The time that the logs of sources can be from: from the first to the last one of all, and what exports completely
 * requested; undefined for logs without times.
 */
export async function coveredTime(
  sources: readonly AnyLogSource[],
  requested: readonly RequestedInterval[],
): Promise<Interval | undefined> {
  const spans = await Promise.all(sources.map((source) => sourceOf(source).timeSpan(matchAllFilter)));
  const known = spans.flatMap(({ first, last }) =>
    first === undefined || last === undefined ? [] : [{ oldest: first, newest: last }],
  );
  if (known.length === 0) return undefined;
  const all = [...known, ...requested.filter(({ state }) => state === 'complete')];
  return {
    oldest: Math.min(...all.map(({ oldest }) => oldest)),
    newest: Math.max(...all.map(({ newest }) => newest)),
  };
}

/** The part of an interval within another one; undefined if there is none. */
export function cutInterval(interval: Interval, within: Interval | undefined): Interval | undefined {
  if (!within) return undefined;
  const oldest = Math.max(interval.oldest, within.oldest);
  const newest = Math.min(interval.newest, within.newest);
  return oldest <= newest ? { oldest, newest } : undefined;
}

/** The selections to compare, and what counts as a difference. */
export interface FindDifferencesOptions {
  readonly before: LogSelection;
  readonly after: LogSelection;
  /**
   * The lengths of the two intervals, in any unit, so that rates are compared.
   * Default the numbers of logs, so that shares are compared.
   */
  readonly exposure?: Exposure;
  /** Values of these fields are compared besides patterns. */
  readonly fields?: readonly CountedField[];
  /** The limit for adjusted p-values. Default 0.01. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A pattern of messages or a value of a field whose rate differs. */
export interface Difference {
  readonly kind: 'new' | 'gone' | 'more' | 'less';
  /** `msg` for a pattern. */
  readonly field: CountedField | 'msg';
  /** The template of a pattern, or the value. */
  readonly value: string;
  /** The id of a pattern. */
  readonly pattern?: string;
  /** Logs in the two selections. */
  readonly before: number;
  readonly after: number;
  /** The binary logarithm of the ratio of the rates: 1 is twice as many, -1 half. */
  readonly effect: number;
  /** The p-value, adjusted for the number of comparisons. */
  readonly p: number;
  /** Selects the logs. Absent where no query can. */
  readonly query?: string;
}

/** Differences that concern mostly the same logs: the largest first. */
export interface DifferenceGroup {
  readonly differences: readonly Difference[];
}

/** The differences between two selections of logs. */
export interface FoundDifferences {
  readonly before: number;
  readonly after: number;
  /** The group with the strongest difference first. */
  readonly groups: readonly DifferenceGroup[];
  /** The number of patterns and values that were compared. */
  readonly compared: number;
}

/** Fields whose values tell kinds of logs apart. Ids of single requests and logs do not. */
export const comparedFields = [
  'logLevel',
  'logCode',
  'source',
  'username',
  'machine',
  'className',
  'methodName',
  'serviceTypes',
] as const satisfies readonly CountedField[];

/** The limit for adjusted p-values. */
const usualLimit = 0.01;

/** Values longer than this are texts, not names. */
const longestValue = 128;

/** A rate changes at least by this factor, as a binary logarithm; smaller changes are ignored. */
const leastEffect = 1;

/** Differences that share this part of their logs are one group (Jaccard index). */
const sameLogs = 0.8;

/** One pattern or value, before and after. */
interface Candidate {
  readonly field: CountedField | 'msg';
  readonly value: string;
  readonly before: number;
  readonly after: number;
  /** Its logs in both selections by template. */
  readonly byTemplate: ReadonlyMap<number, number>;
}

/**
 * Compares the patterns of messages and the values of fields of two
 * selections. Rejects with a `StoreError`, or the reason of the signal.
 *
 * ```ts
 * const before = { cases: [incident], filter: filterOf('time:[* TO "2025-03-12T06:00:00Z"]') };
 * const after = { cases: [incident], filter: filterOf('time:["2025-03-12T06:00:00Z" TO *]') };
 * const { groups } = await findDifferences({ before, after, fields: ['source', 'logCode'] });
 * for (const { differences: [strongest] } of groups) console.log(strongest?.kind, strongest?.value);
 * ```
 */
export async function findDifferences({
  before,
  after,
  exposure,
  fields = comparedFields,
  limit = usualLimit,
  signal,
}: FindDifferencesOptions): Promise<FoundDifferences> {
  const tables = maskTables(fields);
  const collect = async ({ cases, filter }: LogSelection) =>
    countMasks(await collectMaskGroups(cases, { filter, fields, tables, signal }), { fields });
  const sides = await Promise.all([collect(before), collect(after)]);
  return compareCounts(sides, { exposure, fields, limit });
}

/** Compares the counts of masks and values of two selections with the same tables. */
export function compareCounts(
  sides: readonly [CountedMasks, CountedMasks],
  {
    exposure,
    fields = comparedFields,
    limit = usualLimit,
  }: Pick<FindDifferencesOptions, 'fields' | 'limit'> & { readonly exposure?: Exposure | undefined },
): FoundDifferences {
  const totals = { before: logsOf(sides[0]), after: logsOf(sides[1]) };
  const candidates = candidatesOf(sides, fields).filter((candidate) => isTelling(candidate, totals));
  const rates = exposure ?? totals;
  const ps = adjustPValues(
    candidates.map((candidate) => compareRates(candidate.before, candidate.after, rates)),
  );
  const found = candidates.flatMap((candidate, index) => {
    const p = ps[index] ?? 1;
    const effect = rateRatio(candidate.before, candidate.after, rates);
    const isFound =
      p < limit &&
      (leastEffect <= Math.abs(effect) || kindOf(candidate) === 'new' || kindOf(candidate) === 'gone');
    return isFound ? [{ candidate, difference: toDifference(candidate, effect, p) }] : [];
  });
  return { ...totals, groups: groupByLogs(found), compared: candidates.length };
}

function logsOf({ counts }: CountedMasks): number {
  return counts.reduce((sum, counted) => sum + (counted?.logs ?? 0), 0);
}

/** All patterns and values of both sides with their counts. */
function candidatesOf(
  [before, after]: readonly [CountedMasks, CountedMasks],
  fields: readonly CountedField[],
): readonly Candidate[] {
  const all = Array.from({ length: before.masks.size() }, (_, mask) => mask);
  const masks = all.filter((mask) => before.counts[mask] ?? after.counts[mask]);
  const { templates, templateOf } = mergeMasks(masks.map((mask) => before.masks.text(mask)));
  const byMask = new Map(masks.map((mask, index) => [mask, templateOf[index] ?? 0]));
  const patterns = templates.map((value, template) => emptyCandidate('msg', value, template));
  const values = fields.map((field, index) =>
    Array.from({ length: before.values[index]?.size() ?? 0 }, (_, value) =>
      emptyCandidate(field, before.values[index]?.text(value) ?? ''),
    ),
  );
  for (const [side, { counts }] of [['before', before] as const, ['after', after] as const])
    for (const [mask, counted] of counts.entries()) {
      if (!counted) continue;
      const template = byMask.get(mask) ?? 0;
      addLogs(patterns[template], { side, template, logs: counted.logs });
      for (const [field, logsOf] of counted.values.entries())
        for (const [value, logs] of logsOf) addLogs(values[field]?.[value], { side, template, logs });
    }
  // Differences of equal strength stay in this order: patterns, then the fields, each by its texts.
  return [patterns, ...values].flatMap((candidates) =>
    candidates.sort((a, b) => compareTexts(a.value, b.value)),
  );
}

function emptyCandidate(field: Candidate['field'], value: string, template?: number): Mutable {
  return {
    field,
    value,
    before: 0,
    after: 0,
    byTemplate: new Map(template === undefined ? [] : [[template, 0]]),
  };
}

/** A candidate while logs are added to it. */
interface Mutable extends Candidate {
  before: number;
  after: number;
  readonly byTemplate: Map<number, number>;
}

function addLogs(
  into: Mutable | undefined,
  {
    side,
    template,
    logs,
  }: { readonly side: 'before' | 'after'; readonly template: number; readonly logs: number },
): void {
  if (!into) return;
  into[side] += logs;
  into.byTemplate.set(template, (into.byTemplate.get(template) ?? 0) + logs);
}

/** True if a candidate can separate the selections: a name that some logs have, neither all nor one. */
function isTelling(
  { field, value, before, after }: Candidate,
  totals: { readonly before: number; readonly after: number },
): boolean {
  if (field !== 'msg' && (value === '' || longestValue < value.length)) return false;
  return 1 < before + after && before + after < totals.before + totals.after;
}

function kindOf({ before, after }: Candidate, effect = 0): Difference['kind'] {
  if (before === 0) return 'new';
  if (after === 0) return 'gone';
  return 0 < effect ? 'more' : 'less';
}

function toDifference(candidate: Candidate, effect: number, p: number): Difference {
  const { field, value, before, after } = candidate;
  const query =
    field === 'msg' ? patternQuery(value) : `${field}:${/^-?\d+$/.test(value) ? value : quote(value)}`;
  return {
    kind: kindOf(candidate, effect),
    field,
    value,
    ...(field === 'msg' && { pattern: patternId(value) }),
    before,
    after,
    effect,
    p,
    ...(query !== undefined && { query }),
  };
}

/** A difference that was found, and its logs. */
interface Found {
  readonly candidate: Candidate;
  readonly difference: Difference;
}

/** Groups differences whose logs are mostly the same, the strongest first: by its logs, then its effect. */
function groupByLogs(found: readonly Found[]): readonly DifferenceGroup[] {
  const groups: Found[][] = [];
  for (const finding of found.toSorted(compareFound)) {
    const group = groups.find(([first]) => first && sameLogs <= jaccard(first.candidate, finding.candidate));
    if (group) group.push(finding);
    else groups.push([finding]);
  }
  return groups.map((group) => ({ differences: group.map(({ difference }) => difference) }));
}

/** The strongest first; equal ones by field and value, so that the order in which logs are stored does not matter. */
function compareFound(first: Found, second: Found): number {
  const byStrength = strengthOf(second) - strengthOf(first);
  const [a, b] = [first.difference, second.difference];
  return byStrength || rankOf(a) - rankOf(b) || (a.value < b.value ? -1 : 1);
}

function rankOf({ field }: Difference): number {
  return field === 'msg' ? -1 : comparedFields.findIndex((name) => name === field);
}

/** Logs that were added or lost, weighted by how much the rate changed. */
function strengthOf({ difference: { before, after, effect } }: Found): number {
  return Math.abs(effect) * Math.log2(1 + Math.max(before, after));
}

/**
 * The share of the logs of two candidates that both have: exact between a
 * pattern and a value, the most there can be between two values.
 */
function jaccard(first: Candidate, second: Candidate): number {
  let shared = 0;
  for (const [template, logs] of first.byTemplate)
    shared += Math.min(logs, second.byTemplate.get(template) ?? 0);
  const all = first.before + first.after + second.before + second.after - shared;
  return all === 0 ? 0 : shared / all;
}

/**
 * The probability of counts at least as unlikely as `before` and `after` if the rate were the same. Exposures
 * are, for instance, the lengths of two intervals. The conditional test of two Poisson rates: exact and
 * two-sided
 * for up to a thousand logs, the G-test above.
 */
export function compareRates(
  before: number,
  after: number,
  exposure: { readonly before: number; readonly after: number },
): number {
  const total = before + after;
  const share = exposure.before / (exposure.before + exposure.after);
  if (total === 0 || !(0 < share && share < 1)) return 1;
  return total <= 1000 ? exactTest(before, total, share) : gTest(before, total, share);
}

/** The two-sided exact binomial test: the sum of all outcomes no more likely than the one seen. */
function exactTest(seen: number, total: number, share: number): number {
  const observed = logBinomial(seen, total, share);
  let sum = 0;
  for (let outcome = 0; outcome <= total; outcome++) {
    const likelihood = logBinomial(outcome, total, share);
    // Outcomes that are as likely differ by rounding.
    if (likelihood <= observed + 1e-9) sum += Math.exp(likelihood);
  }
  return Math.min(1, sum);
}

function logBinomial(seen: number, total: number, share: number): number {
  return (
    logFactorial(total) -
    logFactorial(seen) -
    logFactorial(total - seen) +
    seen * Math.log(share) +
    (total - seen) * Math.log1p(-share)
  );
}

const logFactorials: number[] = [0];

function logFactorial(value: number): number {
  for (let next = logFactorials.length; next <= value; next++)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[value] ?? 0;
}

/** The likelihood-ratio test with one degree of freedom. */
function gTest(seen: number, total: number, share: number): number {
  const term = (count: number, expected: number) => (count === 0 ? 0 : count * Math.log(count / expected));
  const g = 2 * (term(seen, total * share) + term(total - seen, total * (1 - share)));
  return complementaryError(Math.sqrt(Math.max(0, g) / 2));
}

/** The complementary error function for values from 0; relative error below 1.2e-7 (Numerical Recipes, 6.2). */
export function complementaryError(value: number): number {
  const t = 1 / (1 + value / 2);
  const coefficients = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  const polynomial = coefficients.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  return t * Math.exp(-value * value + polynomial);
}

/** P-values adjusted so that of those below a limit at most that share is due to chance (Benjamini and Hochberg, 1995). */
export function adjustPValues(values: readonly number[]): readonly number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => b.value - a.value);
  const adjusted = new Array<number>(values.length).fill(1);
  let min = 1;
  for (const [rank, { value, index }] of order.entries()) {
    min = Math.min(min, (value * values.length) / (values.length - rank));
    adjusted[index] = min;
  }
  return adjusted;
}

/** The binary logarithm of the ratio of two rates; half a log is added to each count, so that 0 has a finite ratio. */
export function rateRatio(
  before: number,
  after: number,
  exposure: { readonly before: number; readonly after: number },
): number {
  return Math.log2((after + 0.5) / exposure.after / ((before + 0.5) / exposure.before));
}

/** Difference of two samples of durations. */
interface SampleShift {
  readonly medianBefore: number;
  readonly medianAfter: number;
  /** The probability that a value of the second sample is larger than one of the first, ties counted half. */
  readonly larger: number;
  readonly p: number;
}

/** Compares two samples by the Mann-Whitney test, normal approximation with ties. Sorts both. */
export function compareSamples(before: Float64Array, after: Float64Array): SampleShift {
  before.sort();
  after.sort();
  const [n, m] = [before.length, after.length];
  let [i, j, ranks, ties] = [0, 0, 0, 0];
  // Ranks of the second sample, with equal values sharing the mean of theirs.
  while (i < n || j < m) {
    const value = Math.min(before[i] ?? Number.POSITIVE_INFINITY, after[j] ?? Number.POSITIVE_INFINITY);
    const [fromBefore, fromAfter] = [i, j];
    while (i < n && before[i] === value) i++;
    while (j < m && after[j] === value) j++;
    const count = i - fromBefore + j - fromAfter;
    ranks += (j - fromAfter) * (fromBefore + fromAfter + (count + 1) / 2);
    ties += count ** 3 - count;
  }
  const u = ranks - (m * (m + 1)) / 2;
  const size = n + m;
  const variance = ((n * m) / 12) * (size + 1 - ties / (size * (size - 1) || 1));
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5);
  return {
    medianBefore: medianOf(before),
    medianAfter: medianOf(after),
    larger: n * m === 0 ? 0.5 : u / (n * m),
    p: variance <= 0 ? 1 : complementaryError(distance / Math.sqrt(2 * variance)),
  };
}

/** The median of sorted values; not a number where there is none. */
function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
