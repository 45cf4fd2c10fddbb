import type { StoredWindow } from '../../store/index.ts';
import { type Aim, chunkOf, densityAt } from './density.ts';
import { lengthOf, type Window } from './window.ts';

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
  // A window that has come to nothing, or has something to prove, is asked for as it is.
  const isFixed = 0 < window.attempts || window.expected !== undefined;
  const chunk = isFixed ? window : chunkOf(window, densityAt(windows, window.newest), aim);
  if (chunk.oldest === window.oldest) return { window, changes: [] };
  const rest = { ...window, window: nextNumber, newest: chunk.oldest - 1 };
  const now = { ...window, oldest: chunk.oldest };
  return { window: now, changes: [now, rest] };
}

function fromTheMiddle(window: StoredWindow, agenda: Agenda): Next {
  const density = densityAt(agenda.windows, window.newest);
  const logs = density ? density.perMillisecond * lengthOf(window) : Number.POSITIVE_INFINITY;
  const isShort = logs < 3 * agenda.aim.cap || lengthOf(window) < 2;
  if (isShort || 0 < window.attempts || window.expected !== undefined) return cut(window, agenda);
  const middle = window.oldest + Math.floor(lengthOf(window) / 2);
  const newer = { ...window, oldest: middle };
  const older = { ...window, window: agenda.nextNumber, newest: middle - 1 };
  const next = cut(older, { ...agenda, nextNumber: agenda.nextNumber + 1 });
  const others = next.changes.filter((each) => each.window !== older.window);
  return { window: next.window, changes: [newer, next.window, ...others] };
}
