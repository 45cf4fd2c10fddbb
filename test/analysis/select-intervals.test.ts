import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Interval, selectIntervals } from '../../src/analysis/index.ts';
import { match, matchAllFilter } from '../../src/language/index.ts';

const [minute, day] = [60_000, 86_400_000];
const start = Date.UTC(2025, 2, 1);

const interval = fc
  .tuple(fc.integer({ min: 0, max: 20 * 1440 }), fc.integer({ min: 1, max: 12 * 1440 }))
  .map(([from, length]) => ({ oldest: start + from * minute, newest: start + (from + length) * minute - 1 }));

const lengthOf = ({ oldest, newest }: Interval) => newest + 1 - oldest;

test('the logs that are compared are those of both intervals, or of one in the hours of the other', () => {
  let restricted = 0;
  fc.assert(
    fc.property(interval, interval, fc.nat(33 * 1440), (before, after, at) => {
      const { exposure, sameHours, ...sides } = selectIntervals(
        { cases: [], filter: matchAllFilter },
        { before, after },
      );
      const intervals = { before, after };
      const shorter = sameHours?.side === 'before' ? after : before;
      if (sameHours) restricted += 1;
      for (const part of sameHours?.parts ?? []) {
        const longer = intervals[sameHours?.side ?? 'before'];
        expect(longer.oldest <= part.oldest && part.newest <= longer.newest).toBe(true);
        expect(0.9 * lengthOf(shorter) <= lengthOf(part) && lengthOf(part) <= lengthOf(shorter)).toBe(true);
      }
      const time = start + at * minute;
      for (const side of ['before', 'after'] as const) {
        const isRestricted = sameHours?.side === side;
        const parts = isRestricted ? sameHours.parts : [intervals[side]];
        const isWithin = parts.some(({ oldest, newest }) => oldest <= time && time <= newest);
        expect(match(sides[side].filter, { time })).toBe(isWithin);
        expect(exposure[side]).toBe(parts.reduce((sum, part) => sum + lengthOf(part), 0));
        // The time of the day is one of the other side.
        if (isRestricted && isWithin) {
          const steps = Math.round((time - (shorter.oldest + shorter.newest) / 2) / day);
          const shifted = time - steps * day;
          expect(shorter.oldest <= shifted && shifted <= shorter.newest).toBe(true);
        }
      }
      if (sameHours) expect(lengthOf(shorter)).toBeLessThan(day);
    }),
    { numRuns: 1000 },
  );
  expect(restricted).toBeGreaterThan(10);
});

test('an afternoon is compared with those of a year, however long the other interval is', () => {
  const after = { oldest: start, newest: start + 4 * 60 * minute - 1 };
  const { sameHours } = selectIntervals(
    { cases: [], filter: matchAllFilter },
    { before: { oldest: 0, newest: start - 1 }, after },
  );
  expect(sameHours?.parts.length).toBe(366);
  expect(sameHours?.parts.at(-1)).toEqual({ oldest: start - day, newest: after.newest - day });
});
