import type { StoredWindow } from '../../store/index.ts';
import { floorTo } from './resolution.ts';
import { isPart } from './slice.ts';
import { lengthOf, type Window } from './window.ts';

/** What windows are made to hold. */
export interface Aim {
  /** The most logs that one call returns. */
  readonly cap: number;
  /** Whether a reply that was cut off is still of use. */
  readonly trusted: boolean;
  /** Whether that is known. */
  readonly isOrderKnown: boolean;
  /** Windows begin with multiples of this, in milliseconds. Default 1. */
  readonly step?: number;
}

/** The share of the cap that windows aim at: more where too many logs cost nothing. */
const shares = { trusted: 0.8, untrusted: 0.65 } as const;

/**
 * A window is at most this much longer than the one beside it: behind a quiet
 * time may be a burst. Where too many logs cost nothing there is no such limit.
 */
const growths = { trusted: Number.POSITIVE_INFINITY, untrusted: 8 } as const;

/** So many windows say how dense the logs are near a time. */
const neighbours = 5;

/** Logs for each millisecond in the windows that are nearest to a time. */
export interface Density {
  readonly perMillisecond: number;
  /** The sparser of these: the nearest window, and the usual one of the nearest few. */
  readonly least: number;
  /** The length of the window that is nearest. */
  readonly length: number;
}

/** How dense the logs are near a time, by the windows that are nearest to it; undefined while nothing is known. */
export function densityAt(windows: readonly StoredWindow[], time: number): Density | undefined {
  const near = windows
    .filter(({ state, found, slice }) => state === 'loaded' && found !== undefined && !isPart(slice))
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
    length: lengthOf(first),
  };
}

function densityOf(windows: readonly StoredWindow[]): number {
  const logs = windows.reduce((sum, { found = 0 }) => sum + found, 0);
  return logs / windows.reduce((sum, window) => sum + lengthOf(window), 0);
}

function distanceOf({ oldest, newest }: Window, time: number): number {
  return Math.max(0, oldest - time, time - newest);
}

/** The newer part of a planned window that one call should bring: all of it, when little else would be left. */
export function chunkOf(
  window: Window,
  density: Density | undefined,
  { cap, trusted, step = 1 }: Aim,
): Window {
  if (!density) return window;
  const { least, length } = density;
  // Too few logs cost a call whatever the order is; too many cost none when it is trusted.
  const perMillisecond = trusted ? least : density.perMillisecond;
  const mode = trusted ? 'trusted' : 'untrusted';
  const longest = length * growths[mode];
  const wanted = Math.min((cap * shares[mode]) / perMillisecond, longest);
  const wide = Math.max(1, Math.floor(wanted));
  const fits = lengthOf(window) * perMillisecond <= cap * 0.9 && lengthOf(window) <= longest;
  if (lengthOf(window) <= wide || fits) return window;
  return { oldest: floorTo(window.newest - wide + 1, step), newest: window.newest };
}
