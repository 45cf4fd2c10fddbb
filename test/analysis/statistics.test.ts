import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustPValues,
  compareRates,
  compareSamples,
  complementaryError,
  rateRatio,
} from '../../src/analysis/differences/statistics.ts';

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
