import { expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { estimateRemaining } from '../../src/export/decide/progress.ts';
import { noLogsCheck } from '../../src/export/decide/reply-checks.ts';
import { openStart, wholeSlice, writeSlice } from '../../src/export/decide/window.ts';

function windowOf(oldest: number, newest: number, more: Partial<StoredWindow> = {}): StoredWindow {
  return { window: 1, export: 1, oldest, newest, state: 'planned', attempts: 0, updated: 0, ...more };
}

/** Loaded windows of 100 ms each, one after the other, with so many logs. */
const loadedWith = (...logs: readonly number[]) =>
  logs.map((each, index) => windowOf(index * 100, index * 100 + 99, { state: 'loaded', logs: each }));
const even = loadedWith(...Array(8).fill(50));

test('nothing remains where all windows are loaded, split, or known to be empty', () => {
  const empty = windowOf(5000, 5999, { expected: JSON.stringify([noLogsCheck(5000, 5999)]) });
  expect(estimateRemaining([])).toBe(0);
  expect(estimateRemaining([...even, windowOf(0, 799, { state: 'split' }), empty])).toBe(0);
});

test('what remains is as dense as what came, where that is even', () => {
  expect(estimateRemaining([...even, windowOf(800, 999)])).toBe(100);
  expect(
    estimateRemaining([...even.toReversed(), windowOf(800, 849), windowOf(850, 999, { state: 'failed' })]),
  ).toBe(100);
  // Windows of any length count by their time.
  const uneven = [...even.slice(0, 6), windowOf(600, 799, { state: 'loaded', logs: 100 })];
  expect(estimateRemaining([...uneven, windowOf(800, 999)])).toBe(100);
  expect(estimateRemaining([...loadedWith(50, 50, 50, 50), windowOf(400, 499)])).toBe(50);
  expect(estimateRemaining([...even, windowOf(800, 1599)])).toBe(400);
});

test('it is not known from few windows, without a beginning, or where the logs come in bursts', () => {
  expect(estimateRemaining([...loadedWith(50, 50, 50), windowOf(300, 399)])).toBeUndefined();
  expect(estimateRemaining([...even, windowOf(openStart, -1)])).toBeUndefined();
  expect(estimateRemaining([...loadedWith(0, 400, 0, 0, 0, 0, 0, 0), windowOf(800, 999)])).toBeUndefined();
  // A little unevenness is much of what is far more than came.
  const nearly = loadedWith(50, 52, 48, 50, 52, 48, 50, 50);
  expect(estimateRemaining([...nearly, windowOf(800, 999)])).toBe(100);
  expect(estimateRemaining([...nearly, windowOf(800, 7999)])).toBe(3600);
  // Up to half of the way a factor of two is enough, from then on ten percent.
  const uneven = loadedWith(60, 40, 55, 45, 50, 50, 50, 50);
  const known = [849, 1199, 1599, 1799, 7999].map((newest) =>
    estimateRemaining([...uneven, windowOf(800, newest)]),
  );
  expect(known).toEqual([25, 200, undefined, 500, 3600]);
  const rough = loadedWith(80, 20, 70, 30, 60, 40, 50, 50);
  for (const newest of [849, 999, 7999])
    expect(estimateRemaining([...rough, windowOf(800, newest)])).toBeUndefined();
});

test('slices and windows without a beginning say nothing of the density', () => {
  const slice = windowOf(50, 50, {
    state: 'loaded',
    logs: 100_000,
    slice: writeSlice({ ...wholeSlice, order: 'asc' }),
  });
  const first = windowOf(openStart, -1, { state: 'loaded', logs: 7 });
  expect(estimateRemaining([...even, slice, first, windowOf(800, 999)])).toBe(100);
  const exact = { ...even[0], slice: writeSlice({ ...wholeSlice, exact: true }) };
  expect(estimateRemaining([windowOf(0, 99, exact), ...even.slice(1), windowOf(800, 999)])).toBe(100);
});
