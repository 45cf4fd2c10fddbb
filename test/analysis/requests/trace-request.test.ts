import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankRequests, traceRequest } from '../../../src/analysis/requests.ts';
import { matchAllFilter } from '../../../src/language/meaning/filter.ts';
import type { Log } from '../../../src/records/log.ts';
import { rounds } from '../../effort.ts';
import { toList, withCases } from '../with-cases.ts';

const filter = matchAllFilter;
const log: fc.Arbitrary<Log> = fc
  .record({
    time: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
    requestID: fc.constantFrom(undefined, 'r1', 'r2', 'r3'),
    elapsed: fc.constantFrom(undefined, 0, 0.001, 0.004, 3),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
const cases = fc.array(fc.array(log, { maxLength: 10 }), { minLength: 1, maxLength: 2 });

test('gaps add up to the offset, and one of the longest is marked', async () => {
  await fc.assert(
    fc.asyncProperty(cases, (logs) =>
      withCases(logs, async (open) => {
        const traced = await toList(traceRequest(open, filter));
        const timed = traced.filter((each) => each.log.time !== undefined);
        expect(traced.length).toBe(logs.flat().length);
        const gaps = timed.map(({ gap = 0 }) => gap);
        const [first] = timed;
        let passed = 0;
        for (const [
          index,
          {
            offset,
            log: { time = 0 },
          },
        ] of timed.entries()) {
          passed += gaps[index] ?? 0;
          expect([offset, offset]).toEqual([passed, time - (first?.log.time ?? 0)]);
        }
        const longest = Math.max(0, ...gaps);
        expect(traced.filter(({ isSlowest }) => isSlowest).map(({ gap }) => gap)).toEqual(
          0 < longest ? [longest] : [],
        );
      }),
    ),
    { numRuns: rounds(40, 5) },
  );
});

test('requests are ranked over all cases as over all their logs', async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.integer({ min: 1, max: 4 }), (logs, limit) =>
      withCases(logs, async (open) => {
        const all = logs.flat();
        const expected = ['r1', 'r2', 'r3'].flatMap((request) => {
          const own = all.filter(({ requestID }) => requestID === request);
          const times = own.flatMap(({ time = [] }) => time);
          const elapsed = Math.max(0, ...own.map((each) => each.elapsed ?? 0));
          const span = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
          return own.length === 0
            ? []
            : [{ request, logs: own.length, took: Math.max(elapsed, span / 1000) }];
        });
        const ranked = await rankRequests(open, { filter, limit });
        expect(ranked.map(({ request, logs, took }) => ({ request, logs, took }))).toEqual(
          expected.sort((a, b) => b.took - a.took || (a.request < b.request ? -1 : 1)).slice(0, limit),
        );
      }),
    ),
    { numRuns: rounds(40, 5) },
  );
});
