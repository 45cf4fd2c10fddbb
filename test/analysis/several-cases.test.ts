import { describe, expect, test } from 'vitest';
import { histogram } from '../../src/analysis/index.ts';
import { all } from '../../src/meaning/filter.ts';
import { addLogs, streamContext } from '../../src/store/index.ts';
import { filterOf, pageOf, toList, withCases } from './with-cases.ts';

describe('the logs of several cases', () => {
  test('a page stays the same when logs are added before it', async () => {
    await withCases([[{ time: 1 }, { time: 2 }, { time: 3 }]], async (cases) => {
      const after = { time: 3, ofCase: 0, id: 3 };
      const before = await pageOf(cases, all, { order: 'newest', limit: 1, after });
      for (const each of cases) await addLogs(each, [{ time: 4 }, { time: 3 }], { part: 'more' });
      expect(await pageOf(cases, all, { order: 'newest', limit: 1, after })).toEqual(before);
    });
  });
});

describe('the context of logs', () => {
  test('a limit counts what was found', async () => {
    const logs = Array.from({ length: 20 }, (_, time) => ({ time, msg: time % 5 === 0 ? 'hit' : 'other' }));
    await withCases([logs], async ([from]) => {
      if (!from) throw new Error('There is no case');
      const found = await toList(
        streamContext(from, filterOf('msg:hit'), { order: 'newest', limit: 2, around: 1 }),
      );
      expect(found.map(({ log, isHit }) => `${log.time}${isHit ? '>' : ''}`)).toEqual([
        '16',
        '15>',
        '14',
        '11',
        '10>',
        '9',
      ]);
      expect(found.map(({ rank }) => rank)).toEqual([17, 16, 15, 12, 11, 10]);
    });
  });
});

describe('logs over time', () => {
  test.each([
    [0, 1],
    [30, 1],
    [1_000, 50],
    [86_400_000, 3_600_000],
    [365 * 86_400_000, 14 * 86_400_000],
    [8.64e15, Math.ceil(8.64e15 / 40 / 86_400_000) * 86_400_000],
  ])('a span of %d ms is counted by %d ms', async (last, every) => {
    await withCases([[{ time: 0 }, { time: last }]], async (cases) => {
      const found = await histogram(cases, all);
      expect(found.every).toBe(every);
      expect(found.buckets.length).toBeLessThanOrEqual(42);
    });
  });

  test('the ends of time have their stretches', async () => {
    const logs = [{ time: -62_167_219_200_000 }, { time: 253_402_300_799_999 }];
    await withCases([logs], async (cases) => {
      const { buckets } = await histogram(cases, all, { every: 364 * 86_400_000 });
      expect([buckets.at(0)?.count, buckets.at(-1)?.count]).toEqual([1, 1]);
      await expect(histogram(cases, all, { every: 1 })).rejects.toThrow(RangeError);
      await expect(histogram(cases, all, { every: 1 })).rejects.toThrow('100000 are the most');
    });
  });
});
