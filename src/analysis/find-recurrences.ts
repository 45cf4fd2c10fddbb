import type { ChangeSubject, CollectedSeries, SubjectSeries } from './collect-series.ts';
import { binomialTail } from './find-clock-offsets.ts';
import type { Buckets } from './mask-groups.ts';

/** Logs that come at the same time of most days or weeks, and hardly at other times. */
export interface Recurrence {
  readonly subject: ChangeSubject;
  readonly every: 'day' | 'week';
  /** Days or weeks with such logs, of those whose time is known. */
  readonly times: number;
  readonly of: number;
  /** All logs of the kind. */
  readonly count: number;
  /** The time of the last recurrence: from the start of its first interval to the end of its last one. */
  readonly last: { readonly from: number; readonly to: number };
  readonly query?: string;
}

const day = 86_400_000;

/** A day or a week of fewer intervals cannot tell its times apart. */
const minPeriod = 8;

/** A recurring job takes at most this part of a day or a week: what takes longer is the rhythm of users. */
const maxPart = 1 / 8;

/** The part of all logs of the kind that come at that time. */
const minShare = 0.8;

/** Days and weeks with such logs: at least this number, and this part of all that are known. */
const [minTimes, minPartOfDays, minPartOfWeeks] = [3, 0.6, 0.75];

/**
 * Finds logs that recur each day or week at about the same time, the most frequent first. That their times agree by
 * chance, if each day had its own, is tested by the exact binomial distribution, corrected for all series and times.
 */
export function findRecurrences({ series, buckets }: CollectedSeries, limit: number): readonly Recurrence[] {
  const perDay = day / buckets.length;
  if (!Number.isInteger(perDay)) return [];
  const possible = series.filter(
    ({ subject, elapsed }) => !elapsed && subject.type !== 'total' && subject.type !== 'query',
  );
  const foldings = (['day', 'week'] as const)
    .map((every) => ({ every, period: every === 'day' ? perDay : 7 * perDay }))
    // With fewer days or weeks nothing recurs often enough. Intervals of milliseconds are a tiny part of one.
    .filter(({ period }) => minPeriod <= period && (minTimes - 2) * period <= buckets.count);
  const found = possible.flatMap((candidate): readonly Recurrence[] => {
    for (const folding of foldings) {
      const recurrence = recurrenceOf(candidate, {
        ...folding,
        buckets,
        limit: limit / possible.length,
      });
      if (recurrence) return [recurrence];
    }
    return [];
  });
  const codes = new Set(found.flatMap(({ subject }) => (subject.type === 'code' ? [subject.code] : [])));
  return found
    .filter(({ subject }) => subject.type !== 'pattern' || !codes.has(subject.code ?? ''))
    .sort((first, second) => second.count - first.count || second.last.from - first.last.from);
}

interface Folding {
  readonly buckets: Buckets;
  readonly limit: number;
  readonly every: Recurrence['every'];
  /** Intervals in a day or a week. */
  readonly period: number;
}

function recurrenceOf(series: SubjectSeries, folding: Folding): Recurrence | undefined {
  const { buckets, limit, every, period } = folding;
  const { subject, counts, query } = series;
  const begins = periodBegins(counts, period);
  const positions = begins.flatMap((begin) => positionOfMiddle(counts, begin, period) ?? []);
  if (positions.length < minTimes) return undefined;
  const arc = mostLikelyArc(positions, period);
  if (!arc || limit <= arc.p) return undefined;
  const window = widen(arc, { counts, begins, maxLength: day / 4 / buckets.length });
  const { inside, known, last } = countWithin(series, begins, window);
  const all = sumOf(counts, 0, counts.length);
  const minPart = every === 'day' ? minPartOfDays : minPartOfWeeks;
  if (arc.times < minTimes || arc.times < minPart * known || inside < minShare * all) return undefined;
  const timeOf = (bucket: number) => buckets.start + bucket * buckets.length;
  return {
    subject,
    every,
    times: arc.times,
    of: known,
    count: all,
    last: { from: timeOf(last + window.from), to: timeOf(last + window.to) - 1 },
    ...(query !== undefined && { query }),
  };
}

/** The first interval of each day or week, also of those that are counted in part; negative before all intervals. */
function periodBegins(counts: ArrayLike<number>, period: number): readonly number[] {
  const begins: number[] = [];
  for (let begin = quietestPhase(counts, period) - period; begin < counts.length; begin += period)
    begins.push(begin);
  return begins;
}

/** The interval of a day or week at which a new one begins: in the middle of the quarter with the fewest logs. */
function quietestPhase(counts: ArrayLike<number>, period: number): number {
  const folded = new Float64Array(period);
  for (let bucket = 0; bucket < counts.length; bucket++)
    folded[bucket % period] = (folded[bucket % period] ?? 0) + (counts[bucket] ?? 0);
  const width = Math.max(1, period >> 2);
  let quietest = { phase: 0, logs: Number.POSITIVE_INFINITY };
  let logs = sumOf(folded, 0, width);
  for (let phase = 0; phase < period; phase++) {
    if (logs < quietest.logs) quietest = { phase, logs };
    logs += (folded[(phase + width) % period] ?? 0) - (folded[phase] ?? 0);
  }
  return (quietest.phase + (width >> 1)) % period;
}

/** The position in a day or week of the interval in which its middle log lies; undefined without logs. */
function positionOfMiddle(counts: ArrayLike<number>, begin: number, period: number): number | undefined {
  const all = sumOf(counts, begin, begin + period);
  let sum = 0;
  for (let bucket = begin; bucket < begin + period; bucket++) {
    sum += counts[bucket] ?? 0;
    if (0 < sum && all <= 2 * sum) return bucket - begin;
  }
  return undefined;
}

/** The logs in intervals from `from` up to, not including, `to`; those that are not counted have none. */
function sumOf(counts: ArrayLike<number>, from: number, to: number): number {
  let sum = 0;
  for (let bucket = from; bucket < to; bucket++) sum += counts[bucket] ?? 0;
  return sum;
}

/** The positions of a day or week that hold most of the middles, and the probability of that by chance. */
interface Arc {
  readonly from: number;
  readonly length: number;
  readonly times: number;
  readonly p: number;
}

function mostLikelyArc(positions: readonly number[], period: number): Arc | undefined {
  const sorted = positions.toSorted((first, second) => first - second);
  const lengths = [1, 2, 4, 8].filter((length) => length <= Math.max(2, period * maxPart));
  return lengths
    .flatMap((length) =>
      sorted.map((from): Arc => {
        const times = sorted.filter((position) => from <= position && position < from + length).length;
        // Any of the days can be the first within, and any length be the best one.
        const chance = binomialTail(times - 1, sorted.length - 1, length / period);
        return { from, length, times, p: Math.min(1, lengths.length * sorted.length * chance) };
      }),
    )
    .sort((first, second) => first.p - second.p || first.from - second.from)[0];
}

/** Positions in a day or week, from the first up to, not including, the last. */
interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** Adds to an arc the neighbours that hold most of the other logs: a job may run across the edge of an interval. */
function widen(
  arc: Arc,
  {
    counts,
    begins,
    maxLength,
  }: { readonly counts: ArrayLike<number>; readonly begins: readonly number[]; readonly maxLength: number },
): PositionRange {
  const logsAt = (position: number) =>
    begins.reduce((sum, begin) => sum + (counts[begin + position] ?? 0), 0);
  let [from, to] = [arc.from, arc.from + arc.length];
  for (let round = 0; round < 2 && to - from < maxLength; round++)
    if (logsAt(to) <= logsAt(from - 1)) from--;
    else to++;
  return { from, to };
}

/** The logs at these positions, the days or weeks that are known there or have some, and the begin of the last with some. */
function countWithin(
  { counts, time, exposure }: SubjectSeries,
  begins: readonly number[],
  { from, to }: PositionRange,
): { readonly inside: number; readonly known: number; readonly last: number } {
  const isKnown = (bucket: number) => 0 < ((time ?? exposure)[bucket] ?? 0);
  let [inside, known, last] = [0, 0, Number.NaN];
  for (const begin of begins) {
    const logs = sumOf(counts, begin + from, begin + to);
    inside += logs;
    if (0 < logs) last = begin;
    const positions = Array.from({ length: to - from }, (_, index) => begin + from + index);
    if (0 < logs || positions.every(isKnown)) known++;
  }
  return { inside, known, last };
}
