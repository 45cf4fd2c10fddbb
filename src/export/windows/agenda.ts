import type { StoredWindow } from '../../store/index.ts';
import { type Aim, chunkOf, densityAt } from './density.ts';
import { checksWithin, readExpected, writeExpected } from './expected.ts';
import { alignWindows, floorTo } from './resolution.ts';
import { earliestCut, holds, lengthOf, openStart, type Window } from './window.ts';

/** What to do next. */
export interface Next {
  /** The window to bring. */
  readonly window: StoredWindow;
  /** What is to be noted before: the window, and what is left of the planned one it was cut from. */
  readonly changes: readonly StoredWindow[];
}

/** The windows of an export, and which of them are being brought. */
export interface Agenda {
  readonly windows: readonly StoredWindow[];
  readonly isActive: (window: StoredWindow) => boolean;
  /** The number of the next window. */
  readonly nextNumber: number;
  readonly aim: Aim;
}

/**
 * The next window to bring; undefined when none is planned, or those that are
 * have to wait: the slices of one millisecond go one after the other, because
 * each leaves out what an earlier one has brought. Work goes from new
 * to old. Times just below a window under way are left to who brings that: what
 * it leaves over is then asked for together with them. Who finds nothing else
 * begins in the middle of the longest stretch.
 */
export function nextWindow(agenda: Agenda): Next | undefined {
  const windows = alignWindows(agenda.windows, agenda.aim.step ?? 1);
  const next = chooseWindow({ ...agenda, windows });
  // A window that was only widened is to be noted too.
  const isWidened = next?.changes.length === 0 && !agenda.windows.includes(next.window);
  return next && isWidened ? { ...next, changes: [next.window] } : next;
}

function chooseWindow(agenda: Agenda): Next | undefined {
  const { windows, isActive, aim } = agenda;
  const planned = windows.filter((each) => each.state === 'planned' && !isActive(each));
  const active = windows.filter(isActive);
  const slices = planned.filter((each) => each.slice !== undefined);
  const stretches = planned.filter((each) => each.slice === undefined);
  const [slice] = slices.filter((each) => active.every((other) => !isSameTime(each, other)));
  // What is known of the order of the deployment makes slices provable, and longer windows are how it becomes known.
  if (slice && (aim.isOrderKnown || stretches.length === 0)) return { window: slice, changes: [] };
  const edges = new Set(active.map(({ oldest }) => oldest - 1));
  const free = stretches.filter(({ newest }) => !edges.has(newest)).sort((a, b) => b.newest - a.newest);
  const [first] = free;
  if (first) return cut(first, agenda);
  const [longest] = stretches.sort((a, b) => lengthOf(b) - lengthOf(a));
  return longest && fromTheMiddle(longest, agenda);
}

function isSameTime(a: Window, b: Window): boolean {
  return a.oldest === b.oldest && a.newest === b.newest;
}

function cut(window: StoredWindow, { windows, nextNumber, aim }: Agenda): Next {
  const chunk = isFixed(window) ? window : chunkOf(window, densityAt(windows, window.newest), aim);
  if (chunk.oldest === window.oldest || isTooEarly(window, chunk.oldest)) return { window, changes: [] };
  const rest = within(window, { oldest: window.oldest, newest: chunk.oldest - 1 }, nextNumber);
  const now = within(window, chunk, window.window);
  return { window: now, changes: [now, rest] };
}

/** Returns whether a window is asked for as it is: it has come to nothing before, or proves an order or the absence of logs. */
function isFixed(window: StoredWindow): boolean {
  const proves = readExpected(window.expected).some(
    (each) => each.kind === 'exact' || !holds(window, each.oldest),
  );
  return 0 < window.attempts || proves;
}

/** Returns whether a window without a beginning would be cut where nothing is. */
function isTooEarly({ oldest }: Window, at: number): boolean {
  return oldest <= openStart && at < earliestCut;
}

/** A part of a planned window, with what is known of its times. */
function within(window: StoredWindow, { oldest, newest }: Window, number: number): StoredWindow {
  const expected = writeExpected(checksWithin({ oldest, newest }, readExpected(window.expected)));
  return { ...window, window: number, oldest, newest, expected };
}

function fromTheMiddle(window: StoredWindow, agenda: Agenda): Next {
  const density = densityAt(agenda.windows, window.newest);
  const logs = density ? density.perMillisecond * lengthOf(window) : Number.POSITIVE_INFINITY;
  const { step = 1 } = agenda.aim;
  const isShort = logs < 3 * agenda.aim.cap || lengthOf(window) < 2 * step;
  if (isShort || isFixed(window)) return cut(window, agenda);
  const middle = floorTo(window.oldest + Math.floor(lengthOf(window) / 2), step);
  if (isTooEarly(window, middle)) return cut(window, agenda);
  const newer = within(window, { oldest: middle, newest: window.newest }, window.window);
  const older = within(window, { oldest: window.oldest, newest: middle - 1 }, agenda.nextNumber);
  const next = cut(older, { ...agenda, nextNumber: agenda.nextNumber + 1 });
  const others = next.changes.filter((each) => each.window !== older.window);
  return { window: next.window, changes: [newer, next.window, ...others] };
}
