import type { StoredWindow } from '../../case/index.ts';
import { type Client, countAtDeployment } from '../../client/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import { extentOf } from '../decide/observed-behaviour.ts';
import { containsTime, isPartialSlice, openStart, type Window, windowLength } from '../decide/window.ts';

/** An interval with its log density, in logs per millisecond. */
export interface DensityInterval extends Window {
  readonly density: number;
}

/** Log density of an interval, from samples. */
export interface SampledDensity {
  /** True if all logs came, so nothing is estimated. */
  readonly exact: boolean;
  /** Newest first, without gaps. */
  readonly intervals: readonly DensityInterval[];
  /** Bounds of the number of logs, from the variance of the samples. */
  readonly least: number;
  readonly most: number;
}

/** Number of evenly spaced samples. */
const samplePoints = 8;

/** Standard errors on either side of an estimate. */
const width = 2;

/** Minimum error of an estimate, as a share of the unseen logs. */
const leastError = 0.1;

/**
 * Estimates the log density of an interval. Each sample of the newest `num` logs
 * before a time is exact for its own interval; between two samples their mean
 * density is assumed.
 *
 * A deployment may return fewer logs than requested and need not sort. Two
 * assumptions are therefore checked: that a sample holds all logs, and where the
 * logs begin.
 */
export async function sampleDensity(
  whole: Window,
  num: number,
  probeTimes: ProbeTimes,
): Promise<SampledDensity> {
  const first = sampleOf(whole.newest, await probeTimes(whole, { num, order: 'desc' }));
  if (!first || (await isComplete(whole, first, probeTimes))) return exactDensity(whole, first?.logs ?? 0);
  const before = { oldest: whole.oldest, newest: first.interval.oldest - 1 };
  const begins = (await findOldestTime(before, probeTimes)) ?? first.interval.oldest;
  const samples = [first];
  for (const until of samplePointsOf({ oldest: begins, newest: before.newest })) {
    const last = samples.at(-1) ?? first;
    if (last.interval.oldest <= until) continue;
    const sample = sampleOf(
      until,
      await probeTimes({ oldest: begins, newest: until }, { num, order: 'desc' }),
    );
    samples.push(sample ?? { interval: { oldest: begins, newest: until, density: 0 }, logs: 0, density: 0 });
  }
  return { exact: false, ...fillGaps(samples, { oldest: begins, newest: whole.newest }) };
}

interface Sample {
  /** From its oldest log to the requested time. */
  readonly interval: DensityInterval;
  readonly logs: number;
  /**
   * Logs per millisecond at its older end; undefined for a single crowded
   * millisecond, which says nothing about its surroundings.
   */
  readonly density: number | undefined;
}

function sampleOf(until: number, times: readonly number[]): Sample | undefined {
  if (times.length === 0) return undefined;
  const oldest = times.reduce((min, time) => Math.min(min, time), until);
  const newest = times.reduce((max, time) => Math.max(max, time), until);
  const sorted = [...times].sort((a, b) => a - b);
  const older = sorted.slice(0, Math.ceil(sorted.length / 2));
  const last = older.at(-1) ?? oldest;
  return {
    interval: intervalOf({ oldest, newest }, times.length),
    logs: times.length,
    density: oldest === last ? undefined : older.length / (last - oldest + 1),
  };
}

/** Returns whether a sample of the newest logs holds all of them. */
async function isComplete(whole: Window, { interval }: Sample, probeTimes: ProbeTimes): Promise<boolean> {
  const older = await probeTimes(
    { oldest: whole.oldest, newest: interval.oldest - 1 },
    { num: 1, order: 'desc' },
  );
  return !older.some((time) => containsTime(whole, time) && time < interval.oldest);
}

function exactDensity(whole: Window, logs: number): SampledDensity {
  return { exact: true, intervals: [intervalOf(whole, logs)], least: logs, most: logs };
}

/** Times to sample, newest first, in the middle of intervals of equal length. */
function samplePointsOf({ oldest, newest }: Window): readonly number[] {
  const length = (newest - oldest + 1) / samplePoints;
  return Array.from({ length: samplePoints }, (_, index) =>
    Math.floor(newest - (index + 0.25) * length),
  ).filter((time) => oldest < time);
}

/** Samples with the estimated gaps between them. */
function fillGaps(samples: readonly Sample[], { oldest }: Window): Omit<SampledDensity, 'exact'> {
  const intervals: DensityInterval[] = [];
  for (const [index, { interval, density: own }] of samples.entries()) {
    intervals.push(interval);
    const next = samples[index + 1];
    const gap = { oldest: next ? next.interval.newest + 1 : oldest, newest: interval.oldest - 1 };
    const density = ((next?.density ?? own ?? 0) + (own ?? next?.density ?? 0)) / 2;
    if (gap.oldest <= gap.newest) intervals.push({ ...gap, density });
  }
  const total = intervals.reduce((sum, interval) => sum + interval.density * windowLength(interval), 0);
  const seen = samples.reduce((sum, { logs }) => sum + logs, 0);
  const error = errorOf(samples, { seen, total });
  return { intervals, least: Math.max(seen, Math.round(total - error)), most: Math.round(total + error) };
}

/** Error of an estimate: varying samples say little about the gaps between them. */
function errorOf(
  samples: readonly Sample[],
  { seen, total }: { readonly seen: number; readonly total: number },
): number {
  const densities = samples.map(({ density }) => density).filter((density) => density !== undefined);
  const mean = densities.reduce((sum, density) => sum + density, 0) / densities.length;
  if (densities.length < 2 || mean === 0) return total;
  const squares = densities.reduce((sum, density) => sum + (density - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (densities.length - 1) / densities.length);
  return Math.max(leastError, (width * deviation) / mean) * Math.max(0, total - seen);
}

function intervalOf(window: Window, logs: number): DensityInterval {
  return { oldest: window.oldest, newest: window.newest, density: logs / windowLength(window) };
}

/** Splits intervals into windows of `perWindow` logs each, newest first; at most `most` windows. */
export function splitIntoWindows(
  intervals: readonly DensityInterval[],
  { perWindow, max }: { readonly perWindow: number; readonly max: number },
): readonly Window[] {
  const [first] = intervals;
  const last = intervals.at(-1);
  if (!first || !last) return [];
  const windows: Window[] = [];
  let [end, remaining] = [first.newest, perWindow];
  for (const { oldest, newest, density } of intervals) {
    let from = newest;
    while (remaining < density * (from - oldest + 1) && windows.length < max) {
      const start = from - Math.max(1, Math.floor(remaining / density)) + 1;
      windows.push({ oldest: start, newest: end });
      [from, end, remaining] = [start - 1, start - 1, perWindow];
    }
    remaining -= density * (from - oldest + 1);
  }
  if (last.oldest <= end && windows.length < max) windows.push({ oldest: last.oldest, newest: end });
  return windows;
}

/** First step back in time, in milliseconds: an hour. Each step doubles. */
const firstStep = 3_600_000;

/** Precision of the result, as a share of the time from it to the newest log. */
const precision = 0.05;

/**
 * Finds a time that no log of a window is older than, by calls for one log each.
 * Returns milliseconds since the epoch; undefined without logs.
 *
 * The reply to the call for the oldest log is checked. A deployment that does
 * not sort returns another log; then the time is bisected until it is known well
 * enough.
 */
export async function findOldestTime(window: Window, probeTimes: ProbeTimes): Promise<number | undefined> {
  const [first] = await probeTimes(window, { num: 1, order: 'asc' });
  if (first === undefined) return undefined;
  // A deployment may ignore the requested times; other checks detect that.
  if (first <= window.oldest || !containsTime(window, first)) return window.oldest;
  const newestUntil = async (newest: number) =>
    (await probeTimes({ oldest: window.oldest, newest }, { num: 1, order: 'desc' }))[0];
  const older = await newestUntil(first - 1);
  if (older === undefined) return first;
  return await searchBeginning(window, { first, older, newestUntil });
}

async function searchBeginning(
  { oldest }: Window,
  found: {
    readonly first: number;
    readonly older: number;
    readonly newestUntil: (newest: number) => Promise<number | undefined>;
  },
): Promise<number> {
  const { first, newestUntil } = found;
  let [empty, known, step] = [oldest - 1, found.older, firstStep];
  while (oldest < known) {
    const until = Math.max(oldest, known - step);
    const time = await newestUntil(until);
    if (time === undefined) {
      empty = until;
      break;
    }
    [known, step] = [Math.min(time, until), step * 2];
  }
  while ((first - known) * precision + 1 < known - empty) {
    const middle = Math.floor((empty + known) / 2);
    const time = await newestUntil(middle);
    if (time === undefined) empty = middle;
    else known = Math.min(time, middle);
  }
  return empty + 1;
}

/**
 * Requests at most `num` logs from one end of an interval, and returns their
 * times in milliseconds since the epoch.
 */
export type ProbeTimes = (
  window: Window,
  more: { readonly num: number; readonly order: 'asc' | 'desc' },
) => Promise<readonly number[]>;

/** Client and request of a count. */
export interface CountOptions {
  readonly client: Client;
  readonly request: ExportRequest;
  readonly signal?: AbortSignal | undefined;
}

/** An hour far in the future without any logs: a count other than zero ignores times. */
const never: Window = { oldest: 4_102_444_800_000, newest: 4_102_448_400_000 };

/**
 * Number of logs of an interval by the deployment's own count; undefined where
 * it has none or ignores times.
 */
export async function countIndependently(counting: CountOptions, times: Window): Promise<number | undefined> {
  const count = ({ oldest, newest }: Window) => {
    const bounds = { newest, ...(openStart < oldest && { oldest }) };
    return countAtDeployment(
      counting.client,
      { ...counting.request, ...bounds },
      { signal: counting.signal },
    );
  };
  const counted = await count(times);
  if (counted === undefined) return undefined;
  return (await count(never)) === 0 ? counted : undefined;
}

/** Reason of a window of which the deployment counts more logs than came. */
const countedMore = 'The deployment counts more logs of these times than came';

/** Reason of windows of which one at least lacks logs, but no count shows which. */
export const countedSomewhere = 'The deployment counts more logs than came, of these times or of others';

/** Maximum number of counts that look for lacking windows: some ten for each. */
const maxCounts = 100;

/**
 * Finds the windows that lack logs by the deployment's own count, by halves, and returns them as lacking. Where the
 * counts of both halves show nothing, or after many of them, all of these times are lacking.
 */
export async function findUncounted(
  windows: readonly StoredWindow[],
  {
    missing,
    count,
  }: { readonly missing: number; readonly count: (times: Window) => Promise<number | undefined> },
): Promise<readonly StoredWindow[]> {
  let left = maxCounts;
  const byTimes = new Map<string, StoredWindow[]>();
  for (const window of windows.filter(({ state }) => state === 'loaded')) {
    const times = `${window.oldest} ${window.newest}`;
    byTimes.set(times, [...(byTimes.get(times) ?? []), window]);
  }
  const groups = [...byTimes.values()].sort(([a], [b]) => (a?.oldest ?? 0) - (b?.oldest ?? 0));
  return await search(groups, missing);

  async function search(some: readonly StoredWindow[][], lack: number): Promise<readonly StoredWindow[]> {
    // Slices of a millisecond have the same times.
    const whole = some.flatMap((own) => own.find(({ slice }) => !isPartialSlice(slice)) ?? own.slice(0, 1));
    if (whole.length === 1) return whole.map((window) => ({ ...window, missing: lack, reason: countedMore }));
    const middle = Math.ceil(some.length / 2);
    const halves = [some.slice(0, middle), some.slice(middle)].map((half) => ({ half, own: half.flat() }));
    const lacks: { half: readonly StoredWindow[][]; lack: number }[] = [];
    for (const { half, own } of halves) {
      left -= 1;
      const counted = left < 0 ? undefined : await count(extentOf(own));
      const records = half.reduce((sum, group) => sum + recordsOf(group), 0);
      if (counted !== undefined && records < counted) lacks.push({ half, lack: counted - records });
    }
    if (lacks.length === 0)
      return whole.map((window) => ({ ...window, missing: 1, reason: countedSomewhere }));
    const found: StoredWindow[] = [];
    for (const { half, lack } of lacks) found.push(...(await search(half, lack)));
    return found;
  }
}

/** Number of records that came of the windows of some times. Slices have logs in common, but each is added once. */
function recordsOf(group: readonly StoredWindow[]): number {
  const isSliced = 1 < group.length;
  return group.reduce(
    (sum, { found = 0, logs = 0, unreadable = 0 }) => sum + (isSliced ? logs : found) + unreadable,
    0,
  );
}
