import { describe, expect, test } from 'vitest';
import type { StoredWindow } from '../../src/case/contents/exports.ts';
import { repliesOverlap } from '../../src/export/decide/reply-checks.ts';
import { densityAt, newestChunk, type WindowTarget } from '../../src/export/decide/scheduler.ts';
import { wholeSlice, writeSlice } from '../../src/export/decide/window.ts';

const loaded = (oldest: number, newest: number, found: number): StoredWindow => ({
  window: oldest,
  export: 1,
  state: 'loaded',
  attempts: 0,
  updated: 0,
  oldest,
  newest,
  found,
});

describe('the density near a time', () => {
  test('is that of the nearest windows, however they are sorted', () => {
    const windows = [loaded(0, 9, 100), loaded(30, 39, 10), loaded(20, 29, 20), loaded(10, 19, 50)];
    for (const each of [windows, windows.toReversed()]) {
      const density = densityAt(each, 40);
      expect(density).toEqual({ perMillisecond: 1.5, min: 1, length: 10 });
    }
    expect(densityAt(windows, 5)).toMatchObject({ perMillisecond: 7.5, min: 5 });
  });

  test('is that of five windows at most, and of the newer one at the same distance', () => {
    const windows = Array.from({ length: 8 }, (_, at) => loaded(at * 10, at * 10 + 9, at));
    expect(densityAt(windows, 79)).toMatchObject({ perMillisecond: 13 / 20, min: 0.5 });
    expect(densityAt([loaded(0, 9, 10), loaded(20, 39, 10)], 14.5)).toMatchObject({ length: 20 });
  });

  test('is not known from parts of a window, or from what is not loaded', () => {
    const slice = writeSlice({ ...wholeSlice, order: 'asc' });
    const none = [
      { ...loaded(0, 9, 5), slice },
      { ...loaded(0, 9, 5), state: 'planned' as const },
      { ...loaded(0, 9, 5), found: undefined },
    ];
    expect(densityAt(none, 0)).toBeUndefined();
  });
});

describe('the part of a window that one call is to bring', () => {
  const trusted: WindowTarget = { cap: 100, isOrderTrusted: true, isOrderKnown: true };
  const untrusted = { ...trusted, isOrderTrusted: false };
  const window = { oldest: 0, newest: 999 };
  const density = { perMillisecond: 2, min: 1, length: 50, seen: 100 };

  test.each([
    ['all of it while nothing is known', window, undefined, trusted, 0],
    ['the cap, of the sparser density', window, density, trusted, 900],
    ['a smaller share, of the density, where too many cost a call', window, density, untrusted, 980],
    ['all that just fits', { oldest: 0, newest: 89 }, density, trusted, 0],
    ['all but what no longer fits', { oldest: 0, newest: 100 }, density, trusted, 1],
    [
      'no more than eight times the one beside it',
      window,
      { ...density, perMillisecond: 1e-3, length: 4 },
      untrusted,
      968,
    ],
    ['any length where too many cost nothing', window, { ...density, min: 1e-3, length: 4 }, trusted, 0],
    ['a millisecond at least', window, { ...density, min: 1000 }, trusted, 999],
  ] as const)('%s', (_what, whole, near, target, oldest) => {
    expect(newestChunk(whole, near, target)).toEqual({ oldest, newest: whole.newest });
  });
});

describe('replies in opposite orders', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  test.each([
    ['the same eight', keys, keys.toReversed(), true],
    ['eight, behind others', ['x', 'y', ...keys], ['z', ...keys.toReversed()], true],
    ['seven', keys.slice(1), keys.slice(1).toReversed(), false],
    ['eight, not mirrored', keys, keys, false],
    ['eight, and one more in front', ['a', ...keys], ['a', ...keys.toReversed()], false],
    ['four different ones', [...'aabbccdd'], [...'ddccbbaa'], true],
    ['three different ones', [...'aaabbbcc'], [...'ccbbbaaa'], false],
    ['eight, where one has more of one', ['a', ...keys], keys.toReversed(), true],
  ])('overlap with %s', (_what, descending, ascending, expected) => {
    expect(repliesOverlap(descending, ascending)).toBe(expected);
  });
});
