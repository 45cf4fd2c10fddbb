import type { StoredWindow } from '../../store/index.ts';
import { lengthOf, type Window } from './window.ts';

/** What windows are made to hold. */
export interface Aim {
  /** The most logs that one call returns. */
  readonly cap: number;
  /** Whether a reply that was cut off is still of use. */
  readonly trusted: boolean;
}

/** The share of the cap that windows aim at: more where too many logs cost nothing. */
const shares = { trusted: 0.8, untrusted: 0.65 } as const;

/** A window is at most this much longer than the one beside it: what is behind a quiet time may be a burst. */
const growth = 8;

/** Logs for each millisecond in the windows that were brought last, as seen from a time. */
export interface Density {
  readonly perMillisecond: number;
  /** The length of the window that is nearest. */
  readonly length: number;
}

/** How dense the logs are near a time, by the two windows that are nearest to it; undefined while nothing is known. */
export function densityAt(windows: readonly StoredWindow[], time: number): Density | undefined {
  const [first, second] = windows
    .filter(({ state, found, slice }) => state === 'loaded' && found !== undefined && slice === undefined)
    .map((window) => ({ window, distance: distanceOf(window, time) }))
    .sort((a, b) => a.distance - b.distance || b.window.newest - a.window.newest);
  if (!first) return undefined;
  const near = [first, ...(second ? [second] : [])].map(({ window }) => window);
  const logs = near.reduce((sum, { found = 0 }) => sum + found, 0);
  const length = near.reduce((sum, window) => sum + lengthOf(window), 0);
  return { perMillisecond: logs / length, length: lengthOf(first.window) };
}

function distanceOf({ oldest, newest }: Window, time: number): number {
  return Math.max(0, oldest - time, time - newest);
}

/** The newer part of a planned window that one call should bring: all of it, when little else would be left. */
export function chunkOf(window: Window, density: Density | undefined, { cap, trusted }: Aim): Window {
  if (!density) return window;
  const { perMillisecond, length } = density;
  const wanted = (cap * shares[trusted ? 'trusted' : 'untrusted']) / perMillisecond;
  const wide = Math.max(1, Math.floor(Math.min(wanted, length * growth)));
  const fits = lengthOf(window) * perMillisecond <= cap * 0.9 && lengthOf(window) <= length * growth;
  if (lengthOf(window) <= wide || fits) return window;
  return { oldest: window.newest - wide + 1, newest: window.newest };
}
