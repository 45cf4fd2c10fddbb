import { describe, expect, test } from 'vitest';
import { histogram } from '../../src/analysis/histogram.ts';
import { type CursorInCases, contextOfCases, mergeLogs } from '../../src/analysis/several-cases.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { streamContext } from '../../src/case/searching/logs-in-context.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { sampled } from '../effort.ts';
import { filterOf, pageOf, toList, withCases } from './with-cases.ts';

describe('the logs of several cases', () => {
  test('a page stays the same when logs are added before it', async () => {
    await withCases([[{ time: 1 }, { time: 2 }, { time: 3 }]], async (cases) => {
      const after = { time: 3, ofCase: 0, id: 3 };
      const before = await pageOf(cases, matchAllFilter, { order: 'newest', limit: 1, after });
      for (const each of cases) await addLogs(each, [{ time: 4 }, { time: 3 }], { part: 'more' });
      expect(await pageOf(cases, matchAllFilter, { order: 'newest', limit: 1, after })).toEqual(before);
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

describe('the context of logs of several cases', () => {
  const logs = (times: readonly number[]) =>
    times.map((time) => ({ time, msg: time % 3 === 0 ? 'other' : 'hit' }));

  test.each(sampled(['newest', 'oldest'] as const, 1))(
    'pages pass over no log, the %s first',
    async (order) => {
      const early = logs([1, 2, 3, 4, 5, 6, 7, 8]);
      const late = logs([5, 11, 12, 13, 14]);
      const timeless = [{ msg: 'hit' }, { msg: 'other' }, { msg: 'hit' }];
      await withCases([[...early, ...timeless], late, [...logs([4, 20]), ...timeless]], async (cases) => {
        const options = { around: 2, order, limit: 3 };
        const filter = filterOf('msg:hit');
        const named = ({ ofCase, id }: { ofCase: number; id: number }) => `${ofCase}:${id}`;
        const listed: string[] = [];
        let after: CursorInCases | undefined;
        for (;;) {
          const page = await toList(contextOfCases(cases, filter, { ...options, ...(after && { after }) }));
          const last = page.filter(({ isListed }) => isListed).at(-1);
          if (!last) break;
          listed.push(...page.filter(({ isListed }) => isListed).map(named));
          const { time } = last.log;
          after = { ...(time !== undefined && { time }), id: last.id, ofCase: last.ofCase };
        }
        const streams = cases.map((each) => streamLogs(each, filter, { order }));
        expect(listed).toEqual((await toList(mergeLogs(streams, order))).map(named));
      });
    },
  );

  test('logs without a time are near none that has one', async () => {
    await withCases([[{ time: 1, msg: 'hit' }, { msg: 'a' }, { msg: 'b' }]], async ([from]) => {
      if (!from) throw new Error('There is no case');
      const around = (text: string) =>
        toList(contextOfCases([from], filterOf(text), { order: 'newest', around: 1, limit: 1 }));
      expect((await around('hit')).map(({ id }) => id)).toEqual([1]);
      expect((await around('msg:a')).map(({ id }) => id)).toEqual([3, 2]);
    });
  });
});

describe('logs over time', () => {
  test.each(
    sampled(
      [
        [0, 1],
        [30, 1],
        [1_000, 50],
        [86_400_000, 3_600_000],
        [365 * 86_400_000, 14 * 86_400_000],
        [8.64e15, Math.ceil(8.64e15 / 40 / 86_400_000) * 86_400_000],
      ],
      1,
    ),
  )('a span of %d ms is counted by %d ms', async (last, every) => {
    await withCases([[{ time: 0 }, { time: last }]], async (cases) => {
      const found = await histogram(cases, matchAllFilter);
      expect(found.every).toBe(every);
      expect(found.buckets.length).toBeLessThanOrEqual(42);
    });
  });

  test('the ends of time have their buckets', async () => {
    const logs = [{ time: -62_167_219_200_000 }, { time: 253_402_300_799_999 }];
    await withCases([logs], async (cases) => {
      const { buckets } = await histogram(cases, matchAllFilter, { every: 364 * 86_400_000 });
      expect([buckets.at(0)?.count, buckets.at(-1)?.count]).toEqual([1, 1]);
      await expect(histogram(cases, matchAllFilter, { every: 1 })).rejects.toThrow(RangeError);
      await expect(histogram(cases, matchAllFilter, { every: 1 })).rejects.toThrow('100000 are the most');
    });
  });
});
