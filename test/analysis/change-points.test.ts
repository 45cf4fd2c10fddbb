import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountSeries, findEpisodes, seededIntervals } from '../../src/analysis/find-episodes.ts';
import { createRandom, type Random } from '../../src/emulator/incident/random.ts';
import { rounds } from '../effort.ts';

/** A Poisson number by Knuth's product of uniform numbers. */
function poisson(mean: number, random: Random): number {
  let [product, count] = [random.next(), 0];
  for (const limit = Math.exp(-mean); limit < product; count++) product *= random.next();
  return count;
}

/** A series with these rates, each over some buckets, and an exposure that rises and falls as a day does. */
function seriesOf(rates: readonly (readonly [rate: number, buckets: number])[], random: Random): CountSeries {
  const means = rates.flatMap(([rate, buckets]) => Array.from({ length: buckets }, () => rate));
  const exposure = means.map((_, index) => 100 + Math.round(50 * Math.sin(index / 12)));
  return {
    exposure,
    counts: means.map((mean, index) => poisson((mean * (exposure[index] ?? 0)) / 100, random)),
  };
}

test('a series without a change has none, with few events and many', () => {
  let found = 0;
  const count = rounds(1000, 100);
  for (let seed = 1; seed <= count; seed++) {
    const random = createRandom(seed);
    const series = seriesOf([[[0.02, 0.3, 4, 30][seed % 4] ?? 1, 144]], random);
    if (0 < findEpisodes(series, { limit: 0.05 }).length) found++;
  }
  expect(found).toBeLessThanOrEqual(count * 0.05);
});

test('a series whose events come in bursts has no change either', () => {
  let found = 0;
  const count = rounds(1000, 100);
  for (let seed = 1; seed <= count; seed++) {
    const random = createRandom(seed);
    const { counts, exposure } = seriesOf([[0.4, 144]], random);
    const bursts = Array.from(counts, (events) => events * random.integer(5, 15));
    if (0 < findEpisodes({ counts: bursts, exposure }, { limit: 0.05 }).length) found++;
  }
  expect(found).toBeLessThanOrEqual(count * 0.05);
});

test('buckets without data are neither silence nor a change', () => {
  const { counts, exposure } = seriesOf([[6, 120]], createRandom(5));
  const holes = (index: number) => 40 <= index && index < 70;
  const series = {
    counts: Array.from(counts, (count, index) => (holes(index) ? 0 : count)),
    exposure: Array.from(exposure, (each, index) => (holes(index) ? 0 : each)),
  };
  expect(findEpisodes(series)).toEqual([]);
});

describe('episodes', () => {
  test.each([
    [
      'new',
      [
        [0, 50],
        [3, 50],
      ],
    ],
    [
      'more',
      [
        [1, 50],
        [8, 50],
      ],
    ],
    [
      'less',
      [
        [8, 50],
        [1, 50],
      ],
    ],
    [
      'gone',
      [
        [5, 50],
        [0, 50],
      ],
    ],
  ] as const)('that are %s', (kind, rates) => {
    const [episode, ...others] = findEpisodes(seriesOf(rates, createRandom(3)));
    expect(others).toEqual([]);
    expect(episode).toMatchObject({ kind, end: 100 });
    expect(Math.abs((episode?.start ?? 0) - 50)).toBeLessThanOrEqual(2);
  });

  test('are one while the rate grows step by step, and end where it is as at first', () => {
    const rates = [
      [1, 40],
      [6, 15],
      [20, 15],
      [60, 15],
      [1, 40],
    ] as const;
    const found = findEpisodes(seriesOf(rates, createRandom(4)));
    expect(found).toHaveLength(1);
    expect(Math.abs((found[0]?.start ?? 0) - 40)).toBeLessThanOrEqual(2);
    expect(Math.abs((found[0]?.end ?? 0) - 85)).toBeLessThanOrEqual(2);
  });

  test('of a series without buckets or events are none', () => {
    expect(findEpisodes({ counts: [], exposure: [] })).toEqual([]);
    expect(findEpisodes({ counts: [0, 0, 0], exposure: [1, 1, 1] })).toEqual([]);
    expect(findEpisodes({ counts: [5, 5], exposure: [0, 0] })).toEqual([]);
  });
});

test('seeded intervals cover each pair of buckets within a few times their distance', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300 }), fc.nat(), fc.nat(), (length, a, b) => {
      const intervals = seededIntervals(length);
      const [first, second] = [Math.min(a % length, b % length), Math.max(a % length, b % length)];
      const around = intervals.filter(({ start, end }) => start <= first && second < end);
      // The whole series is what an interval is compared with.
      const shortest = Math.min(length, ...around.map(({ start, end }) => end - start));
      expect(shortest).toBeLessThanOrEqual(Math.min(length, 3 * (second - first + 1) + 4));
      for (const { start, end } of intervals) expect(0 <= start && start < end && end <= length).toBe(true);
    }),
  );
});
