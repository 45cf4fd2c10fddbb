import { findBeginning } from './find-beginning.ts';
import type { Look } from './look.ts';
import { holds, lengthOf, type Window } from './window.ts';

/** An interval of time with the logs that are in it for each millisecond. */
export interface Stretch extends Window {
  readonly density: number;
}

/** What samples tell of the logs of a time. */
export interface Sampled {
  /** Whether all logs came, so that nothing is estimated. */
  readonly exact: boolean;
  /** Without gaps, the newest first. */
  readonly stretches: readonly Stretch[];
  /** How many logs there are at least and at most, as far as the samples differ. */
  readonly least: number;
  readonly most: number;
}

/** The time is sampled at this many places, evenly. */
const places = 8;

/** Standard errors on either side of an estimate. */
const width = 2;

/** An estimate is never taken to be better than this share of what was not seen. */
const leastError = 0.1;

/**
 * Estimates how dense the logs of a time are. Each sample of the newest `num`
 * logs before a place is exact for its own time; between two of them the logs
 * are taken to be as dense as in the mean of both. That a sample is all there
 * is, and where the logs begin, is checked: a deployment may return fewer logs
 * than are asked for, and need not sort.
 */
export async function sampleTimes(whole: Window, num: number, look: Look): Promise<Sampled> {
  const first = sampleOf(whole.newest, await look(whole, { num, order: 'desc' }));
  if (!first || (await isAll(whole, first, look))) return exactly(whole, first?.logs ?? 0);
  const before = { oldest: whole.oldest, newest: first.stretch.oldest - 1 };
  const begins = (await findBeginning(before, look)) ?? first.stretch.oldest;
  const samples = [first];
  for (const until of placesOf({ oldest: begins, newest: before.newest })) {
    const last = samples.at(-1) ?? first;
    if (last.stretch.oldest <= until) continue;
    const sample = sampleOf(until, await look({ oldest: begins, newest: until }, { num, order: 'desc' }));
    samples.push(sample ?? { stretch: { oldest: begins, newest: until, density: 0 }, logs: 0, density: 0 });
  }
  return { exact: false, ...joined(samples, { oldest: begins, newest: whole.newest }) };
}

interface Sample {
  /** From its oldest log to the place that it was asked for. */
  readonly stretch: Stretch;
  readonly logs: number;
  /** Logs for each millisecond at its older end; undefined of a crowd in one millisecond, which says nothing of the times around it. */
  readonly density: number | undefined;
}

function sampleOf(until: number, times: readonly number[]): Sample | undefined {
  if (times.length === 0) return undefined;
  const oldest = times.reduce((least, time) => Math.min(least, time), until);
  const newest = times.reduce((most, time) => Math.max(most, time), until);
  const sorted = [...times].sort((a, b) => a - b);
  const older = sorted.slice(0, Math.ceil(sorted.length / 2));
  const last = older.at(-1) ?? oldest;
  return {
    stretch: stretchOf({ oldest, newest }, times.length),
    logs: times.length,
    density: oldest === last ? undefined : older.length / (last - oldest + 1),
  };
}

/** Returns whether there is no log that a sample of the newest ones lacks. */
async function isAll(whole: Window, { stretch }: Sample, look: Look): Promise<boolean> {
  const older = await look({ oldest: whole.oldest, newest: stretch.oldest - 1 }, { num: 1, order: 'desc' });
  return !older.some((time) => holds(whole, time) && time < stretch.oldest);
}

function exactly(whole: Window, logs: number): Sampled {
  return { exact: true, stretches: [stretchOf(whole, logs)], least: logs, most: logs };
}

/** The places to sample, the newest first, in the middle of intervals of equal length. */
function placesOf({ oldest, newest }: Window): readonly number[] {
  const length = (newest - oldest + 1) / places;
  return Array.from({ length: places }, (_, index) => Math.floor(newest - (index + 0.25) * length)).filter(
    (time) => oldest < time,
  );
}

/** Samples with what lies between them. */
function joined(samples: readonly Sample[], { oldest }: Window): Omit<Sampled, 'exact'> {
  const stretches: Stretch[] = [];
  for (const [index, { stretch, density: own }] of samples.entries()) {
    stretches.push(stretch);
    const next = samples[index + 1];
    const gap = { oldest: next ? next.stretch.newest + 1 : oldest, newest: stretch.oldest - 1 };
    const density = ((next?.density ?? own ?? 0) + (own ?? next?.density ?? 0)) / 2;
    if (gap.oldest <= gap.newest) stretches.push({ ...gap, density });
  }
  const total = stretches.reduce((sum, each) => sum + each.density * lengthOf(each), 0);
  const seen = samples.reduce((sum, { logs }) => sum + logs, 0);
  const error = errorOf(samples, { seen, total });
  return { stretches, least: Math.max(seen, Math.round(total - error)), most: Math.round(total + error) };
}

/** The error of an estimate: samples that differ much say little of what lies between them. */
function errorOf(
  samples: readonly Sample[],
  { seen, total }: { readonly seen: number; readonly total: number },
): number {
  const densities = samples.map(({ density }) => density).filter((each) => each !== undefined);
  const mean = densities.reduce((sum, each) => sum + each, 0) / densities.length;
  if (densities.length < 2 || mean === 0) return total;
  const squares = densities.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (densities.length - 1) / densities.length);
  return Math.max(leastError, (width * deviation) / mean) * Math.max(0, total - seen);
}

function stretchOf(window: Window, logs: number): Stretch {
  return { oldest: window.oldest, newest: window.newest, density: logs / lengthOf(window) };
}

/** Windows of `perWindow` logs each, the newest first; at most `most`. */
export function windowsOf(
  stretches: readonly Stretch[],
  { perWindow, most }: { readonly perWindow: number; readonly most: number },
): readonly Window[] {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (!first || !last) return [];
  const windows: Window[] = [];
  let [end, room] = [first.newest, perWindow];
  for (const { oldest, newest, density } of stretches) {
    let from = newest;
    while (room < density * (from - oldest + 1) && windows.length < most) {
      const start = from - Math.max(1, Math.floor(room / density)) + 1;
      windows.push({ oldest: start, newest: end });
      [from, end, room] = [start - 1, start - 1, perWindow];
    }
    room -= density * (from - oldest + 1);
  }
  if (last.oldest <= end && windows.length < most) windows.push({ oldest: last.oldest, newest: end });
  return windows;
}
