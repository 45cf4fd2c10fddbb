import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { facets } from '../../src/analysis/facets.ts';
import { histogram, maxBuckets } from '../../src/analysis/histogram.ts';
import {
  type LogOfCase,
  mergeLogs,
  type PlaceInCases,
  placeInCase,
} from '../../src/analysis/several-cases.ts';
import { parse } from '../../src/language/parse.ts';
import { all, type Filter } from '../../src/meaning/filter.ts';
import { match } from '../../src/meaning/match.ts';
import { resolve } from '../../src/meaning/resolve.ts';
import type { Log } from '../../src/records/log.ts';
import {
  addLogs,
  type Case,
  type Order,
  openCase,
  streamContext,
  streamLogs,
} from '../../src/store/index.ts';

const filterOf = (query: string): Filter => resolve(parse(query).query, { now: 0 });

/** Runs work on cases in memory that hold these logs. */
async function withCases<T>(
  logs: readonly (readonly Log[])[],
  work: (cases: readonly Case[]) => Promise<T>,
): Promise<T> {
  const cases: Case[] = [];
  try {
    for (const each of logs) {
      const into = await openCase(':memory:', { access: 'write' });
      cases.push(into);
      if (0 < each.length) await addLogs(into, each, { part: 'test' });
    }
    return await work(cases);
  } finally {
    for (const each of cases) await each[Symbol.asyncDispose]();
  }
}

async function toList<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const list: T[] = [];
  if (limit === 0) return list;
  for await (const item of items) if (list.push(item) === limit) break;
  return list;
}

/** A page of the logs of all cases behind a place. */
function pageOf(
  cases: readonly Case[],
  filter: Filter,
  { order, limit, after }: { order: Order; limit?: number; after?: PlaceInCases | undefined },
): Promise<LogOfCase[]> {
  const streams = cases.map((each, index) =>
    streamLogs(each, filter, {
      order,
      ...(limit !== undefined && { limit }),
      ...(after && { after: placeInCase(after, index, order) }),
    }),
  );
  return toList(mergeLogs(streams, order), limit);
}

const word = fc.constantFrom('a', 'b', 'c d');
const log: fc.Arbitrary<Log> = fc
  .record({
    time: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    msg: word,
    source: fc.option(word, { nil: undefined }),
  })
  .map(({ time, msg, source }) => ({
    ...(time !== undefined && { time }),
    msg,
    ...(source !== undefined && { source }),
  }));
const cases = fc.array(fc.array(log, { maxLength: 8 }), { minLength: 1, maxLength: 3 });
const order = fc.constantFrom<Order>('newest', 'oldest');
const query = fc.constantFrom('*:*', 'msg:a', 'NOT msg:d', 'msg:/[ab]/', '"c d"');

describe('the logs of several cases', () => {
  test('come in the order of time, and pages make up the whole, whatever their length', async () => {
    await fc.assert(
      fc.asyncProperty(cases, order, query, fc.integer({ min: 1, max: 5 }), (logs, order, query, limit) =>
        withCases(logs, async (cases) => {
          const filter = filterOf(query);
          const whole = await pageOf(cases, filter, { order });
          const expected = logs.flat().filter((each) => match(filter, each));
          expect(whole.length).toBe(expected.length);
          const times = whole.map(({ log: { time } }) => time);
          const known = times.filter((time) => time !== undefined);
          expect(times.slice(0, known.length)).toEqual(
            known.toSorted((first, second) => (order === 'newest' ? second - first : first - second)),
          );
          const paged: LogOfCase[] = [];
          for (;;) {
            const last = paged.at(-1);
            const after = last && {
              ...(last.log.time !== undefined && { time: last.log.time }),
              ofCase: last.ofCase,
              id: last.id,
            };
            const page = await pageOf(cases, filter, { order, limit, after });
            if (page.length === 0) break;
            paged.push(...page);
          }
          expect(paged).toEqual(whole);
        }),
      ),
      { numRuns: 40 },
    );
  });

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
  test('is what stands before and after each, once, and says what was found', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(log, { maxLength: 12 }),
        order,
        query,
        fc.integer({ min: 1, max: 3 }),
        (logs, order, query, around) =>
          withCases([logs], async ([from]) => {
            if (!from) throw new Error('There is no case');
            const filter = filterOf(query);
            const whole = await toList(streamLogs(from, all, { order }));
            const expected = whole.filter((_, at) =>
              whole.some((near, other) => {
                const ranks = [at, other].map((index) => rankOf(whole, index, order));
                return match(filter, near.log) && Math.abs((ranks[0] ?? 0) - (ranks[1] ?? 0)) <= around;
              }),
            );
            const found = await toList(streamContext(from, filter, { order, around }));
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            for (const { isHit, log } of found) expect(isHit).toBe(match(filter, log));
          }),
      ),
      { numRuns: 40 },
    );
  });

  /** The number of a log among all, the oldest first, those without a time last. */
  function rankOf(
    whole: readonly { readonly log: Log; readonly id: number }[],
    index: number,
    order: Order,
  ): number {
    if (order === 'oldest') return index;
    const timed = whole.filter(({ log }) => log.time !== undefined).length;
    return index < timed ? timed - 1 - index : whole.length - 1 - (index - timed);
  }

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
  test('every log with a time is in the stretch of its time, for every query', async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        query,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (logs, query, every, isParted) =>
          withCases(logs, async (cases) => {
            const filter = filterOf(query);
            const found = await histogram(cases, filter, { every, by: isParted ? 'source' : undefined });
            const selected = logs.flat().filter((each) => match(filter, each));
            const timed = selected.filter(({ time }) => time !== undefined);
            expect([found.total, found.timeless]).toEqual([timed.length, selected.length - timed.length]);
            for (const { start, count, values } of found.buckets) {
              const own = timed.filter(({ time = 0 }) => Math.floor(time / every) * every === start);
              expect(count).toBe(own.length);
              for (const { value, count } of values ?? [])
                expect(count).toBe(own.filter(({ source }) => source === value).length);
            }
            expect(found.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(timed.length);
          }),
      ),
      { numRuns: 40 },
    );
  });

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
      await expect(histogram(cases, all, { every: 1 })).rejects.toThrow(String(maxBuckets));
    });
  });
});

test('the values of a field are counted over all cases', async () => {
  await fc.assert(
    fc.asyncProperty(cases, query, fc.integer({ min: 1, max: 4 }), (logs, query, limit) =>
      withCases(logs, async (cases) => {
        const filter = filterOf(query);
        const { total, values, others } = await facets(cases, 'source', { filter, limit });
        const selected = logs.flat().filter((each) => match(filter, each));
        expect(total).toBe(selected.length);
        for (const { value, count } of values)
          expect(count).toBe(selected.filter(({ source }) => source === value).length);
        expect(values.reduce((sum, { count }) => sum + count, 0) + others).toBe(total);
        const distinct = new Set(selected.map(({ source }) => source)).size;
        expect(values.length).toBe(Math.min(limit, distinct));
        expect(values.map(({ count }) => count)).toEqual(
          values.map(({ count }) => count).toSorted((a, b) => b - a),
        );
      }),
    ),
    { numRuns: 40 },
  );
});
