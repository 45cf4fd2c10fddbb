import type { StoredWindow } from '../../store/index.ts';
import type { Learnt } from './learnt.ts';
import type { Window } from './window.ts';

const second = 1000;

/**
 * The step in which logs bear their times, in milliseconds. Where it is a
 * second, the deployment knows a time better than its logs show it, so windows
 * begin and end with whole seconds and are asked for with a second around them.
 */
export function stepOf({ times }: Learnt): number {
  return times === 'seconds' ? second : 1;
}

/** The resolution that times show, with what was known before: one time within a second is enough for milliseconds. */
export function timesShown(
  times: readonly (number | undefined)[],
  before: Learnt['times'],
): Pick<Learnt, 'times'> {
  const known = times.filter((time) => time !== undefined);
  if (before === 'milliseconds' || known.some((time) => time % second !== 0))
    return { times: 'milliseconds' };
  return known.length === 0 && before === undefined ? {} : { times: 'seconds' };
}

/** The last multiple of a step that is not after a time. */
export function floorTo(time: number, step: number): number {
  return Math.floor(time / step) * step;
}

/** The first multiple of a step that is not before a time. */
export function ceilTo(time: number, step: number): number {
  return Math.ceil(time / step) * step;
}

/** Whether a window begins and ends with whole steps. */
export function isAligned({ oldest, newest }: Window, step: number): boolean {
  return oldest % step === 0 && (newest + 1) % step === 0;
}

/**
 * Windows with those that are planned widened to whole steps. A step that two
 * windows to be brought share is the newer one's, so that they do not overlap;
 * what a loaded window has is left out later, log by log.
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
