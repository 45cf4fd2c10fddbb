import { expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { countTotals } from '../../src/export/decide/progress.ts';

const each = { export: 1, attempts: 0, updated: 0 };
const loaded = { ...each, state: 'loaded' } as const;
const running = { calls: 3, underWay: 1 };

test('what is still to come is estimated by the times that are loaded, a crowded millisecond aside', () => {
  const even = Array.from({ length: 8 }, (_, index) => ({
    ...loaded,
    window: index + 1,
    oldest: 2000 + index * 1000,
    newest: 2999 + index * 1000,
    found: 1000,
    logs: 1000,
    bytes: 10,
  }));
  const slice = JSON.stringify({ exact: true, order: 'asc', clauses: [] });
  const windows: readonly StoredWindow[] = [
    ...even,
    { ...loaded, window: 11, oldest: 1999, newest: 1999, found: 10_000, logs: 10_000, bytes: 10, slice },
    { ...each, window: 12, oldest: 0, newest: 1998, state: 'planned' },
    { ...each, window: 13, oldest: 0, newest: 3999, state: 'split' },
  ];
  expect(countTotals(windows, running)).toMatchObject({ logs: 18_000, remaining: 1999 });
});

test('a short time says nothing of a much longer one', () => {
  const windows: readonly StoredWindow[] = [
    { ...loaded, window: 1, oldest: 5_000_000, newest: 5_000_000, found: 10_000, logs: 10_000, bytes: 10 },
    { ...loaded, window: 2, oldest: 4_999_000, newest: 4_999_999, found: 4, logs: 4, bytes: 10 },
    { ...each, window: 3, oldest: 0, newest: 4_998_999, state: 'planned' },
    { ...each, window: 4, oldest: 5_000_001, newest: 5_000_001, state: 'planned' },
  ];
  expect(countTotals(windows, running)).not.toHaveProperty('remaining');
});

test('nothing is said of what is still to come while nothing is known', () => {
  const windows: readonly StoredWindow[] = [{ ...each, window: 1, oldest: 0, newest: 9, state: 'planned' }];
  expect(countTotals(windows, running)).toEqual({ ...running, windows: 0, logs: 0, bytes: 0 });
});

test('what the deployment counts is taken for all there is, where it counts', () => {
  const windows: readonly StoredWindow[] = [
    { ...loaded, window: 1, oldest: 0, newest: 9, logs: 30, bytes: 7 },
    { ...loaded, window: 2, oldest: 10, newest: 19, bytes: 3 },
    { ...each, window: 3, oldest: 20, newest: 29, state: 'submitted', logs: 99, bytes: 99 },
  ];
  const total = (counted: number) => countTotals(windows, { ...running, counted });
  expect(total(40)).toEqual({ ...running, windows: 2, logs: 30, bytes: 10, remaining: 10 });
  expect(total(20)).toMatchObject({ remaining: 0 });
});
