import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLatencyShifts, locationShift } from '../../src/analysis/find-latency-shifts.ts';
import { findUpgrades } from '../../src/analysis/overview.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { sampled } from '../effort.ts';
import { storyLogs, storyTruth } from '../emulator/story-logs.ts';
import { withCases } from './with-cases.ts';

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 25 });

test('the shift is the median of all differences', () => {
  fc.assert(
    fc.property(values, values, (before, after) => {
      const all = after.flatMap((b) => before.map((a) => b - a)).sort((a, b) => a - b);
      const half = all.length / 2;
      const median = ((all[Math.ceil(half) - 1] ?? 0) + (all[Math.floor(half)] ?? 0)) / 2;
      const [first, second] = [Float64Array.from(before).sort(), Float64Array.from(after).sort()];
      expect(locationShift(first, second)).toBeCloseTo(median, 6);
    }),
  );
});

test('equal values, one value and none', () => {
  expect(locationShift(Float64Array.of(2, 2), Float64Array.of(2, 2, 2))).toBe(0);
  expect(locationShift(Float64Array.of(1), Float64Array.of(4))).toBe(3);
  expect(locationShift(Float64Array.of(), Float64Array.of(4))).toBeNaN();
});

const shiftsOf = (before: readonly Log[], after: readonly Log[]) =>
  withCases([before, after], ([first, second]) => {
    if (!first || !second) throw new Error('There are two cases');
    const filter = matchAllFilter;
    return findLatencyShifts({ before: { cases: [first], filter }, after: { cases: [second], filter } });
  });

test.each(sampled(['leak', 'upgrade'] as const, 1))(
  'the story "%s" has its slower service, and no other',
  async (name) => {
    const { slower } = storyTruth(name);
    const since = slower?.since ?? 0;
    const logs = [...storyLogs(name, { count: 8000 })];
    const { shifts, compared } = await shiftsOf(
      logs.filter(({ time = 0 }) => time < since),
      logs.filter(({ time = 0 }) => since <= time),
    );
    expect(compared).toBeGreaterThan(10);
    expect(shifts.length).toBeGreaterThan(0);
    for (const { source, kind, shift, medianBefore, medianAfter } of shifts) {
      expect([source, kind]).toEqual([slower?.source, 'slower']);
      expect(medianAfter).toBeGreaterThan(medianBefore);
      expect(shift).toBeGreaterThan(0);
    }
  },
);

test('times of 0 were not measured, and code 9999 at INFO counts milliseconds', async () => {
  const logs = (elapsed: number, logLevel: string): Log[] =>
    Array.from({ length: 30 }, (_, index) => ({
      source: 'S',
      logCode: 9999,
      logLevel,
      methodName: 'q',
      elapsed: elapsed + index * elapsed * 0.01,
    }));
  const { shifts } = await shiftsOf(logs(100, 'INFO'), logs(300, 'INFO'));
  expect(shifts[0]?.medianBefore).toBeCloseTo(0.1145, 6);
  expect((await shiftsOf(logs(0, 'FINE'), logs(1, 'FINE'))).compared).toBe(0);
});

test('an upgrade is known by its messages, from the first to the last', async () => {
  const logs = [...storyLogs('upgrade', { count: 1000 })];
  const [start, end] = storyTruth('upgrade').before;
  const found = await withCases([logs.slice(0, 500), logs.slice(500)], (cases) => findUpgrades(cases));
  expect(found).toHaveLength(1);
  expect(found[0]?.from).toBe(start?.time);
  expect(found[0]?.to).toBeGreaterThanOrEqual(end?.time ?? 0);
  expect(await withCases([[...storyLogs('quiet', { count: 300 })]], (cases) => findUpgrades(cases))).toEqual(
    [],
  );
});
