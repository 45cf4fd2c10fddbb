import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverageGaps, coverageOf, laterLogs, type RequestedInterval } from '../../src/analysis/coverage.ts';
import { histogram } from '../../src/analysis/histogram.ts';
import { overview } from '../../src/analysis/overview.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { withCases } from './with-cases.ts';

const stretch: fc.Arbitrary<RequestedInterval> = fc
  .record({
    oldest: fc.integer({ min: 0, max: 30 }),
    length: fc.integer({ min: 1, max: 12 }),
    state: fc.constantFrom('complete' as const, 'complete' as const, 'capped' as const, 'open' as const),
  })
  .map(({ oldest, length, state }) => ({ oldest, newest: oldest + length - 1, state }));

test('what is known of a time is the worst of its milliseconds', () => {
  const time = fc.record({ start: fc.integer({ min: 0, max: 30 }), length: fc.integer({ min: 1, max: 10 }) });
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 6 }), time, (asked, { start, length }) => {
      const milliseconds = Array.from({ length }, (_, index) =>
        asked.filter(({ oldest, newest }) => oldest <= start + index && start + index <= newest),
      );
      const states = new Set(milliseconds.flat().map(({ state }) => state));
      const isAsked = milliseconds.map((of) => 0 < of.length);
      const known = coverageOf(asked, { start, length });
      if (!isAsked.includes(true)) expect(known).toBe('never');
      else if (states.has('open')) expect(known).toBe('open');
      else if (states.has('capped')) expect(known).toBe('capped');
      else expect(known).toBe(isAsked.includes(false) ? 'partly' : 'complete');
    }),
  );
});

test('what is behind the last requested time is no gap, and said apart', () => {
  fc.assert(
    fc.property(
      fc.array(stretch, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 50 }),
      (asked, last) => {
        const end = Math.max(...asked.map(({ newest }) => newest));
        expect(laterLogs(asked, last)).toEqual(
          end < last ? { oldest: end + 1, newest: last, state: 'never' } : undefined,
        );
        const start = Math.min(...asked.map(({ oldest }) => oldest));
        const gaps = coverageGaps(asked, Math.min(start, last));
        for (let time = Math.min(start, last); time <= end; time += 1) {
          const isGap = gaps.some(({ oldest, newest }) => oldest <= time && time <= newest);
          expect(isGap).toBe(coverageOf(asked, { start: time, length: 1 }) !== 'complete');
        }
        expect(gaps.every(({ newest }) => newest <= end)).toBe(true);
      },
    ),
  );
});

test('a case whose export brought logs of its last seconds is complete until the end of the request', async () => {
  const requested: readonly RequestedInterval[] = [{ oldest: 0, newest: 20, state: 'complete' }];
  await withCases([[{ time: 0 }, { time: 35 }]], async (cases) => {
    expect(await overview(cases, { requested })).toMatchObject({
      coverage: 'complete',
      coveredUntil: 20,
      gaps: [],
    });
  });
  await withCases([[{ time: 30 }, { time: 35 }]], async (cases) => {
    expect(await overview(cases, { requested })).toMatchObject({
      coverage: 'never',
      coveredUntil: 20,
      gaps: [],
    });
  });
  await withCases([[{ time: 0 }, { time: 20 }]], async (cases) => {
    expect((await overview(cases, { requested })).coveredUntil).toBeUndefined();
  });
});

describe('logs over time', () => {
  const logs = [{ time: 0 }, { time: 35 }];
  const asked: readonly RequestedInterval[] = [
    { oldest: 0, newest: 14, state: 'complete' },
    { oldest: 30, newest: 39, state: 'capped' },
  ];

  test('state what is known of each interval', async () => {
    await withCases([logs], async (cases) => {
      const { buckets } = await histogram(cases, matchAllFilter, { every: 10, requested: asked });
      expect(buckets.map(({ known }) => known)).toEqual(['complete', 'partly', 'never', 'capped']);
    });
  });

  test('say nothing of that where it is not known', async () => {
    await withCases([logs], async (cases) => {
      const { buckets } = await histogram(cases, matchAllFilter, { every: 10 });
      expect(buckets[0]).toEqual({ start: 0, count: 1 });
    });
  });
});
