import type { ExportChanges, StoredWindow } from '../../store/index.ts';
import { afresh } from './afresh.ts';
import { readSlice, toFormFilter } from './slice.ts';

/** The reason of logs that no filter of the query form selects. */
const unfiltered =
  'One millisecond holds more logs than two calls return, and no filter selects those whose values were not seen';

/**
 * The changes by which milliseconds are split by the query form from now on. It
 * knows no NOT, so that every value that was seen gets a slice of its own: the
 * open slices give way to the one they were made from, which is asked for again.
 */
export function slicesByFilters(windows: readonly StoredWindow[]): ExportChanges {
  const open = windows.filter(
    ({ state, slice }) => state !== 'loaded' && state !== 'split' && 0 < readSlice(slice).clauses.length,
  );
  const origins = new Set(open.flatMap((each) => originOf(each, windows) ?? []));
  return { windows: [...origins].map(afresh), removed: open.map(({ window }) => window) };
}

/** The slice in ascending order that a slice was made from. */
function originOf({ oldest, newest, slice }: StoredWindow, windows: readonly StoredWindow[]) {
  const { clauses } = readSlice(slice);
  const wanted = JSON.stringify(clauses.slice(0, -1));
  return windows.find((each) => {
    const other = readSlice(each.slice);
    const isSameTime = each.oldest === oldest && each.newest === newest;
    return isSameTime && other.order === 'asc' && JSON.stringify(other.clauses) === wanted;
  });
}

/** A slice that cannot be asked for, as loaded without any log. */
export function unaskable(window: StoredWindow, now: number): StoredWindow {
  return {
    ...afresh(window),
    ...{ state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0 },
    ...{ missing: 1, reason: unfiltered, updated: now },
  };
}

/** Returns whether the query form can ask for a slice. */
export function canFilter(slice: string | undefined): boolean {
  return readSlice(slice).clauses.every((clause) => toFormFilter(clause) !== undefined);
}
