import type { StoredWindow, WindowState } from '../../case/index.ts';
import { readExpected } from './reply-checks.ts';
import { isPartialSlice, openStart, windowLength } from './window.ts';

/** Progress of a windowed export, as data. Times are milliseconds since the epoch. */
export type WindowsProgress =
  /** Its times are fixed; from here on it can be resumed. */
  | {
      readonly event: 'begun';
      readonly export: number;
      readonly oldest: number;
      readonly newest: number;
      readonly resumed: boolean;
    }
  /** The state of a window changed. */
  | {
      readonly event: 'window';
      readonly window: number;
      readonly oldest: number;
      readonly newest: number;
      readonly state: WindowState;
      readonly job?: string | undefined;
      readonly logs?: number | undefined;
      readonly bytes?: number | undefined;
      readonly reason?: string | undefined;
    }
  /** A problem that does not stop the export. */
  | { readonly event: 'trouble'; readonly window?: number; readonly message: string }
  /** The totals changed. */
  | ({ readonly event: 'totals' } & ExportTotals);

/** Totals of an export. */
export interface ExportTotals {
  /** Calls of this run. */
  readonly calls: number;
  /** Number of loaded windows. */
  readonly windows: number;
  readonly underWay: number;
  readonly logs: number;
  /** Total size of the zips. */
  readonly bytes: number;
  /** Estimated number of logs still to come; undefined while nothing is known. */
  readonly remaining?: number | undefined;
}

/** Returns the progress event of a window. */
export function toWindowEvent(stored: StoredWindow): WindowsProgress {
  const { window, oldest, newest, state, job, logs, bytes, reason } = stored;
  return { event: 'window', window, oldest, newest, state, job, logs, bytes, reason };
}

/** Counts what an export has loaded and estimates what is left; `counted` is the number of logs at the deployment. */
export function countTotals(
  windows: readonly StoredWindow[],
  {
    calls,
    underWay,
    counted,
  }: Pick<ExportTotals, 'calls' | 'underWay'> & { readonly counted?: number | undefined },
): ExportTotals {
  const loaded = windows.filter(({ state }) => state === 'loaded');
  const sum = (key: 'logs' | 'bytes') => loaded.reduce((total, window) => total + (window[key] ?? 0), 0);
  const logs = sum('logs');
  const remaining = counted === undefined ? estimateRemaining(windows) : Math.max(0, counted - logs);
  return {
    calls,
    underWay,
    windows: loaded.length,
    logs,
    bytes: sum('bytes'),
    ...(remaining !== undefined && { remaining }),
  };
}

/** Maximum number of groups of loaded times to compare. */
const mostGroups = 8;

/** Minimum number of groups: fewer say too little about the variance of the density. */
const leastGroups = 4;

/** Standard deviations on either side of an estimate: few groups often underestimate the deviation. */
const width = 3.5;

/** Accepted error of an estimate, as a share of all logs, once half of them are loaded. */
const tolerance = 0.1;

/**
 * Estimates the logs still to come, from the density of the loaded times.
 * Undefined unless known within a factor of two of all logs, or within ten
 * percent once half are loaded.
 */
export function estimateRemaining(windows: readonly StoredWindow[]): number | undefined {
  const open = windows.filter(isOpen);
  if (open.length === 0) return 0;
  if (open.some(({ oldest }) => oldest <= openStart)) return undefined;
  const loaded = windows.filter(({ state, slice }) => state === 'loaded' && !isPartialSlice(slice));
  const groups = groupsOf(loaded.sort((a, b) => a.oldest - b.oldest));
  if (groups.length < leastGroups) return undefined;
  const time = groups.reduce((sum, group) => sum + group.time, 0);
  const logs = groups.reduce((sum, group) => sum + group.logs, 0);
  const density = logs / time;
  const variance =
    groups.reduce((sum, group) => sum + group.time * (group.logs / group.time - density) ** 2, 0) /
    time /
    (1 - 1 / groups.length);
  const openTime = open.reduce((sum, window) => sum + windowLength(window), 0);
  const remaining = density * openTime;
  const block = time / groups.length;
  const error = width * Math.sqrt(variance * (openTime ** 2 / groups.length + openTime * block));
  return isKnown(logs, remaining, error) ? Math.round(remaining) : undefined;
}

function isKnown(logs: number, remaining: number, error: number): boolean {
  const total = logs + remaining;
  if (total <= 2 * logs) return error <= tolerance * total;
  return total + error <= 2 * Math.max(logs, total - error);
}

/** Returns whether a window may still add logs, unlike one that only confirms their absence. */
function isOpen({ state, expected }: StoredWindow): boolean {
  if (state === 'loaded' || state === 'split') return false;
  return !readExpected(expected).some(({ kind, count }) => kind === 'exact' && count === 0);
}

interface Group {
  readonly time: number;
  readonly logs: number;
}

/** Groups neighbouring windows into blocks of about the same length. */
function groupsOf(windows: readonly StoredWindow[]): readonly Group[] {
  const bounded = windows.filter(({ oldest }) => openStart < oldest);
  const whole = bounded.reduce((sum, window) => sum + windowLength(window), 0);
  const groups: Group[] = [];
  let [time, logs] = [0, 0];
  for (const window of bounded) {
    time += windowLength(window);
    logs += window.logs ?? 0;
    if (time < whole / mostGroups) continue;
    groups.push({ time, logs });
    [time, logs] = [0, 0];
  }
  return 0 < time ? [...groups, { time, logs }] : groups;
}
