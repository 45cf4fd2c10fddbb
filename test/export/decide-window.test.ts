import { describe, expect, test } from 'vitest';
import type { StoredExport, StoredWindow } from '../../src/case/contents/exports.ts';
import { lossesOf } from '../../src/case/contents/summary.ts';
import {
  changesOf,
  type Decision,
  type DecisionContext,
  decideWindow,
  type WindowReply,
} from '../../src/export/decide/decide-window.ts';
import { unconfirmed } from '../../src/export/decide/observed-behaviour.ts';
import type { ReplySummary } from '../../src/export/decide/reply-checks.ts';
import { controlCheck, type ExpectedLogs, exactCheck } from '../../src/export/decide/reply-checks.ts';
import {
  containsTime,
  type SliceField,
  type Window,
  type WindowSlice,
  wholeSlice,
  writeSlice,
} from '../../src/export/decide/window.ts';
import { part } from './simulated-export.ts';

const stored: StoredExport = {
  export: 7,
  deployment: '',
  request: {},
  settings: {},
  oldest: 0,
  newest: 9999,
  learnt: {},
  started: 0,
};
const millisecond: Window = { oldest: 500, newest: 500 };

function windowOf(times: Window, more: Partial<StoredWindow> = {}): StoredWindow {
  return { window: 1, export: 7, ...times, state: 'planned', attempts: 2, updated: 0, ...more };
}

/** A reply: times of logs in their order, each with a print of its own. */
function summaryOf(
  window: Window,
  times: readonly (number | undefined)[],
  more: Partial<ReplySummary> = {},
): ReplySummary {
  const own = times.filter((time) => time === undefined || containsTime(window, time));
  const keys = times.map((_, index) => `k${index}`);
  const prints = times.map((_, index) => 2 ** index);
  return {
    times,
    found: own.length,
    stored: own.length,
    storedTimes: own,
    outside: 0,
    fingerprints: prints,
    keys,
    ...more,
  };
}

interface Given extends Partial<WindowReply>, Partial<DecisionContext> {
  readonly times: readonly (number | undefined)[];
  readonly learnt?: StoredExport['learnt'];
  readonly came?: Partial<ReplySummary>;
}

/** Settles a reply of a deployment that returns at most 12 logs a call. */
function decide({
  times,
  learnt = {},
  came = {},
  window = windowOf({ oldest: 100, newest: 999 }),
  read = { parts: [part], bytes: 50, sha256: 'abc' },
  ...more
}: Given) {
  const reply = {
    window,
    read,
    summary: summaryOf(window, times, came),
    loss: lossesOf(read.parts)[0]?.message,
    reverseTwin: undefined,
    seen: new Map(),
    mayRetry: true,
    ...more,
  };
  return decideWindow(reply, {
    stored: { ...stored, learnt },
    sizes: { num: 12, largest: 0 },
    knownTime: undefined,
    recent: [],
    below: undefined,
    canNarrow: true,
    nextNumber: 20,
    now: 4000,
    end: Infinity,
    ...more,
  });
}

const expecting = (...checks: readonly ExpectedLogs[]) => JSON.stringify(checks);
const least = (oldest: number, newest: number, count: number, records?: number): ExpectedLogs => ({
  oldest,
  newest,
  count,
  print: 0,
  kind: 'least',
  ...(records !== undefined && { records }),
});
const learntOf = ({ changes }: Decision) => changes.export?.learnt;
const timesOf = ({ changes }: Decision) =>
  changes.windows?.map(({ window, state, oldest, newest }) => [window, state, oldest, newest]);
const down = (from: number, count: number, step = 10) =>
  Array.from({ length: count }, (_, index) => from - index * step);

describe('a reply that is whole', () => {
  test('is loaded, with what it holds', () => {
    const window = windowOf({ oldest: 100, newest: 999 }, { logs: 3, reason: 'Failed before' });
    const found = decide({ window, times: [501, 300, 99], came: { stored: 1 } });
    expect(found).toEqual({
      verdict: { kind: 'whole' },
      isLoaded: true,
      changes: {
        export: { ...stored, learnt: { times: 'milliseconds', oldestIncluded: 'yes' } },
        windows: [
          {
            ...window,
            state: 'loaded',
            found: 2,
            logs: 4,
            reason: undefined,
            updated: 4000,
            bytes: 50,
            sha256: 'abc',
            records: 3,
            unreadable: 0,
          },
        ],
      },
    });
  });

  test('counts the records that cannot be read', () => {
    const parts = [
      { ...part, unreadable: 2 },
      { ...part, unreadable: 3 },
    ];
    const { changes } = decide({ times: [300], read: { parts, bytes: 1, sha256: '' } });
    expect(changes.windows).toMatchObject([{ records: 6, unreadable: 5 }]);
    // Together they are as many as were asked for.
    const full = [{ ...part, unreadable: 10 }];
    expect(decide({ times: [301, 300], read: { parts: full, bytes: 1, sha256: '' } }).verdict.kind).not.toBe(
      'whole',
    );
  });

  test('lacks at least one log where an entry could not be read', () => {
    const problem = { code: 'BAD_DATA', message: 'Cut off' } as const;
    const { changes } = decide({
      times: [300],
      read: { parts: [{ ...part, problem }], bytes: 1, sha256: '' },
    });
    const [window] = changes.windows ?? [];
    expect(window).toMatchObject({ state: 'loaded', missing: 1 });
    expect(window?.reason).toContain('Cut off');
  });
});

describe('logs that were seen and do not come', () => {
  const window = windowOf({ oldest: 100, newest: 999 }, { expected: expecting(least(100, 999, 5)) });

  test('are asked for again', () => {
    expect(decide({ window, times: [300, 200] })).toEqual({
      verdict: { kind: 'lossy', missing: 3 },
      isLoaded: false,
      changes: {},
    });
  });

  test('are missing in the end', () => {
    const { verdict, changes } = decide({ window, times: [300, 200], mayRetry: false });
    expect(verdict).toEqual({ kind: 'whole' });
    expect(changes.windows).toMatchObject([{ state: 'loaded', missing: 3 }]);
    expect(changes.windows?.[0]?.reason).toMatch(/came before/);
  });

  test('are not missed in a reply that may itself be cut off, or is not of the times that were asked for', () => {
    expect(decide({ window, times: down(600, 12), learnt: { order: 'untrusted' } }).verdict.kind).toBe(
      'split',
    );
    expect(decide({ window, times: [300], came: { outside: 1 } })).toEqual({
      verdict: { kind: 'ignored' },
      isLoaded: false,
      changes: {},
    });
    const seconds = { window, times: [1000], learnt: { times: 'seconds' }, came: { found: 1 } };
    expect(decide(seconds).verdict.kind).toBe('align');
  });
});

test('a zip without an entry is asked for again together with a log that is known', () => {
  const read = { parts: [], bytes: 0, sha256: '' };
  const window = windowOf(
    { oldest: 100, newest: 999 },
    { slice: writeSlice(wholeSlice), expected: expecting(least(200, 300, 1)) },
  );
  const nothing = { verdict: { kind: 'bare' }, isLoaded: false, changes: {} };
  expect(decide({ window, times: [], read })).toEqual(nothing);
  const { changes } = decide({ window, times: [], read, knownTime: 1234 });
  const checks = expecting(least(200, 300, 1), controlCheck(1234));
  expect(changes).toEqual({ export: stored, windows: [{ ...window, expected: checks, updated: 4000 }] });
  expect(decide({ window: { ...window, expected: checks }, times: [], read, knownTime: 1234 })).toEqual(
    nothing,
  );
});

describe('a reply that is full', () => {
  test('teaches the order: its newer part is asked for again, with the older of its logs', () => {
    const times = down(700, 12);
    const found = decide({ times });
    // Six tenths of them come again.
    expect(found.verdict).toEqual({ kind: 'learn', from: 631 });
    expect(found.isLoaded).toBe(false);
    expect(learntOf(found)).toEqual({ times: 'milliseconds' });
    expect(timesOf(found)).toEqual([
      [1, 'split', 100, 999],
      [20, 'planned', 631, 999],
      [21, 'planned', 100, 630],
    ]);
    const [parent, upper, lower] = found.changes.windows ?? [];
    expect(parent).toMatchObject({ bytes: 50, sha256: 'abc', records: 12, attempts: 2, updated: 4000 });
    expect(upper).toMatchObject({ attempts: 0, updated: 4000, export: 7 });
    const checks: ExpectedLogs[] = JSON.parse(upper?.expected ?? '');
    const summary = summaryOf({ oldest: 100, newest: 999 }, times);
    const lacked = { oldest: 100, newest: 589 };
    expect(checks.at(-1)).toEqual({ ...exactCheck(summary, { oldest: 631, newest: 670 }), lacked });
    expect(checks.slice(0, -1).reduce((sum, { count }) => sum + count, 0)).toBe(7);
    expect(checks.slice(0, -1).every(({ kind, records }) => kind === 'least' && records === 12)).toBe(true);
    const below: ExpectedLogs[] = JSON.parse(lower?.expected ?? '');
    expect(below.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  });

  test('is split in the middle where its order says nothing', () => {
    const times = [...down(700, 11), 900];
    const found = decide({ times });
    expect(found.verdict).toEqual({ kind: 'split', from: 660 });
    expect(learntOf(found)).toEqual({ times: 'milliseconds', order: 'untrusted' });
    const [, upper] = found.changes.windows ?? [];
    expect(JSON.parse(upper?.expected ?? '').every(({ kind }: ExpectedLogs) => kind === 'least')).toBe(true);
    // Sorted ones say nothing against their order.
    const sorted = decide({ window: windowOf({ oldest: 100, newest: 700 }), times: Array(12).fill(700) });
    expect([sorted.verdict, learntOf(sorted)]).toEqual([
      { kind: 'split', from: 700 },
      { times: 'milliseconds' },
    ]);
  });

  test('is loaded down to its last time where the order is trusted, and what is left joins the window below', () => {
    const below = windowOf({ oldest: 0, newest: 99 }, { window: 5, expected: expecting(least(0, 50, 1)) });
    const window = windowOf({ oldest: 100, newest: 999 }, { logs: 2 });
    const times = [1000, ...down(700, 10), 99];
    const found = decide({
      window,
      times,
      learnt: { order: 'trusted' },
      below,
      sizes: { num: 12, largest: 0 },
    });
    // The last log lies beyond the window, so that it is whole.
    expect(found.verdict).toEqual({ kind: 'whole' });
    const cut = decide({ window, times: down(700, 12), learnt: { order: 'trusted' }, below });
    expect(cut.verdict).toEqual({ kind: 'newer', from: 591 });
    expect([cut.isLoaded, cut.only]).toEqual([true, { oldest: 591, newest: 999 }]);
    expect(timesOf(cut)).toEqual([
      [1, 'loaded', 591, 999],
      [20, 'planned', 0, 590],
    ]);
    const [done, rest] = cut.changes.windows ?? [];
    expect(done).toMatchObject({ found: 11, logs: 13, records: 12 });
    expect(JSON.parse(rest?.expected ?? '')).toEqual([
      ...[least(100, 589, 0, 12), least(590, 590, 1, 12)],
      least(0, 50, 1),
    ]);
    expect(cut.changes.removed).toEqual([5]);
    const alone = decide({ window, times: down(700, 12), learnt: { order: 'trusted' } });
    expect(timesOf(alone)?.[1]).toEqual([20, 'planned', 100, 590]);
    expect(alone.changes.removed).toEqual([]);
    const undated = decide({ window, times: [undefined, 600], came: {}, learnt: { order: 'trusted' } });
    expect(undated.changes.windows).toMatchObject([{ found: 2, logs: 4 }]);
  });

  test('of logs beside its window is asked for again by its very bounds', () => {
    const window = windowOf(millisecond, { expected: expecting(least(500, 500, 1)) });
    const found = decide({ window, times: [...Array(11).fill(501), 500] });
    expect(found.verdict).toEqual({ kind: 'again' });
    expect(found.changes.windows).toEqual([
      {
        ...windowOf(millisecond),
        attempts: 0,
        updated: 4000,
        expected: window.expected,
        slice: writeSlice({ ...wholeSlice, exact: true }),
      },
    ]);
    expect(learntOf(found)).toMatchObject({ newestIncluded: 'yes' });
  });

  test('of seconds is asked for by whole ones', () => {
    const window = windowOf({ oldest: 500, newest: 2500 });
    const found = decide({ window, times: [2000, 1000] });
    expect([found.verdict.kind, found.isLoaded, timesOf(found)]).toEqual([
      'align',
      false,
      [[1, 'planned', 500, 2500]],
    ]);
    // Next to a bound that is rounded a time shows nothing.
    const aligned = decide({ window: windowOf({ oldest: 1000, newest: 1999 }), times: [2000, 1000] });
    expect(learntOf(aligned)).toEqual({ times: 'seconds' });
  });
});

describe('an earlier reply is proved by this one', () => {
  const times = [601, 502];
  const summary = summaryOf({ oldest: 100, newest: 999 }, times);
  const exact = exactCheck(summary, { oldest: 500, newest: 999 });
  const expecting2 = (one: ExpectedLogs) =>
    windowOf({ oldest: 100, newest: 999 }, { expected: expecting(one) });

  test('to be sorted, where the same logs come again and then many older ones', () => {
    const lacked = { oldest: 100, newest: 499 };
    const seen = learntOf(decide({ window: expecting2({ ...exact, lacked }), times }));
    expect(seen).toEqual({ times: 'milliseconds', lackedOldest: '100', lackedNewest: '499' });
    const older = (count: number) => {
      const own = decide({ times: down(499, count), learnt: seen ?? {}, sizes: { num: 100, largest: 50 } });
      return learntOf(own);
    };
    // As few as these may by chance all be missing in the part that was not compared.
    expect(older(23)).not.toHaveProperty('order');
    expect(older(24)).toMatchObject({ order: 'trusted' });
    const before = { order: 'untrusted' };
    expect(learntOf(decide({ window: expecting2(exact), times, learnt: before }))).toMatchObject(before);
  });

  test('not to be sorted, where others come', () => {
    const other = { ...exact, print: 1 };
    expect(
      learntOf(decide({ window: expecting2(other), times, learnt: { order: 'trusted' } })),
    ).toMatchObject({ order: 'untrusted' });
    // A reply that may be cut off itself proves nothing.
    const full = decide({ window: expecting2(other), times: down(700, 12), learnt: { order: 'trusted' } });
    expect(learntOf(full)).toMatchObject({ order: 'trusted' });
  });

  test('to be cut off at its size, where more logs of its times come', () => {
    const seen = expecting2(least(100, 999, 1, 100));
    expect(learntOf(decide({ window: seen, times: [301, 300] }))).not.toHaveProperty('cap');
    expect(learntOf(decide({ window: seen, times: [302, 301, 300] }))).toMatchObject({ cap: '100' });
  });
});

describe('a millisecond with more logs than one call returns', () => {
  const times = Array<number>(12).fill(500);
  const slice = (more: Partial<WindowSlice>) => writeSlice({ ...wholeSlice, ...more });
  const reverseTwin = windowOf(millisecond, { window: 3, state: 'loaded', missing: 1, reason: 'x' });
  const keys = times.map((_, index) => `k${index}`);
  const whole = { ...reverseTwin, missing: undefined, reason: undefined, updated: 4000 };
  const seen = new Map<SliceField, ReadonlyMap<string | undefined, number>>([
    ['logLevel', new Map([['INFO', 12]])],
    [
      'source',
      new Map([
        ['a', 8],
        ['b', 4],
      ]),
    ],
  ]);

  test('is asked for from its other end', () => {
    const found = decide({ window: windowOf(millisecond), times });
    expect([found.verdict, found.isLoaded]).toEqual([{ kind: 'full' }, true]);
    expect(timesOf(found)).toEqual([
      [1, 'loaded', 500, 500],
      [20, 'planned', 500, 500],
    ]);
    const [done, other] = found.changes.windows ?? [];
    expect(done).toMatchObject({ missing: 1 });
    expect(other?.slice).toBe(slice({ order: 'asc' }));
  });

  const ascending = {
    window: windowOf(millisecond, { slice: slice({ order: 'asc' }) }),
    times,
    reverseTwin: { window: reverseTwin, keys: [] },
  };

  test('is whole where both ends meet, if the order is trusted', () => {
    const met = { ...ascending, reverseTwin: { window: reverseTwin, keys: keys.toReversed() } };
    const found = decide({ ...met, learnt: { order: 'trusted' } });
    expect(found.changes.windows).toMatchObject([{ window: 1, state: 'loaded' }, whole]);
    expect(found.changes.windows?.[0]?.missing).toBeUndefined();
    expect(decide({ ...met, canNarrow: false }).changes.windows?.[0]?.missing).toBe(1);
  });

  test('lacks a log at least where nothing tells them apart', () => {
    for (const nothing of [{ canNarrow: false, seen }, {}]) {
      const found = decide({ ...ascending, ...nothing });
      expect(found.changes.windows).toMatchObject([
        { window: 1, state: 'loaded', missing: 1 },
        { window: 3 },
      ]);
      expect(found.changes.windows?.[1]?.missing).toBeUndefined();
    }
  });

  test('is asked for by the values of a field', () => {
    const found = decide({ ...ascending, seen });
    expect(found.changes.windows?.map(({ window, state }) => [window, state])).toEqual([
      [1, 'loaded'],
      [3, 'loaded'],
      [20, 'planned'],
      [21, 'planned'],
      [22, 'planned'],
    ]);
    const clauses = ['a', 'b'].map((value) => ({ field: 'source' as const, values: [value], not: false }));
    const others = { field: 'source' as const, values: ['a', 'b'], not: true };
    expect(found.changes.windows?.slice(2).map((each) => each.slice)).toEqual(
      [...clauses, others].map((clause) => slice({ clauses: [clause] })),
    );
    expect(found.changes.windows?.[0]?.missing).toBeUndefined();
  });

  test('is asked for by filters where they are all there is, and what none selects is missing', () => {
    const found = decide({ ...ascending, seen, learnt: { slices: 'filters' } });
    expect(
      found.changes.windows?.slice(2).map(({ window, state, missing }) => [window, state, missing]),
    ).toEqual([
      [20, 'planned', undefined],
      [21, 'planned', undefined],
      [22, 'loaded', 1],
    ]);
    // One level stands for all more severe ones, so that it parts nothing.
    const levels = new Map<SliceField, ReadonlyMap<string | undefined, number>>([
      ['logLevel', new Map([['INFO', 12]])],
    ]);
    const parted = (learnt: StoredExport['learnt']) =>
      decide({ ...ascending, seen: levels, learnt }).changes.windows?.length;
    expect([parted({ slices: 'filters' }), parted({})]).toEqual([2, 4]);
    const two = new Map<SliceField, ReadonlyMap<string | undefined, number>>([
      [
        'logLevel',
        new Map([
          ['INFO', 6],
          ['SEVERE', 6],
        ]),
      ],
    ]);
    expect(decide({ ...ascending, seen: two, learnt: { slices: 'filters' } }).changes.windows?.length).toBe(
      5,
    );
  });
});

describe('a recent reply of the same size', () => {
  const earlier = windowOf(
    { oldest: 1000, newest: 1999 },
    { window: 2, state: 'loaded', records: 25, logs: 25, reason: unconfirmed },
  );
  const decision = decide({
    times: down(990, 25),
    recent: [earlier],
    sizes: { num: 100, largest: 90 },
    learnt: { order: 'untrusted' },
  });
  const numbersOf = (windows: readonly StoredWindow[]) =>
    changesOf(decision, windows).windows?.map(({ window, state, logs }) => [window, state, logs]);

  test('is requested again, its logs stay in the case, and the window itself is split', () => {
    expect(decision.verdict.kind).toBe('split');
    expect(numbersOf([earlier])).toEqual([
      [1, 'split', undefined],
      [20, 'planned', undefined],
      [21, 'planned', undefined],
      [2, 'planned', 25],
    ]);
  });

  test('is left as it is where it was replaced or changed before the decision is saved', () => {
    const own = [1, 20, 21];
    expect(numbersOf([])?.map(([window]) => window)).toEqual(own);
    expect(numbersOf([{ ...earlier, state: 'planned' }])?.map(([window]) => window)).toEqual(own);
  });
});
