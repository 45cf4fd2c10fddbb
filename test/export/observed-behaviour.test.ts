import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import {
  effectiveCap,
  isAboveLowered,
  largestReply,
  mayBeTruncated,
  provesOrder,
  replySizes,
  requestedBounds,
} from '../../src/export/decide/observed-behaviour.ts';
import { wholeSlice } from '../../src/export/decide/window.ts';

const size = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 990, max: 1010 }), fc.nat(10_000));

test('no cap, whatever it is, cuts a reply that is taken for whole, once a larger one was seen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 10_000 }), fc.array(size), size, (cap, earlier, logs) => {
      const largest = Math.max(0, ...earlier.map((each) => Math.min(each, cap)));
      const records = Math.min(logs, cap);
      if (!mayBeTruncated(records, { num: 10_000, largest })) expect(records).toBe(logs);
    }),
  );
});

test.each([
  [10_000, 0, true],
  [10, 0, false],
  [11, 0, true],
  [11, 11, true],
  [11, 12, false],
  // A cap looks like this, and a deployment can have several servers.
  [5000, 9000, true],
  [4999, 9000, true],
  [5001, 9000, false],
  [999, 9000, true],
  [998, 9000, false],
  [500, 9000, true],
  [499, 9000, true],
  [498, 9000, false],
  [1024, 9000, true],
  [1023, 9000, true],
  [8192, 9000, true],
  [100, 9000, true],
  [64, 9000, false],
])('%d logs beside %d', (records, largest, expected) => {
  expect(mayBeTruncated(records, { num: 10_000, largest })).toBe(expected);
});

const windowOf = (records?: number): StoredWindow => ({
  window: 1,
  export: 1,
  oldest: 0,
  newest: 9,
  state: 'loaded',
  attempts: 0,
  updated: 0,
  ...(records !== undefined && { records }),
});

test('the sizes of an export are those of its replies, and of the control call that returned the fewest', () => {
  const windows = [windowOf(3), windowOf(12), windowOf(), windowOf(7)];
  expect(largestReply(windows)).toBe(12);
  expect(largestReply([])).toBe(0);
  expect(replySizes(100, windows, {})).toStrictEqual({ num: 100, largest: 12 });
  expect(replySizes(100, windows, { lowered: '80' })).toStrictEqual({ num: 100, largest: 12, lowered: 80 });
});

test('a reply of a quarter of a cap that fell may be truncated, but no cap is below 10', () => {
  const sizes = { num: 1000, largest: 900, lowered: 80 };
  expect([19, 20, 21].map((records) => mayBeTruncated(records, sizes))).toEqual([false, true, true]);
  expect([10, 11].map((records) => isAboveLowered(records, 12))).toEqual([false, true]);
  expect(isAboveLowered(900, undefined)).toBe(false);
});

test.each([
  [{}, { num: 100, largest: 0 }, 100],
  [{ cap: '60' }, { num: 100, largest: 60 }, 60],
  [{ cap: '60' }, { num: 100, largest: 61 }, 100],
  [{ cap: '60' }, { num: 50, largest: 50 }, 50],
  [{ lowered: '83' }, { num: 100, largest: 90 }, 20],
  [{ lowered: '30', cap: '60' }, { num: 100, largest: 60 }, 10],
])('after %j and sizes %j a call returns at most %d logs', (observed, sizes, expected) => {
  expect(effectiveCap(observed, sizes)).toBe(expected);
});

test('an order is proved by 24 older logs, of the times that a truncated reply lacked, and once', () => {
  const lacked = { lackedOldest: '100', lackedNewest: '199' };
  const times = (count: number) => [undefined, 99, 200, ...Array(count).fill(150)];
  expect(provesOrder(lacked, times(24))).toBe(true);
  expect(provesOrder(lacked, times(23))).toBe(false);
  expect(provesOrder(lacked, [...Array(12).fill(100), ...Array(12).fill(199)])).toBe(true);
  expect(provesOrder({ ...lacked, order: 'untrusted' }, times(24))).toBe(false);
  expect(provesOrder({ ...lacked, order: 'trusted' }, times(24))).toBe(false);
  expect(provesOrder({}, Array(24).fill(Number.NaN))).toBe(false);
});

test('times of whole seconds are requested with a second on either side, others with a millisecond', () => {
  const window = { oldest: 1000, newest: 2999 };
  expect(requestedBounds(window, wholeSlice, { times: 'seconds' })).toEqual({ oldest: 0, newest: 3999 });
  expect(requestedBounds(window, wholeSlice, {})).toEqual({ oldest: 999, newest: 3000 });
});
