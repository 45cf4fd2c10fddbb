import fc from 'fast-check';
import { expect, test } from 'vitest';
import { facets } from '../../src/analysis/facets.ts';
import { histogram } from '../../src/analysis/histogram.ts';
import type { LogOfCase } from '../../src/analysis/several-cases.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { streamContext } from '../../src/case/searching/logs-in-context.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import type { Log } from '../../src/records/log.ts';
import type { LogOrder } from '../../src/records/log-order.ts';
import { filterOf, pageOf, toList, withCases } from '../analysis/with-cases.ts';
import { rounds } from '../effort.ts';

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
const order = fc.constantFrom<LogOrder>('newest', 'oldest');
const query = fc.constantFrom('*:*', 'msg:a', 'NOT msg:d', 'msg:/[ab]/', '"c d"');

test('the logs of several cases come in the order of time, and pages make up the whole, whatever their length', async () => {
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
    { numRuns: rounds(40, 5) },
  );
});

test('the context of logs is what stands before and after each, once, and says what was found', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Neighbours of up to ten hits are looked up, more are found among the ranks of all logs.
      fc.array(log, { maxLength: 24 }),
      order,
      query,
      fc.integer({ min: 1, max: 3 }),
      (logs, order, query, around) =>
        withCases([logs], async ([from]) => {
          if (!from) throw new Error('There is no case');
          const filter = filterOf(query);
          const whole = await toList(streamLogs(from, matchAllFilter, { order }));
          const expected = whole.filter(({ log }, at) =>
            whole.some((near, other) => {
              // Logs without a time are near none that has one.
              if ((log.time === undefined) !== (near.log.time === undefined)) return false;
              const ranks = [at, other].map((index) => rankOf(whole, index, order));
              return match(filter, near.log) && Math.abs((ranks[0] ?? 0) - (ranks[1] ?? 0)) <= around;
            }),
          );
          const found = await toList(streamContext(from, filter, { order, around }));
          expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          for (const { id, isHit, log, rank } of found) {
            expect(isHit).toBe(match(filter, log));
            const at = whole.findIndex((each) => each.id === id);
            expect(rank).toBe(1 + rankOf(whole, at, order) + (log.time === undefined ? around + 1 : 0));
          }
        }),
    ),
    { numRuns: rounds(40, 10) },
  );
});

/** The number of a log among all, the oldest first, those without a time last. */
function rankOf(
  whole: readonly { readonly log: Log; readonly id: number }[],
  index: number,
  order: LogOrder,
): number {
  if (order === 'oldest') return index;
  const timed = whole.filter(({ log }) => log.time !== undefined).length;
  return index < timed ? timed - 1 - index : whole.length - 1 - (index - timed);
}

test('every log with a time is in the bucket of its time, for every query', async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      query,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (logs, query, every, isParted) =>
        withCases(logs, async (cases) => {
          const filter = filterOf(query);
          const found = await histogram(cases, filter, {
            every,
            by: isParted ? 'source' : undefined,
            values: 2,
          });
          const selected = logs.flat().filter((each) => match(filter, each));
          const timed = selected.filter(({ time }) => time !== undefined);
          expect([found.total, found.timeless]).toEqual([timed.length, selected.length - timed.length]);
          for (const { start, count, values, others } of found.buckets) {
            const own = timed.filter(({ time = 0 }) => Math.floor(time / every) * every === start);
            expect(count).toBe(own.length);
            const parts =
              values?.map(({ value }) => own.filter(({ source }) => source === value).length) ?? [];
            expect(values?.map((each) => each.count) ?? []).toEqual(parts);
            if (isParted) expect(parts.reduce((sum, each) => sum + each, 0) + (others ?? 0)).toBe(count);
          }
          expect(found.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(timed.length);
        }),
    ),
    { numRuns: rounds(40, 5) },
  );
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
    { numRuns: rounds(40, 5) },
  );
});
