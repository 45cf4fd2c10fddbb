import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExportChanges, StoredExport, StoredWindow } from '../../src/case/contents/exports.ts';
import { decideWindow } from '../../src/export/decide/decide-window.ts';
import {
  largestReply,
  type ObservedBehaviour,
  readObserved,
  requestedBounds,
  timeStepOf,
} from '../../src/export/decide/observed-behaviour.ts';
import { countKeys, readExpected, requestedTimes } from '../../src/export/decide/reply-checks.ts';
import { nextWindow } from '../../src/export/decide/scheduler.ts';
import { containsTime, readSlice } from '../../src/export/decide/window.ts';
import { logKey, startReplySummary } from '../../src/export/run/load-window.ts';
import type { LogRecord } from '../../src/records/log.ts';
import { part } from '../export/simulated-export.ts';

/** A deployment of logs with true times, which its logs show in another way. */
interface Coarse {
  readonly times: readonly number[];
  readonly show: (time: number) => number;
  readonly bounds: 'included' | 'excluded';
  readonly cap: number;
}

const base = 1_700_000_000_000;

function toRecord(time: number, index: number): LogRecord {
  return {
    kind: 'log',
    log: { time, msg: String(index) },
    raw: '',
    position: { number: 1, offset: 0, length: 0 },
  };
}

/** The records of a reply, the newest first, or the oldest where asked for. */
function replyOf(
  { times, show, bounds, cap }: Coarse,
  { oldest, newest }: { oldest: number; newest: number },
  order: string,
) {
  const by = bounds === 'included' ? 0 : 1;
  const matching = times
    .map((time, index) => ({ time, index }))
    .filter(({ time }) => oldest + by <= time && time <= newest - by)
    .sort((a, b) => b.time - a.time || b.index - a.index);
  if (order === 'asc') matching.reverse();
  return matching.slice(0, cap).map(({ time, index }) => toRecord(show(time), index));
}

/** Exports all times in windows, with as many jobs under way as asked for; gives the logs of the case and the windows. */
function exportCoarse(
  deployment: Coarse,
  { oldest, newest, seam, jobs }: { oldest: number; newest: number; seam: number; jobs: number },
) {
  const { cap } = deployment;
  let kept: StoredExport = {
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
    kept = now ?? kept;
    for (const number of removed) windows.delete(number);
    for (const each of changed) windows.set(each.window, each);
  };
  // An export whose case has a part of its time already begins with more than one window.
  const planned = { export: 1, state: 'planned', attempts: 0, updated: 0 } as const;
  take({
    windows: [
      { ...planned, window: 1, oldest: seam, newest },
      { ...planned, window: 2, oldest, newest: seam - 1 },
    ],
  });
  let [calls, next] = [0, 3];
  const reserve = (count: number) => {
    next += count;
    return next - count;
  };
  const stored: { readonly record: LogRecord; readonly job: number }[] = [];
  const active: StoredWindow[] = [];
  /** Logs of the case in a window are looked up early: another one may be loaded meanwhile. */
  const known = new Map<number, ReadonlyMap<string, number>>();
  const knownOf = (window: StoredWindow, learnt: ObservedBehaviour) => {
    if (timeStepOf(learnt) === 1 && window.slice === undefined) return new Map<string, number>();
    const own = stored.filter(({ record: { log } }) => containsTime(window, log.time ?? 0));
    return countKeys(own.map(({ record }) => logKey(record)));
  };
  const isActive = ({ window }: StoredWindow) => active.some((each) => each.window === window);
  for (;;) {
    const learnt = readObserved(kept);
    const aim = {
      cap,
      isOrderTrusted: learnt.order === 'trusted',
      isOrderKnown: learnt.order !== undefined,
      step: timeStepOf(learnt),
    };
    while (active.length < (learnt.order === undefined ? 1 : jobs)) {
      const found = nextWindow({
        windows: [...windows.values()],
        isActive,
        nextNumber: reserve(2),
        target: aim,
      });
      if (!found) break;
      take({ windows: found.changes });
      active.push(found.window);
      known.set(found.window.window, knownOf(found.window, learnt));
    }
    const window = active.shift();
    if (!window) return { stored: stored.map(({ record }) => record), windows: [...windows.values()] };
    calls += 1;
    if (2000 < calls) throw new Error('The export does not end');
    const slice = readSlice(window.slice);
    const isAscending = slice.order === 'asc';
    const twin = [...windows.values()].find(
      (each) =>
        isAscending &&
        each.state === 'loaded' &&
        each.oldest === window.oldest &&
        each.newest === window.newest,
    );
    const asked = requestedTimes(window, readExpected(window.expected));
    const { keep, summary } = startReplySummary({
      window,
      requested: asked,
      residual: undefined,
      known: known.get(window.window) ?? new Map(),
      resolution: learnt.times,
      fingerprints: true,
      keys: isAscending,
    });
    const records = replyOf(deployment, requestedBounds(asked, slice, learnt), slice.order);
    const wanted = records.filter(keep);
    const below = [...windows.values()].find(
      (each) => each.newest === window.oldest - 1 && each.state === 'planned' && !isActive(each),
    );
    const keys = stored.filter(({ job }) => job === twin?.window).map(({ record }) => logKey(record));
    const reply = {
      window,
      read: { parts: [part], bytes: 0, sha256: '' },
      summary: summary(),
      loss: undefined,
      reverseTwin: twin && { window: twin, keys },
      seen: new Map(),
      mayRetry: false,
    };
    const { verdict, changes, isLoaded, only } = decideWindow(reply, {
      stored: kept,
      sizes: { num: cap, largest: largestReply([...windows.values()]) },
      knownTime: undefined,
      below: slice.exact || isAscending ? undefined : below,
      recent: [],
      canNarrow: false,
      nextNumber: reserve(20),
      now: 0,
      end: Infinity,
    });
    if (verdict.kind === 'ignored') throw new Error('WINDOW_IGNORED');
    take(changes);
    if (!isLoaded) continue;
    for (const record of wanted)
      if (!only || containsTime(only, record.log.time ?? 0)) stored.push({ record, job: window.window });
  }
}

const shows: Readonly<Record<string, (time: number) => number>> = {
  'cut off': (time) => Math.floor(time / 1000) * 1000,
  rounded: (time) => Math.round(time / 1000) * 1000,
  exact: (time) => time,
};

/** Gaps between logs: many within a second, some of exactly one, some long. */
const gap = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 400 }), weight: 6 },
  { arbitrary: fc.constantFrom(0, 1, 499, 500, 999, 1000, 1001), weight: 2 },
  { arbitrary: fc.integer({ min: 1000, max: 60_000 }), weight: 1 },
);

test('whatever the resolution of its times, an export brings each log once, or names the second that is too full', () => {
  fc.assert(
    fc.property(
      fc.record({
        gaps: fc.array(gap, { minLength: 1, maxLength: 150 }),
        how: fc.constantFrom('cut off', 'rounded', 'exact'),
        bounds: fc.constantFrom('included', 'excluded'),
        cap: fc.integer({ min: 8, max: 40 }),
        jobs: fc.integer({ min: 1, max: 4 }),
        before: fc.integer({ min: 1000, max: 5000 }),
        seam: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      ({ gaps, how, bounds, cap, jobs, before, seam }) => {
        const show = shows[how] ?? ((time: number) => time);
        let time = base;
        const times = gaps.map((each) => {
          time += each;
          return time;
        });
        const { stored, windows } = exportCoarse(
          { times, show, bounds: bounds === 'included' ? 'included' : 'excluded', cap },
          {
            oldest: base - before,
            newest: time + before,
            seam: base + Math.floor(seam * (time - base)),
            jobs,
          },
        );
        const numbers = stored.map(({ log }) => Number(log.msg));
        expect(new Set(numbers).size).toBe(numbers.length);
        const full = windows.filter(({ missing }) => missing !== undefined);
        const wanted = times.flatMap((each, index) =>
          full.some((window) => containsTime(window, show(each))) ? [] : index,
        );
        expect(wanted.filter((index) => !numbers.includes(index))).toEqual([]);
        expect(windows.filter(({ state }) => state === 'planned')).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
