import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromLengthByte, toLengthByte } from '../../../src/language/meaning/score.ts';

/** The length that is left of one. */
const kept = (length: number) => fromLengthByte(toLengthByte(length));

test.each([
  [0, 0],
  [1, 1],
  [23, 23],
  [24, 24],
  [39, 39],
  // From here on two lengths share a byte, then four, …
  [40, 40],
  [41, 40],
  [42, 42],
  [55, 54],
  [56, 56],
  [59, 56],
  [60, 60],
  [100, 96],
  [255, 248],
  [1000, 984],
  [65_535, 61_464],
])('of the length %i %i is left', (length, left) => {
  expect(kept(length)).toBe(left);
});

test('the largest length fits in the byte', () => {
  expect(toLengthByte(2 ** 31 - 1)).toBe(255);
});

test('every byte stands for a length of its own, the larger one for the longer', () => {
  const lengths = Array.from({ length: 256 }, (_, byte) => fromLengthByte(byte));
  expect(lengths).toEqual([...new Set(lengths)].sort((a, b) => a - b));
  expect(lengths.map(toLengthByte)).toEqual([...lengths.keys()]);
});

test('no more than an eighth of a length is lost, and none grows', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (length) => {
      expect(kept(length)).toBeLessThanOrEqual(length);
      expect(length - kept(length)).toBeLessThanOrEqual(length / 8);
    }),
  );
});
