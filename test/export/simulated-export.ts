import type { ExportChanges, StoredExport, StoredWindow } from '../../src/case/contents/exports.ts';
import type { StoredPart } from '../../src/case/file/parts.ts';
import { decideWindow } from '../../src/export/decide/decide-window.ts';
import {
  effectiveCap,
  largestReply,
  readObserved,
  requestedBounds,
} from '../../src/export/decide/observed-behaviour.ts';
import type { ReplySummary } from '../../src/export/decide/reply-checks.ts';
import { nextWindow } from '../../src/export/decide/scheduler.ts';
import { containsTime, readSlice } from '../../src/export/decide/window.ts';

/** The one entry of every zip: only a zip without any is of interest to what is decided of it. */
export const part: StoredPart = {
  part: 1,
  file: 'logs.zip',
  entry: 'logs.ndjson',
  entryNumber: 0,
  bytes: 0,
  format: 'ndjson',
  logs: 0,
  unreadable: 0,
  remarks: [],
  added: 0,
};

/** Result of an export that took no time: its windows, and the number of requests. */
export interface Simulated {
  readonly calls: number;
  readonly windows: readonly StoredWindow[];
}

/** Settings of a simulated export. */
export interface Simulation {
  readonly cap: number;
  readonly jobs: number;
  readonly random: () => number;
  /** Milliseconds without logs that are asked for on both sides. */
  readonly margin?: number;
  /** Called with the windows as they are after each reply. */
  readonly onStep?: (windows: readonly StoredWindow[]) => void;
}

/**
 * Exports times, in ascending order, from a deployment that sorts, with as many
 * jobs side by side as asked for, which end in an order given by chance.
 */
export function simulateExport(
  times: Float64Array,
  { cap, jobs, random, margin = 3_600_000, onStep = () => {} }: Simulation,
): Simulated {
  const [oldest, newest] = [(times[0] ?? 0) - margin, (times.at(-1) ?? 0) + margin];
  let stored: StoredExport = {
    export: 1,
    deployment: '',
    request: {},
    settings: {},
    oldest,
    newest,
    learnt: {},
    started: 0,
  };
  const windows = new Map<number, StoredWindow>();
  const take = ({ export: now, windows: changed = [], removed = [] }: ExportChanges) => {
    stored = now ?? stored;
    for (const number of removed) windows.delete(number);
    for (const each of changed) windows.set(each.window, each);
  };
  take({ windows: [{ window: 1, export: 1, oldest, newest, state: 'planned', attempts: 0, updated: 0 }] });
  const active: StoredWindow[] = [];
  const isActive = ({ window }: StoredWindow) => active.some((each) => each.window === window);
  let [calls, next] = [0, 2];
  const reserve = (count: number) => {
    next += count;
    return next - count;
  };
  for (;;) {
    const observed = readObserved(stored);
    const sizes = { num: cap, largest: largestReply([...windows.values()]) };
    const target = {
      cap: effectiveCap(observed, sizes),
      isOrderTrusted: observed.order === 'trusted',
      isOrderKnown: observed.order !== undefined,
    };
    while (active.length < (observed.order === undefined ? 1 : jobs)) {
      const found = nextWindow({ windows: [...windows.values()], isActive, nextNumber: reserve(2), target });
      if (!found) break;
      take({ windows: found.changes });
      active.push(found.window);
    }
    const [window] = active.splice(Math.floor(random() * active.length), 1);
    if (!window) return { calls, windows: [...windows.values()] };
    calls += 1;
    const slice = readSlice(window.slice);
    const summary = surveyOf(times, window, { cap, bounds: requestedBounds(window, slice, observed) });
    const below = [...windows.values()].find(
      (each) => each.newest === window.oldest - 1 && each.state === 'planned' && !isActive(each),
    );
    const reply = {
      window,
      read: { parts: [part], bytes: 0, sha256: '' },
      summary,
      loss: undefined,
      reverseTwin: undefined,
      seen: new Map(),
      mayRetry: true,
    };
    const { changes } = decideWindow(reply, {
      stored,
      sizes,
      knownTime: undefined,
      recent: [],
      below,
      canNarrow: true,
      nextNumber: reserve(20),
      now: 0,
      end: Number.POSITIVE_INFINITY,
    });
    take(changes);
    onStep([...windows.values()]);
  }
}

function surveyOf(
  times: Float64Array,
  window: StoredWindow,
  {
    cap,
    bounds,
  }: { readonly cap: number; readonly bounds: { readonly oldest: number; readonly newest: number } },
): ReplySummary {
  const end = firstAfter(times, bounds.newest);
  const start = Math.max(firstAfter(times, bounds.oldest - 1), end - cap);
  const came = [...times.subarray(start, end)].reverse();
  const own = came.filter((time) => containsTime(window, time));
  return {
    times: came,
    found: own.length,
    stored: own.length,
    storedTimes: own,
    outside: 0,
    fingerprints: came,
    keys: [],
  };
}

function firstAfter(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
