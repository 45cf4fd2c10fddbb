import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adjustPValues,
  compareRates,
  compareSamples,
  complementaryError,
  rateRatio,
} from '../../src/analysis/find-differences.ts';

// Sums of binomial probabilities, computed from the definition with Python's whole numbers.
test.each([
  [3, 7, 1, 1, 0.34375],
  [0, 5, 1, 1, 0.0625],
  [10, 2, 3, 1, 0.741896],
  [0, 0, 1, 1, 1],
  [5, 5, 0, 1, 1],
])('rates of %d and %d logs in %d and %d', (before, after, a, b, p) => {
  expect(compareRates(before, after, { before: a, after: b })).toBeCloseTo(p, 3);
});

test('the exact and the approximate test agree where both can be used', () => {
  const exposure = { before: 2, after: 3 };
  for (const before of [380, 400, 420, 460]) {
    const [small, large] = [
      compareRates(before, 1000 - before, exposure),
      compareRates(before, 1001 - before, exposure),
    ];
    expect(Math.abs(small - large)).toBeLessThan(0.035);
  }
});

test('a rate that did not change is called changed as often as the limit says', () => {
  let random = 12345;
  const next = () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return random / 2 ** 32;
  };
  let found = 0;
  for (let round = 0; round < 2000; round++) {
    let before = 0;
    for (let log = 0; log < 60; log++) if (next() < 0.25) before++;
    if (compareRates(before, 60 - before, { before: 1, after: 3 }) < 0.05) found++;
  }
  // An exact test errs on the side of silence.
  expect(found / 2000).toBeGreaterThan(0.02);
  expect(found / 2000).toBeLessThan(0.06);
});

// From erfc of the C library.
test.each([
  [0, 1],
  [0.5, 0.4795001222],
  [1, 0.1572992071],
  [2, 0.004677734981],
  [5, 1.537459794e-12],
])('the complementary error function of %d', (value, expected) => {
  expect(complementaryError(value) / expected).toBeCloseTo(1, 6);
});

test('p-values are adjusted for their number', () => {
  expect(adjustPValues([0.01, 0.04, 0.03, 0.5])).toEqual([
    expect.closeTo(0.04, 10),
    expect.closeTo(0.0533333, 6),
    expect.closeTo(0.0533333, 6),
    expect.closeTo(0.5, 10),
  ]);
  expect(adjustPValues([])).toEqual([]);
});

test('adjusted values are in the order of the values, and never below them', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
      const adjusted = adjustPValues(values);
      for (const [index, value] of values.entries()) {
        expect(adjusted[index]).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        expect(adjusted[index]).toBeLessThanOrEqual(1);
        for (const [other, more] of values.entries())
          if (value < more) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[other] ?? 0);
      }
    }),
  );
});

test('the ratio of rates is the other way round when time runs backwards', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (before, after) => {
      const exposure = { before: 3, after: 5 };
      const back = rateRatio(after, before, { before: 5, after: 3 });
      expect(rateRatio(before, after, exposure)).toBeCloseTo(-back, 9);
    }),
  );
});

const sample = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 30 });

test('samples are compared as pair by pair', () => {
  fc.assert(
    fc.property(sample, sample, (before, after) => {
      const { larger, medianBefore, p } = compareSamples(Float64Array.from(before), Float64Array.from(after));
      let sum = 0;
      for (const a of before) for (const b of after) sum += a < b ? 1 : a === b ? 0.5 : 0;
      expect(larger).toBeCloseTo(sum / (before.length * after.length), 9);
      const sorted = before.toSorted((a, b) => a - b);
      const half = sorted.length / 2;
      expect(medianBefore).toBe(((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2);
      expect(p).toBeGreaterThanOrEqual(0);
      expect(p).toBeLessThanOrEqual(1 + 1e-6);
    }),
  );
});

test('samples that were shifted differ, equal ones do not', () => {
  const values = Float64Array.from({ length: 200 }, (_, index) => (index * 37) % 101);
  expect(compareSamples(values.slice(), values.slice()).p).toBeCloseTo(1, 2);
  expect(
    compareSamples(
      values.slice(),
      values.map((value) => value + 20),
    ).p,
  ).toBeLessThan(1e-6);
});

describe('against independent computations', () => {
  const binomial = (n: number, k: number): bigint =>
    Array.from({ length: k }).reduce<bigint>(
      (product, _, index) => (product * BigInt(n - index)) / BigInt(index + 1),
      1n,
    );

  /** The sum of all outcomes that are no more likely than the one seen, in whole numbers. */
  function exactP(before: number, after: number, [a, b]: readonly [number, number]): number {
    const total = before + after;
    const weight = (k: number) =>
      binomial(total, k) * BigInt(a) ** BigInt(k) * BigInt(b) ** BigInt(total - k);
    const weights = Array.from({ length: total + 1 }, (_, k) => weight(k));
    const sum = weights.filter((each) => each <= weight(before)).reduce((all, each) => all + each, 0n);
    return Number((sum * 10n ** 18n) / BigInt(a + b) ** BigInt(total)) / 1e18;
  }

  const count = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 60 }));
  const exposure = fc.integer({ min: 1, max: 9 });

  test('the exact test has the sum of whole numbers', () => {
    fc.assert(
      fc.property(count, count, exposure, exposure, (before, after, a, b) => {
        const expected = before + after === 0 ? 1 : exactP(before, after, [a, b]);
        const found = compareRates(before, after, { before: a, after: b });
        expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9 + 1e-7 * expected);
      }),
    );
  });

  /** The chi-square of one degree of freedom beyond a value, by Simpson's rule over the normal density. */
  function chiSquareTail(value: number): number {
    const [from, steps] = [Math.sqrt(value), 20_000];
    const width = 12 / steps;
    let sum = 0;
    for (let step = 0; step <= steps; step++) {
      const z = from + step * width;
      const density = Math.sqrt(2 / Math.PI) * Math.exp((-z * z) / 2);
      sum += density * (step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2);
    }
    return (sum * width) / 3;
  }

  test.each([
    [600, 650, 1, 1],
    [5000, 5100, 1, 1],
    [30, 1500, 1, 40],
    [0, 2000, 1, 500],
    [900, 3000, 1, 3],
  ])('the G-test of %d and %d logs in %d and %d', (before, after, a, b) => {
    const share = a / (a + b);
    const cells = [
      [before, (before + after) * share],
      [after, (before + after) * (1 - share)],
    ] as const;
    const g =
      2 * cells.reduce((sum, [seen, expected]) => sum + (seen && seen * Math.log(seen / expected)), 0);
    const found = compareRates(before, after, { before: a, after: b });
    expect(found / chiSquareTail(g)).toBeCloseTo(1, 4);
  });

  /** The exact two-sided p-value of the Mann-Whitney test without ties: by the number of ways to each sum of ranks. */
  function exactRankP(before: readonly number[], after: readonly number[]): number {
    const [n, m] = [before.length, after.length];
    // ways[j][u]: choices of j of the values so far for the second sample with u pairs in its favour.
    let ways = Array.from({ length: m + 1 }, () => new Array<number>(n * m + 1).fill(0));
    for (const row of ways.slice(0, 1)) row[0] = 1;
    for (let rank = 0; rank < n + m; rank++)
      ways = ways.map((row, j) =>
        row.map((same, u) => same + (0 < j ? (ways[j - 1]?.[u - (rank - (j - 1))] ?? 0) : 0)),
      );
    const all = ways[m] ?? [];
    const seen = before.reduce((sum, a) => sum + after.filter((b) => a < b).length, 0);
    const distance = (u: number) => Math.abs(u - (n * m) / 2);
    const extreme = all.reduce((sum, each, u) => sum + (distance(seen) <= distance(u) ? each : 0), 0);
    return extreme / all.reduce((sum, each) => sum + each, 0);
  }

  test('the Mann-Whitney test is near the exact one from the fewest compared logs on', () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 16, maxLength: 24 });
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 8, max: 16 }),
        fc.integer({ min: 0, max: 900 }),
        (all, at, shift) => {
          const split = Math.min(at, all.length - 8);
          const [before, after] = [all.slice(0, split), all.slice(split).map((each) => each + shift + 0.5)];
          const { p } = compareSamples(Float64Array.from(before), Float64Array.from(after));
          expect(Math.abs(p - exactRankP(before, after))).toBeLessThan(0.02);
        },
      ),
    );
  });

  test('p-values are below a limit where the step-up procedure rejects', () => {
    const values = fc.array(fc.double({ min: 0, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, fc.double({ min: 0.001, max: 0.2, noNaN: true }), (all, limit) => {
        const sorted = all.toSorted((a, b) => a - b);
        const last = sorted.findLastIndex((each, index) => each <= ((index + 1) / all.length) * limit);
        const rejected = all.map((each) => 0 <= last && each <= (sorted[last] ?? 0));
        const adjusted = adjustPValues(all);
        for (const [index, each] of adjusted.entries())
          if (1e-12 < Math.abs(each - limit)) expect(each < limit).toBe(rejected[index]);
      }),
    );
  });
});
