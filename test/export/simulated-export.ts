import { nextWindow } from '../../src/export/windows/agenda.ts';
import { capOf, readLearnt } from '../../src/export/windows/learnt.ts';
import { largestReply } from '../../src/export/windows/reply-size.ts';
import { settle } from '../../src/export/windows/settle.ts';
import { readSlice } from '../../src/export/windows/slice.ts';
import type { Survey } from '../../src/export/windows/survey.ts';
import { holds } from '../../src/export/windows/window.ts';
import { wireBounds } from '../../src/export/windows/window-request.ts';
import type { ExportChanges, Part, StoredExport, StoredWindow } from '../../src/store/index.ts';

/** The one entry of every zip: only a zip without any is of interest to what is decided of it. */
export const part: Part = {
  ...{ part: 1, file: 'logs.zip', entry: 'logs.ndjson', entryNumber: 0, bytes: 0, format: 'ndjson' },
  ...{ logs: 0, unreadable: 0, remarks: [], added: 0 },
};

/** What came of an export that took no time: its windows, and how often the deployment was asked. */
export interface Simulated {
  readonly calls: number;
  readonly windows: readonly StoredWindow[];
}

/** How an export is simulated. */
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
  let kept: StoredExport = {
    ...{ export: 1, deployment: '', request: {}, settings: {}, oldest, newest, learnt: {}, started: 0 },
  };
  const windows = new Map<number, StoredWindow>();
  const take = ({ export: now, windows: changed = [], removed = [] }: ExportChanges) => {
    kept = now ?? kept;
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
    const learnt = readLearnt(kept);
    const sizes = { num: cap, largest: largestReply([...windows.values()]) };
    const aim = {
      cap: capOf(learnt, sizes),
      trusted: learnt.order === 'trusted',
      isOrderKnown: learnt.order !== undefined,
    };
    while (active.length < (learnt.order === undefined ? 1 : jobs)) {
      const found = nextWindow({ windows: [...windows.values()], isActive, nextNumber: reserve(2), aim });
      if (!found) break;
      take({ windows: found.changes });
      active.push(found.window);
    }
    const [window] = active.splice(Math.floor(random() * active.length), 1);
    if (!window) return { calls, windows: [...windows.values()] };
    calls += 1;
    const slice = readSlice(window.slice);
    const survey = surveyOf(times, window, { cap, bounds: wireBounds(window, slice, learnt) });
    const below = [...windows.values()].find(
      (each) => each.newest === window.oldest - 1 && each.state === 'planned' && !isActive(each),
    );
    const { changes } = settle({
      ...{
        kept,
        window,
        survey,
        ...sizes,
        mayRetry: true,
        knownTime: undefined,
        below,
        sister: undefined,
        sisterKeys: [],
        seen: new Map(),
        canNarrow: true,
      },
      ...{ read: { parts: [part], bytes: 0, sha256: '' }, nextNumber: reserve(20), now: 0 },
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
): Survey {
  const end = firstAfter(times, bounds.newest);
  const start = Math.max(firstAfter(times, bounds.oldest - 1), end - cap);
  const came = [...times.subarray(start, end)].reverse();
  const own = came.filter((time) => holds(window, time));
  return {
    ...{ times: came, found: own.length, kept: own.length, keptTimes: own, outside: 0 },
    ...{ prints: came, keys: [] },
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
