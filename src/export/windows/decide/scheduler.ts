import type { StoredWindow } from '../../../store/index.ts';
import { densityAt, newestChunk, type WindowTarget } from './density.ts';
import { clipChecks, readExpected, writeExpected } from './expected.ts';
import { alignWindows, floorTo } from './resolution.ts';
import { containsTime, earliestCut, openStart, type Window, windowLength } from './window.ts';

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
  const planned = windows.filter((each) => each.state === 'planned' && !isActive(each));
  const active = windows.filter(isActive);
  const slices = planned.filter((each) => each.slice !== undefined);
  const intervals = planned.filter((each) => each.slice === undefined);
  const [slice] = slices.filter((each) => active.every((other) => !isSameTime(each, other)));
  // A known sort order makes slices provable, and longer windows reveal that order.
  if (slice && (target.isOrderKnown || intervals.length === 0)) return { window: slice, changes: [] };
  const edges = new Set(active.map(({ oldest }) => oldest - 1));
  const free = intervals.filter(({ newest }) => !edges.has(newest)).sort((a, b) => b.newest - a.newest);
  const [first] = free;
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
    (each) => each.kind === 'exact' || !containsTime(window, each.oldest),
  );
  return 0 < window.attempts || proves;
}

/** Returns whether a window without a lower bound would be cut where no logs are. */
function isTooEarly({ oldest }: Window, at: number): boolean {
  return oldest <= openStart && at < earliestCut;
}

/** Part of a planned window, with the checks of its times. */
function cutFrom(window: StoredWindow, { oldest, newest }: Window, number: number): StoredWindow {
  const expected = writeExpected(clipChecks({ oldest, newest }, readExpected(window.expected)));
  return { ...window, window: number, oldest, newest, expected };
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
  const others = next.changes.filter((each) => each.window !== older.window);
  return { window: next.window, changes: [newer, next.window, ...others] };
}
