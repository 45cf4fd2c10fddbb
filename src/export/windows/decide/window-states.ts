import type { ExportChanges, StoredWindow, WindowState } from '../../../store/index.ts';
import { readSlice, toFormFilter } from './slice.ts';
import { windowLength } from './window.ts';

/** Prepares a window for a new run: one that was given up is planned again. */
export function reviveWindow(window: StoredWindow): StoredWindow {
  if (window.state === 'failed') return resetWindow({ ...window, attempts: 0 });
  return window;
}

/** Resets a window to be requested again. */
export function resetWindow({
  window,
  export: exportNumber,
  oldest,
  newest,
  slice,
  expected,
  attempts,
  logs,
  updated,
}: StoredWindow): StoredWindow {
  return {
    ...{ window, export: exportNumber, oldest, newest, state: 'planned' as const, attempts, updated },
    // Logs of earlier replies stay in the case and are not added again.
    ...(logs !== undefined && { logs }),
    ...(slice !== undefined && { slice }),
    ...(expected !== undefined && { expected }),
  };
}

/** States of a window whose job is known and whose logs are not in the case yet. */
export const underWayStates: ReadonlySet<WindowState> = new Set(['submitted', 'ready', 'fetched']);

/** Longest halved interval, in milliseconds: a window without a lower bound has no middle. */
const longest = 2 * 86_400_000;

/** Reason for giving up a window, and the number of a new window for its older half. */
export interface GiveUpReason {
  readonly reason: string;
  readonly attempts: number;
  readonly number: number;
}

/** Marks a window as failed for this run. */
export function giveUpWindow(
  window: StoredWindow,
  { reason, attempts }: Omit<GiveUpReason, 'number'>,
): StoredWindow {
  return { ...resetWindow(window), state: 'failed', attempts, reason };
}

/**
 * Halves a window whose zip stays damaged: the newer half is given up, the older
 * one planned, because one damaged zip says nothing about older times. Undefined
 * for a window that cannot be halved.
 */
export function giveUpNewerHalf(
  window: StoredWindow,
  { reason, attempts, number }: GiveUpReason,
): readonly [StoredWindow, StoredWindow] | undefined {
  if (windowLength(window) < 2 || window.slice !== undefined) return undefined;
  const middle = window.newest + 1 - Math.floor(Math.min(windowLength(window), longest) / 2);
  const { expected: _, ...fresh } = resetWindow({ ...window, attempts: 0 });
  return [
    { ...fresh, oldest: middle, state: 'failed', attempts, reason },
    { ...fresh, window: number, newest: middle - 1 },
  ];
}

/** Reason for logs that no filter of the query form selects. */
const unfiltered =
  'One millisecond holds more logs than two calls return, and no filter selects those whose values were not seen';

/**
 * Changes to split milliseconds by the query form from now on. It has no NOT, so
 * each seen value gets a slice of its own. Open slices are removed, and the
 * slice they came from is requested again.
 */
export function switchToFilterSlices(windows: readonly StoredWindow[]): ExportChanges {
  const open = windows.filter(
    ({ state, slice }) => state !== 'loaded' && state !== 'split' && 0 < readSlice(slice).clauses.length,
  );
  const origins = new Set(open.flatMap((each) => originOf(each, windows) ?? []));
  return { windows: [...origins].map(resetWindow), removed: open.map(({ window }) => window) };
}

/** The ascending slice that a slice was split from. */
function originOf({ oldest, newest, slice }: StoredWindow, windows: readonly StoredWindow[]) {
  const { clauses } = readSlice(slice);
  const wanted = JSON.stringify(clauses.slice(0, -1));
  return windows.find((each) => {
    const other = readSlice(each.slice);
    const isSameTime = each.oldest === oldest && each.newest === newest;
    return isSameTime && other.order === 'asc' && JSON.stringify(other.clauses) === wanted;
  });
}

/** Marks a slice that cannot be requested as loaded without logs. */
export function markUnrequestable(window: StoredWindow, now: number): StoredWindow {
  return {
    ...resetWindow(window),
    ...{ state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0 },
    ...{ missing: 1, reason: unfiltered, updated: now },
  };
}

/** Returns whether the query form can express a slice. */
export function canFilterSlice(slice: string | undefined): boolean {
  return readSlice(slice).clauses.every((clause) => toFormFilter(clause) !== undefined);
}
