import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { effectiveCap, observeTimeStep, timeStepOf } from '../../src/export/decide/observed-behaviour.ts';
import { alignWindows } from '../../src/export/decide/scheduler.ts';
import {
  ceilTo,
  containsTime,
  floorTo,
  isAligned,
  subtractWindows,
  windowLength,
} from '../../src/export/decide/window.ts';

function windowOf(oldest: number, newest: number, more: Partial<StoredWindow> = {}): StoredWindow {
  return { window: 1, export: 1, oldest, newest, state: 'planned', attempts: 0, updated: 0, ...more };
}

const bounds = (windows: readonly StoredWindow[]) => windows.map(({ oldest, newest }) => [oldest, newest]);

describe('times show milliseconds as soon as one lies within a second', () => {
  test.each([
    [[], undefined, {}],
    [[undefined], undefined, {}],
    [[], 'seconds', { times: 'seconds' }],
    [[1000, undefined, 0], undefined, { times: 'seconds' }],
    [[1000, 1001], undefined, { times: 'milliseconds' }],
    [[-1], 'seconds', { times: 'milliseconds' }],
    [[1000], 'milliseconds', { times: 'milliseconds' }],
    [[], 'milliseconds', { times: 'milliseconds' }],
  ] as const)('%j after %s', (times, before, expected) => {
    expect(observeTimeStep(times, before)).toEqual(expected);
  });

  test('and the step is a second until then', () => {
    expect([timeStepOf({}), timeStepOf({ times: 'seconds' }), timeStepOf({ times: 'milliseconds' })]).toEqual(
      [1, 1000, 1],
    );
  });
});

test('whole steps around a time', () => {
  expect([floorTo(1999, 1000), floorTo(2000, 1000), floorTo(-1, 1000)]).toEqual([1000, 2000, -1000]);
  expect([ceilTo(1001, 1000), ceilTo(2000, 1000), ceilTo(-1, 1000) + 0]).toEqual([2000, 2000, 0]);
});

test.each([
  [0, 999, true],
  [1000, 2999, true],
  [1, 999, false],
  [0, 998, false],
  [0, 1000, false],
])('a window from %d to %d has whole seconds: %s', (oldest, newest, expected) => {
  expect(isAligned({ oldest, newest }, 1000)).toBe(expected);
  expect(isAligned({ oldest, newest }, 1)).toBe(true);
});

describe('planned windows are widened to whole seconds', () => {
  test('the newer one takes the second that two share', () => {
    expect(bounds(alignWindows([windowOf(0, 1499), windowOf(1500, 2500)], 1000))).toEqual([
      [1000, 2999],
      [0, 999],
    ]);
  });

  test('one that lies within a second of another is left out', () => {
    const windows = [windowOf(1500, 2500), windowOf(1100, 1499), windowOf(0, 999)];
    expect(bounds(alignWindows(windows, 1000))).toEqual([
      [1000, 2999],
      [0, 999],
    ]);
  });

  test('those that have whole seconds are the same', () => {
    const windows = [windowOf(1000, 2999), windowOf(0, 999)];
    const aligned = alignWindows(windows, 1000);
    expect(aligned[0]).toBe(windows[0]);
    expect(aligned[1]).toBe(windows[1]);
  });

  test('what is loaded or split, and slices, stay as they are and take no second from others', () => {
    const stored = [
      windowOf(1700, 1800, { state: 'loaded' }),
      windowOf(1600, 1650, { state: 'split' }),
      windowOf(1400, 1400, { slice: '{"exact":true,"order":"asc","clauses":[]}' }),
    ];
    expect(bounds(alignWindows([...stored, windowOf(1200, 1300)], 1000))).toEqual([
      ...bounds(stored),
      [1000, 1999],
    ]);
  });

  test('one that is under way stays, and its second is its own', () => {
    const windows = [windowOf(1500, 2500, { state: 'submitted' }), windowOf(500, 1499)];
    expect(bounds(alignWindows(windows, 1000))).toEqual([
      [1500, 2500],
      [0, 999],
    ]);
  });

  test('nothing changes where times have milliseconds', () => {
    const windows = [windowOf(0, 1), windowOf(5, 7)];
    expect(alignWindows(windows, 1)).toBe(windows);
  });
});

describe('intervals', () => {
  test('hold both of their ends', () => {
    const window = { oldest: 5, newest: 9 };
    expect([4, 5, 9, 10].map((time) => containsTime(window, time))).toEqual([false, true, true, false]);
    expect(windowLength(window)).toBe(5);
    expect(windowLength({ oldest: 5, newest: 5 })).toBe(1);
  });

  test.each<[others: readonly (readonly [number, number])[], left: readonly (readonly [number, number])[]]>([
    [[], [[0, 9]]],
    [
      [[3, 5]],
      [
        [6, 9],
        [0, 2],
      ],
    ],
    [[[0, 0]], [[1, 9]]],
    [[[9, 9]], [[0, 8]]],
    [[[-5, -1]], [[0, 9]]],
    [[[10, 20]], [[0, 9]]],
    [[[-5, 20]], []],
    [[[0, 9]], []],
    [
      [
        [2, 3],
        [6, 6],
      ],
      [
        [7, 9],
        [4, 5],
        [0, 1],
      ],
    ],
    [
      [
        [6, 6],
        [2, 3],
      ],
      [
        [7, 9],
        [4, 5],
        [0, 1],
      ],
    ],
  ])('without %j %j are left', (others, left) => {
    const taken = others.map(([oldest, newest]) => ({ oldest, newest }));
    expect(
      subtractWindows({ oldest: 0, newest: 9 }, taken).map(({ oldest, newest }) => [oldest, newest]),
    ).toEqual(left);
  });
});

test.each([
  [undefined, 0, 10_000],
  ['5000', 0, 5000],
  ['5000', 5000, 5000],
  // A larger reply has shown that there is no such cap.
  ['5000', 5001, 10_000],
  ['20000', 0, 10_000],
  ['0', 0, 10_000],
])('a cap of %s beside a reply of %d: %d logs a call', (cap, largest, expected) => {
  expect(effectiveCap(cap === undefined ? {} : { cap }, { num: 10_000, largest })).toBe(expected);
});
