import type { StoredWindow } from '../../case/index.ts';
import { clipChecks, readExpected, writeExpected } from './reply-checks.ts';
import {
  ceilTo,
  containsTime,
  earliestCut,
  floorTo,
  isPartialSlice,
  openStart,
  type Window,
  windowLength,
} from './window.ts';

/** The next window to fetch. */
export interface NextWindow {
  readonly window: StoredWindow;
  /** Windows to save first: this one, and the rest of the planned window that it was cut from. */
  readonly changes: readonly StoredWindow[];
}

/** The windows of an export and those being fetched. */
export interface Schedule {
  readonly windows: readonly StoredWindow[];
  readonly isActive: (window: StoredWindow) => boolean;
  /** Number of the next new window. */
  readonly nextNumber: number;
  readonly target: WindowTarget;
}

/**
 * Chooses the next window to fetch; undefined when none is planned or all must
 * wait.
 *
 * Slices of one millisecond run one after another, because each skips what an
 * earlier one returned. Work goes from new to old. The times just below an
 * active window belong to its worker, which requests its leftover together with
 * them. Otherwise a worker starts in the middle of the longest interval.
 */
export function nextWindow(schedule: Schedule): NextWindow | undefined {
  const windows = alignWindows(schedule.windows, schedule.target.step ?? 1);
  const next = chooseWindow({ ...schedule, windows });
  // A window that was only widened must be saved too.
  const isWidened = next?.changes.length === 0 && !schedule.windows.includes(next.window);
  return next && isWidened ? { ...next, changes: [next.window] } : next;
}

function chooseWindow(schedule: Schedule): NextWindow | undefined {
  const { windows, isActive, target } = schedule;
  const planned = windows.filter((window) => window.state === 'planned' && !isActive(window));
  const active = windows.filter(isActive);
  const slices = planned.filter((window) => window.slice !== undefined);
  const intervals = planned.filter((window) => window.slice === undefined);
  const [slice] = slices.filter((slice) => active.every((other) => !isSameTime(slice, other)));
  // A known sort order makes slices provable, and longer windows reveal that order.
  if (slice && (target.isOrderKnown || intervals.length === 0)) return { window: slice, changes: [] };
  const edges = new Set(active.map(({ oldest }) => oldest - 1));
  const free = intervals.filter(({ newest }) => !edges.has(newest)).sort((a, b) => b.newest - a.newest);
  // A reply that may prove the order comes first: the older one where the oldest logs come first.
  const first = free.find(provesAnOrder) ?? free[0];
  if (first) return cut(first, schedule);
  const [longest] = intervals.sort((a, b) => windowLength(b) - windowLength(a));
  return longest && splitInTheMiddle(longest, schedule);
}

function isSameTime(a: Window, b: Window): boolean {
  return a.oldest === b.oldest && a.newest === b.newest;
}

function cut(window: StoredWindow, { windows, nextNumber, target }: Schedule): NextWindow {
  const chunk = isFixed(window) ? window : newestChunk(window, densityAt(windows, window.newest), target);
  if (chunk.oldest === window.oldest || isTooEarly(window, chunk.oldest)) return { window, changes: [] };
  const rest = cutFrom(window, { oldest: window.oldest, newest: chunk.oldest - 1 }, nextNumber);
  const now = cutFrom(window, chunk, window.window);
  return { window: now, changes: [now, rest] };
}

/**
 * Returns whether a window is requested unchanged: it failed before, or proves
 * an order or the absence of logs.
 */
function isFixed(window: StoredWindow): boolean {
  const proves = readExpected(window.expected).some(
    (check) => check.kind === 'exact' || !containsTime(window, check.oldest),
  );
  return 0 < window.attempts || proves;
}

/** Returns whether the reply of a window may prove that the deployment sorts. */
function provesAnOrder({ expected }: StoredWindow): boolean {
  return readExpected(expected).some(({ kind, count }) => kind === 'exact' && 0 < count);
}

/** Returns whether a window without a lower bound would be cut where no logs are. */
function isTooEarly({ oldest }: Window, at: number): boolean {
  return oldest <= openStart && at < earliestCut;
}

/** Part of a planned window, with the checks of its times. Only one part keeps its number and count of logs. */
function cutFrom(window: StoredWindow, { oldest, newest }: Window, number: number): StoredWindow {
  const expected = writeExpected(clipChecks({ oldest, newest }, readExpected(window.expected)));
  const logs = number === window.window ? window.logs : undefined;
  return { ...window, window: number, oldest, newest, expected, logs };
}

function splitInTheMiddle(window: StoredWindow, schedule: Schedule): NextWindow {
  const density = densityAt(schedule.windows, window.newest);
  const logs = density ? density.perMillisecond * windowLength(window) : Number.POSITIVE_INFINITY;
  const { step = 1 } = schedule.target;
  const isShort = logs < 3 * schedule.target.cap || windowLength(window) < 2 * step;
  if (isShort || isFixed(window)) return cut(window, schedule);
  const middle = floorTo(window.oldest + Math.floor(windowLength(window) / 2), step);
  if (isTooEarly(window, middle)) return cut(window, schedule);
  const newer = cutFrom(window, { oldest: middle, newest: window.newest }, window.window);
  const older = cutFrom(window, { oldest: window.oldest, newest: middle - 1 }, schedule.nextNumber);
  const next = cut(older, { ...schedule, nextNumber: schedule.nextNumber + 1 });
  const others = next.changes.filter((change) => change.window !== older.window);
  return { window: next.window, changes: [newer, next.window, ...others] };
}

/**
 * Widens planned windows to whole steps. A step that two windows share goes to
 * the newer one, so they do not overlap. Logs that a loaded window has are
 * skipped later, one by one.
 */
export function alignWindows(windows: readonly StoredWindow[], step: number): readonly StoredWindow[] {
  if (step === 1) return windows;
  let end = Number.POSITIVE_INFINITY;
  return [...windows]
    .sort((a, b) => b.newest - a.newest)
    .flatMap((window) => {
      const { state, slice } = window;
      if (state === 'loaded' || state === 'split' || slice !== undefined) return [window];
      const oldest = floorTo(window.oldest, step);
      const newest = Math.min(ceilTo(window.newest + 1, step) - 1, end);
      end = Math.min(end, oldest - 1);
      if (state !== 'planned' || (oldest === window.oldest && newest === window.newest)) return [window];
      return oldest <= newest ? [{ ...window, oldest, newest }] : [];
    });
}

/** Target size of a window. */
export interface WindowTarget {
  /** Maximum number of logs that one call returns. */
  readonly cap: number;
  /** True if a truncated reply is still usable. */
  readonly isOrderTrusted: boolean;
  /** True if the sort order has been observed. */
  readonly isOrderKnown: boolean;
  /** Windows begin at multiples of this, in milliseconds. Default 1. */
  readonly step?: number;
}

/** Share of the cap that windows aim for: all where too many logs cost nothing, else less than what may be cut. */
const shares = { trusted: 1, untrusted: 0.4 } as const;

/**
 * Maximum growth from one window to the next: a burst may follow a quiet time.
 * Unlimited where too many logs cost nothing.
 */
const growths = { trusted: Number.POSITIVE_INFINITY, untrusted: 8 } as const;

/** Number of windows that estimate the density near a time. */
const neighbours = 5;

/** Logs per millisecond in the windows nearest to a time. */
export interface Density {
  readonly perMillisecond: number;
  /** The lower of two densities: of the nearest window, and the median of the nearest few. */
  readonly min: number;
  /** Length of the nearest window, in milliseconds. */
  readonly length: number;
}

/** Estimates the log density near a time from the nearest windows; undefined without any loaded window. */
export function densityAt(windows: readonly StoredWindow[], time: number): Density | undefined {
  const near = windows
    .filter(({ state, found, slice }) => state === 'loaded' && found !== undefined && !isPartialSlice(slice))
    .map((window) => ({ window, distance: distanceOf(window, time) }))
    .sort((a, b) => a.distance - b.distance || b.window.newest - a.window.newest)
    .slice(0, neighbours)
    .map(({ window }) => window);
  const [first] = near;
  if (!first) return undefined;
  const few = near.map((window) => densityOf([window])).sort((a, b) => a - b);
  return {
    perMillisecond: densityOf(near.slice(0, 2)),
    min: Math.min(densityOf([first]), few[Math.floor(few.length / 2)] ?? 0),
    length: windowLength(first),
  };
}

function densityOf(windows: readonly StoredWindow[]): number {
  const logs = windows.reduce((sum, { found = 0 }) => sum + found, 0);
  return logs / windows.reduce((sum, window) => sum + windowLength(window), 0);
}

function distanceOf({ oldest, newest }: Window, time: number): number {
  return Math.max(0, oldest - time, time - newest);
}

/**
 * The newer part of a planned window that one call should return: all of it when
 * little would be left over.
 */
export function newestChunk(
  window: Window,
  density: Density | undefined,
  { cap, isOrderTrusted: trusted, step = 1 }: WindowTarget,
): Window {
  if (!density) return window;
  const { min, length } = density;
  // Too few logs always waste a call; too many cost nothing when the order is trusted.
  const perMillisecond = trusted ? min : density.perMillisecond;
  const mode = trusted ? 'trusted' : 'untrusted';
  const longest = length * growths[mode];
  const targetLength = Math.min((cap * shares[mode]) / perMillisecond, longest);
  const wide = Math.max(1, Math.floor(targetLength));
  const fits = windowLength(window) * perMillisecond <= cap * 0.9 && windowLength(window) <= longest;
  if (windowLength(window) <= wide || fits) return window;
  return { oldest: floorTo(window.newest - wide + 1, step), newest: window.newest };
}
