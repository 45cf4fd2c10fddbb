import type { StoredWindow } from '../../store/index.ts';
import { readExpected } from './expected.ts';
import { isPart } from './slice.ts';
import { lengthOf, openStart } from './window.ts';

/** Loaded times are compared in this many groups, or as many as there are windows. */
const mostGroups = 8;

/** Fewer groups say too little about how much the density of the logs varies. */
const leastGroups = 4;

/** Standard deviations on either side of an estimate: few groups show a deviation that is often too small. */
const width = 3.5;

/** From half of the logs on, an estimate may be wrong by this share of all of them. */
const tolerance = 0.1;

/**
 * Estimates the logs that are still to come, from how dense they were in the
 * times that are loaded. Undefined while that is not known within a factor of
 * two of all logs, or from half of the way on within ten percent.
 */
export function remainingLogs(windows: readonly StoredWindow[]): number | undefined {
  const open = windows.filter(isOpen);
  if (open.length === 0) return 0;
  if (open.some(({ oldest }) => oldest <= openStart)) return undefined;
  const loaded = windows.filter(({ state, slice }) => state === 'loaded' && !isPart(slice));
  const groups = groupsOf(loaded.sort((a, b) => a.oldest - b.oldest));
  if (groups.length < leastGroups) return undefined;
  const time = groups.reduce((sum, each) => sum + each.time, 0);
  const logs = groups.reduce((sum, each) => sum + each.logs, 0);
  const density = logs / time;
  const variance =
    groups.reduce((sum, each) => sum + each.time * (each.logs / each.time - density) ** 2, 0) /
    time /
    (1 - 1 / groups.length);
  const openTime = open.reduce((sum, each) => sum + lengthOf(each), 0);
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

/** A window that may still bring logs: not one that only confirms that there are none. */
function isOpen({ state, expected }: StoredWindow): boolean {
  if (state === 'loaded' || state === 'split') return false;
  return !readExpected(expected).some(({ kind, count }) => kind === 'exact' && count === 0);
}

interface Group {
  readonly time: number;
  readonly logs: number;
}

/** Neighbouring windows in groups of about the same time. */
function groupsOf(windows: readonly StoredWindow[]): readonly Group[] {
  const bounded = windows.filter(({ oldest }) => openStart < oldest);
  const whole = bounded.reduce((sum, each) => sum + lengthOf(each), 0);
  const groups: Group[] = [];
  let [time, logs] = [0, 0];
  for (const window of bounded) {
    time += lengthOf(window);
    logs += window.logs ?? 0;
    if (time < whole / mostGroups) continue;
    groups.push({ time, logs });
    [time, logs] = [0, 0];
  }
  return 0 < time ? [...groups, { time, logs }] : groups;
}
