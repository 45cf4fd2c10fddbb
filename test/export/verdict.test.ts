import { describe, expect, test } from 'vitest';
import { isDescending, type JudgedReply, judgeReply } from '../../src/export/decide/decide-window.ts';
import { observedBounds } from '../../src/export/decide/observed-behaviour.ts';
import { containsTime, type Window, type WindowSlice, wholeSlice } from '../../src/export/decide/window.ts';

interface Given extends Partial<Omit<JudgedReply, 'slice'>> {
  readonly window?: Window;
  readonly slice?: Partial<WindowSlice>;
  readonly outside?: number;
}

/** Judges a reply of a deployment that returns at most 12 logs a call; its first reply unless given. */
function judged(times: readonly (number | undefined)[], { slice, outside = 0, ...more }: Given = {}) {
  const window = more.window ?? { oldest: 100, newest: 999 };
  const own = times.filter((time) => time === undefined || containsTime(window, time));
  const summary = {
    times,
    found: own.length,
    stored: own.length,
    storedTimes: own,
    outside,
    fingerprints: [],
    keys: [],
  };
  const sizes = { num: 12, largest: 0, records: times.length, observed: {} };
  return judgeReply({ window, summary, ...sizes, ...more, slice: { ...wholeSlice, ...slice } });
}

const down = (from: number, count: number, step = 10) =>
  Array.from({ length: count }, (_, index) => from - index * step);
const trusted = { order: 'trusted' } as const;
const millisecond = { oldest: 500, newest: 500 };
const desc = { clauses: [{ field: 'source' as const, values: ['a'], not: false }] };

describe('a reply', () => {
  test.each<[why: string, times: readonly number[], given: Given, expected: object]>([
    ['of few logs is whole', down(700, 5), {}, { kind: 'whole' }],
    ['of other times does not heed them', down(700, 12), { outside: 1 }, { kind: 'ignored' }],
    [
      'of part of a second is to be aligned',
      [2000],
      { window: { oldest: 500, newest: 2999 }, observed: { times: 'seconds' } },
      { kind: 'align' },
    ],
    ['smaller than another one is whole', down(700, 11), { largest: 12 }, { kind: 'whole' }],
    ['as large as any other may be cut off', down(700, 11), { largest: 11 }, { kind: 'learn', from: 641 }],
    [
      'with as many unreadable records may be cut off',
      down(700, 2),
      { records: 12 },
      { kind: 'learn', from: 691 },
    ],
    [
      'of a trusted order is whole down to its last time',
      down(700, 12),
      { observed: trusted },
      { kind: 'newer', from: 591 },
    ],
    [
      'that ends right below the window is whole, if nothing but its size and a likely order shows it',
      down(209, 11),
      { largest: 12, observed: { lackedOldest: '0' }, window: { oldest: 110, newest: 999 } },
      { kind: 'whole' },
    ],
    ['that reaches beyond the window is whole', down(200, 12), { observed: trusted }, { kind: 'whole' }],
    ['that reaches its end only is not', down(210, 12), { observed: trusted }, { kind: 'newer', from: 101 }],
    [
      'of an order that is not trusted is split',
      down(700, 12),
      { observed: { order: 'untrusted' } },
      { kind: 'split', from: 650 },
    ],
    ['in disorder is split', [...down(700, 11), 900], {}, { kind: 'split', from: 660 }],
    ['of its newest millisecond is split off', Array(12).fill(999), {}, { kind: 'split', from: 999 }],
    [
      'of its newest second is split off',
      Array(12).fill(2000),
      { window: { oldest: 0, newest: 2999 }, observed: { times: 'seconds' } },
      { kind: 'split', from: 2000 },
    ],
    ['of one millisecond is full', Array(12).fill(500), { window: millisecond }, { kind: 'full' }],
    [
      'of one second is full',
      Array(12).fill(1000),
      { window: { oldest: 1000, newest: 1999 }, observed: { times: 'seconds' } },
      { kind: 'full' },
    ],
    ['of a slice is full', down(700, 12), { slice: desc }, { kind: 'full' }],
    ['from the other end is full', down(700, 12).toReversed(), { slice: { order: 'asc' } }, { kind: 'full' }],
    [
      'from the other end that reaches beyond the window is whole',
      down(1010, 12).toReversed(),
      { slice: { order: 'asc' }, observed: trusted },
      { kind: 'whole' },
    ],
    [
      'from the other end that does not is full',
      down(999, 12).toReversed(),
      { slice: { order: 'asc' }, observed: trusted },
      { kind: 'full' },
    ],
    [
      'from the other end in disorder is full',
      [...down(800, 11), 1010],
      { slice: { order: 'asc' }, observed: trusted },
      { kind: 'full' },
    ],
    [
      'beyond the window in disorder is not whole',
      [500, 700, ...down(600, 9), 99],
      { observed: trusted },
      { kind: 'split', from: 560 },
    ],
  ])('%s', (_why, times, given, expected) => {
    expect(judged(times, given)).toEqual(expected);
  });

  test('with logs without a time shows no order', () => {
    expect(judged([undefined, ...down(700, 11)])).toEqual({ kind: 'split', from: 650 });
    // Of logs without any times the middle of the window is as good as any place.
    expect(judged(Array(12).fill(undefined))).toEqual({ kind: 'split', from: 549 });
  });

  test('is asked for again up to the middle of those that have to come, within its window', () => {
    expect(judged([...down(999, 2, 1), ...down(900, 10)])).toEqual({ kind: 'learn', from: 851 });
    expect(judged(Array(11).fill(999).concat(998))).toEqual({ kind: 'learn', from: 999 });
    const seconds = { window: { oldest: 0, newest: 9999 }, observed: { times: 'seconds' as const } };
    expect(judged(down(9000, 9, 1000).concat([0, 0, 0]), seconds)).toEqual({ kind: 'learn', from: 3000 });
    expect(
      judged(down(9000, 9, 1000).concat([1000, 1000, 1000]), {
        ...seconds,
        observed: { times: 'seconds', order: 'trusted' },
      }),
    ).toEqual({ kind: 'newer', from: 2000 });
  });

  test('is split at whole steps, within its window', () => {
    const seconds = {
      window: { oldest: 0, newest: 1999 },
      observed: { times: 'seconds' as const, order: 'untrusted' as const },
    };
    expect(judged(Array(12).fill(0), seconds)).toEqual({ kind: 'split', from: 1000 });
    expect(judged(Array(12).fill(1000), seconds)).toEqual({ kind: 'split', from: 1000 });
    expect(judged(Array(12).fill(100), { observed: { order: 'untrusted' } })).toEqual({
      kind: 'split',
      from: 101,
    });
    expect(
      judged([...Array(6).fill(1000), ...Array(6).fill(999)], {
        observed: { order: 'untrusted', newestIncluded: 'yes' },
        slice: { exact: true },
      }),
    ).toEqual({ kind: 'split', from: 999 });
  });
});

describe('a reply smaller than others', () => {
  const small = { num: 100, largest: 90 };
  const likely = { lackedOldest: '0', lackedNewest: '99' };
  const asc = { order: 'asc' } as const;

  test.each<[why: string, times: readonly number[], given: Given, expected: object]>([
    ['of no known order is whole', down(990, 20), {}, { kind: 'whole' }],
    [
      'of a trusted order ends with its last log',
      down(990, 20),
      { observed: trusted },
      { kind: 'newer', from: 801 },
    ],
    ['of 11 logs as well', down(990, 11), { observed: trusted }, { kind: 'newer', from: 891 }],
    ['of 10 logs is below any cap', down(990, 10), { observed: trusted }, { kind: 'whole' }],
    [
      'in disorder proves what its size proves',
      [...down(980, 19), 990],
      { observed: trusted },
      { kind: 'whole' },
    ],
    ['of a slice as well', down(990, 20), { observed: trusted, slice: desc }, { kind: 'whole' }],
    [
      'of a millisecond is not proved',
      Array(20).fill(500),
      { observed: trusted, window: millisecond },
      { kind: 'full' },
    ],
    [
      'from the other end is not proved',
      down(990, 20).toReversed(),
      { observed: trusted, slice: asc },
      { kind: 'full' },
    ],
    [
      'from the other end and beyond its window is whole',
      down(1010, 20).toReversed(),
      { observed: trusted, slice: asc },
      { kind: 'whole' },
    ],
    [
      'of a likely order ends with its last log',
      down(990, 20),
      { observed: likely },
      { kind: 'newer', from: 801 },
    ],
    [
      'of a likely order, in disorder, is whole',
      [...down(980, 19), 990],
      { observed: likely },
      { kind: 'whole' },
    ],
    [
      'of a likely order, from the other end, is whole',
      down(990, 20).toReversed(),
      { observed: likely, slice: asc },
      { kind: 'whole' },
    ],
    [
      'of a likely order, in a millisecond, is whole',
      Array(20).fill(500),
      { observed: likely, window: millisecond },
      { kind: 'whole' },
    ],
    [
      'of a likely order, in two milliseconds, ends with its last log',
      Array(20).fill(500),
      { observed: likely, window: { oldest: 499, newest: 500 } },
      { kind: 'split', from: 500 },
    ],
    [
      'of a refuted order is whole',
      down(990, 20),
      { observed: { ...likely, order: 'untrusted' } },
      { kind: 'whole' },
    ],
  ])('%s', (_why, times, given, expected) => {
    expect(judged(times, { ...small, ...given })).toEqual(expected);
  });
});

describe('a reply that may be truncated', () => {
  test('is not whole because it reaches beyond its window, unless the order is trusted', () => {
    expect(judged(down(200, 12), { observed: { order: 'untrusted' } })).toEqual({ kind: 'split', from: 150 });
  });

  test('is split in the middle if none of its records can be read', () => {
    const unreadable = { records: 12, window: { oldest: 100, newest: 999 } };
    expect(judged([], { ...unreadable, observed: trusted })).toEqual({ kind: 'split', from: 999 });
    expect(judged([], { ...unreadable, observed: { order: 'untrusted' } })).toEqual({
      kind: 'split',
      from: 549,
    });
  });

  test('is split in the middle of its own logs, whatever comes beside them', () => {
    const observed = { order: 'untrusted', newestIncluded: 'yes', oldestIncluded: 'yes' } as const;
    const times = [1000, 1000, 1000, ...down(700, 9)];
    expect(judged(times, { observed, slice: { exact: true } })).toEqual({ kind: 'split', from: 660 });
  });
});

describe('logs beside a window are left out', () => {
  const beside = (count: number, at = 1000) => [...Array(count).fill(at), ...down(700, 20 - count)];
  const given = { num: 20, observed: { order: 'untrusted' } } as const;

  test('where they are a tenth of a reply or more', () => {
    expect(judged(beside(2), given)).toEqual({ kind: 'again' });
    expect(judged(beside(1), given).kind).toBe('split');
    expect(judged(beside(2, 99), given)).toEqual({ kind: 'again' });
  });

  test('in one millisecond always', () => {
    expect(judged([501, ...Array(19).fill(500)], { ...given, window: millisecond })).toEqual({
      kind: 'again',
    });
    expect(judged(Array(20).fill(500), { ...given, window: millisecond })).toEqual({ kind: 'full' });
    const included = { order: 'untrusted', oldestIncluded: 'yes' } as const;
    expect(judged(Array(20).fill(500), { num: 20, observed: included, window: millisecond })).toEqual({
      kind: 'full',
    });
  });

  test('where they are not yet, at the end at which they came', () => {
    expect(judged(beside(2), { ...given, slice: { exact: true } })).toEqual({ kind: 'again' });
    const newest = {
      ...given,
      slice: { exact: true },
      observed: { order: 'untrusted', newestIncluded: 'yes' },
    } as const;
    expect(judged(beside(2), newest).kind).toBe('split');
    expect(judged(beside(2, 99), newest)).toEqual({ kind: 'again' });
    // Where times are whole seconds a second more has to be asked for.
    const seconds = {
      num: 20,
      window: { oldest: 1000, newest: 2999 },
      observed: { times: 'seconds' },
    } as const;
    expect(judged([...Array(10).fill(3000), ...Array(10).fill(2000)], seconds)).toEqual({
      kind: 'split',
      from: 2000,
    });
  });
});

test('bounds are included where a log of their very time came', () => {
  const shown = (...times: number[]) =>
    observedBounds(millisecond, {
      times,
      found: 0,
      stored: 0,
      storedTimes: [],
      outside: 0,
      fingerprints: [],
      keys: [],
    });
  expect([shown(), shown(500), shown(499), shown(501), shown(501, 499)]).toEqual([
    {},
    {},
    { oldestIncluded: 'yes' },
    { newestIncluded: 'yes' },
    { oldestIncluded: 'yes', newestIncluded: 'yes' },
  ]);
});

test.each([
  [[], true],
  [[3], true],
  [[3, 3, 2], true],
  [[3, 2, 3], false],
  [[1, 2], false],
])('%j descends: %s', (times, expected) => {
  expect(isDescending(times)).toBe(expected);
});
