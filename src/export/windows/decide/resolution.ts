import type { StoredWindow } from '../../../store/index.ts';
import type { ObservedBehaviour } from './observed-behaviour.ts';
import type { ReplySummary } from './reply-summary.ts';
import type { WindowSlice } from './slice.ts';
import type { Window } from './window.ts';

const second = 1000;

/**
 * The resolution of log times, in milliseconds. Where it is a second, the
 * deployment knows times more precisely than its logs show. Windows then begin
 * and end at whole seconds, with a margin of a second.
 */
export function timeStepOf({ times }: ObservedBehaviour): number {
  return times === 'seconds' ? second : 1;
}

/** The resolution that times show: one time within a second proves milliseconds. */
export function observeTimeStep(
  times: readonly (number | undefined)[],
  before: ObservedBehaviour['times'],
): Pick<ObservedBehaviour, 'times'> {
  const known = times.filter((time) => time !== undefined);
  if (before === 'milliseconds' || known.some((time) => time % second !== 0))
    return { times: 'milliseconds' };
  return known.length === 0 && before === undefined ? {} : { times: 'seconds' };
}

/** Rounds a time down to a multiple of `step`. */
export function floorTo(time: number, step: number): number {
  return Math.floor(time / step) * step;
}

/** Rounds a time up to a multiple of `step`. */
export function ceilTo(time: number, step: number): number {
  return Math.ceil(time / step) * step;
}

/** Returns whether a window begins and ends at whole steps. */
export function isAligned({ oldest, newest }: Window, step: number): boolean {
  return oldest % step === 0 && (newest + 1) % step === 0;
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

/** The bounds to request: they cover the window however bounds are interpreted and times are rounded. */
export function requestedBounds(
  { oldest, newest }: Window,
  { exact }: WindowSlice,
  observed: ObservedBehaviour,
): Window {
  const step = timeStepOf(observed);
  if (step !== 1) return { oldest: oldest - step, newest: newest + step };
  return {
    oldest: exact && observed.oldestIncluded ? oldest : oldest - 1,
    newest: exact && observed.newestIncluded ? newest : newest + 1,
  };
}

/** Inclusiveness of the requested bounds, as a reply shows it. */
export function observedBounds({ oldest, newest }: Window, { times }: ReplySummary): ObservedBehaviour {
  return {
    ...(times.includes(oldest - 1) && { oldestIncluded: 'yes' as const }),
    ...(times.includes(newest + 1) && { newestIncluded: 'yes' as const }),
  };
}
