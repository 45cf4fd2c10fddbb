import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JudgedReply, judgeReply } from '../../src/export/decide/decide-window.ts';
import type { ReplySummary } from '../../src/export/decide/reply-checks.ts';
import { containsTime, wholeSlice } from '../../src/export/decide/window.ts';
import { rounds } from '../effort.ts';

const judged: fc.Arbitrary<JudgedReply> = fc
  .record({
    oldest: fc.integer({ min: 100, max: 120 }),
    length: fc.integer({ min: 1, max: 30 }),
    num: fc.integer({ min: 1, max: 30 }),
    largest: fc.integer({ min: 0, max: 30 }),
    exact: fc.boolean(),
    learnt: fc.record(
      {
        order: fc.constantFrom('trusted' as const, 'untrusted' as const),
        oldestIncluded: fc.constant('yes' as const),
        newestIncluded: fc.constant('yes' as const),
        // The newest logs of a reply that was cut were confirmed.
        lackedOldest: fc.constant('0'),
      },
      { requiredKeys: [] },
    ),
    isSorted: fc.boolean(),
    // A request for a log that is known reaches further than one millisecond.
    below: fc.constantFrom(1, 5),
  })
  .chain(({ oldest, length, num, largest, exact, learnt, isSorted, below }) => {
    const window = { oldest, newest: oldest + length - 1 };
    const time = fc.integer({ min: window.oldest - below, max: window.newest + 1 });
    return fc.array(time, { maxLength: num, size: 'max' }).map((times) => {
      const came = isSorted ? [...times].sort((a, b) => b - a) : times;
      const own = came.filter((each) => containsTime(window, each));
      const counts = { found: own.length, stored: own.length, storedTimes: own, outside: 0 };
      const survey: ReplySummary = { times: came, ...counts, fingerprints: [], keys: [] };
      return {
        window,
        slice: { ...wholeSlice, exact },
        summary: survey,
        num,
        largest,
        records: came.length,
        observed: learnt,
      };
    });
  });

test('a reply that is cut off always leads on: its window is split within itself, or asked for in another way', () => {
  fc.assert(
    fc.property(judged, (each) => {
      const verdict = judgeReply(each);
      const { window, records, slice, observed: learnt } = each;
      // Below the size of another reply, and below any cap that makes sense, nothing was cut off.
      const isSmall = records < each.num && (records < each.largest || records <= 10);
      // An order that is proved, or likely, says more than the size.
      const hasOrder = learnt.order === 'trusted' || learnt.lackedOldest !== undefined;
      if (isSmall && (!hasOrder || records <= 10)) expect(verdict).toEqual({ kind: 'whole' });
      if ('from' in verdict) {
        expect(verdict.from).toBeGreaterThan(window.oldest);
        expect(verdict.from).toBeLessThanOrEqual(window.newest);
      }
      // Exact bounds that are known to be included leave nothing to be asked for in another way.
      const isExact = slice.exact && learnt.oldestIncluded && learnt.newestIncluded;
      if (verdict.kind === 'again') expect(isExact).toBeFalsy();
    }),
    { numRuns: rounds(5000) },
  );
});
