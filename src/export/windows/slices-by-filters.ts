import type { StoredWindow } from '../../store/index.ts';
import { afresh } from './afresh.ts';
import { readSlice, toFormFilter } from './slice.ts';

/** The reason of logs that no filter of the query form selects. */
export const unfiltered =
  'One millisecond holds more logs than two calls return, and no filter selects those whose values were not seen';

/**
 * The open slices of milliseconds, as the query form can ask for them. It knows
 * no NOT, so that logs whose values were not seen cannot be asked for: such a
 * slice is given up, and named.
 */
export function slicesByFilters(windows: readonly StoredWindow[], now: number): readonly StoredWindow[] {
  return windows
    .filter(({ state, slice }) => state !== 'loaded' && state !== 'split' && hasClauses(slice))
    .map((each) => (canFilter(each.slice) ? { ...afresh(each), updated: now } : unaskable(each, now)));
}

/** A slice that cannot be asked for, as loaded without any log. */
export function unaskable(window: StoredWindow, now: number): StoredWindow {
  return {
    ...afresh(window),
    ...{ state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0 },
    ...{ missing: 1, reason: unfiltered, updated: now },
  };
}

function hasClauses(slice: string | undefined): boolean {
  return 0 < readSlice(slice).clauses.length;
}

/** Returns whether the query form can ask for a slice. */
export function canFilter(slice: string | undefined): boolean {
  return readSlice(slice).clauses.every((clause) => toFormFilter(clause) !== undefined);
}
