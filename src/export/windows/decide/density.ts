import type { StoredWindow } from '../../../store/index.ts';
import { floorTo } from './resolution.ts';
import { isPartialSlice } from './slice.ts';
import { type Window, windowLength } from './window.ts';

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

/** Share of the cap that windows aim for: more where too many logs cost nothing. */
const shares = { trusted: 0.8, untrusted: 0.65 } as const;

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
  readonly least: number;
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
  const few = near.map((each) => densityOf([each])).sort((a, b) => a - b);
  return {
    perMillisecond: densityOf(near.slice(0, 2)),
    least: Math.min(densityOf([first]), few[Math.floor(few.length / 2)] ?? 0),
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
  const { least, length } = density;
  // Too few logs always waste a call; too many cost nothing when the order is trusted.
  const perMillisecond = trusted ? least : density.perMillisecond;
  const mode = trusted ? 'trusted' : 'untrusted';
  const longest = length * growths[mode];
  const wanted = Math.min((cap * shares[mode]) / perMillisecond, longest);
  const wide = Math.max(1, Math.floor(wanted));
  const fits = windowLength(window) * perMillisecond <= cap * 0.9 && windowLength(window) <= longest;
  if (windowLength(window) <= wide || fits) return window;
  return { oldest: floorTo(window.newest - wide + 1, step), newest: window.newest };
}
