import { expect, test } from 'vitest';
import { byteMap } from '../../src/records/byte-map.ts';

const bytes = Buffer.from('a,ab,abc,b,');

test('a stretch is found by its bytes, wherever they stand', () => {
  const map = byteMap(16);
  map.begin(bytes);
  map.add(7, { from: 2, to: 4, hash: 42 });
  const other = Buffer.from('xxab');
  expect(map.get(other, { from: 2, to: 4, hash: 42 })).toBe(7);
  expect(map.get(other, { from: 2, to: 4, hash: 43 })).toBe(-1);
  expect(map.get(other, { from: 2, to: 3, hash: 42 })).toBe(-1);
  expect(map.get(bytes, { from: 5, to: 7, hash: 42 })).toBe(7);
  expect(map.get(bytes, { from: 6, to: 8, hash: 42 })).toBe(-1);
  map.begin(bytes);
  expect(map.get(other, { from: 2, to: 4, hash: 42 })).toBe(-1);
});

test('stretches with one hash are told apart, and no more of them remembered than it takes to be quick', () => {
  const map = byteMap(16);
  const keys = Buffer.from('abcdefghijkl');
  map.begin(keys);
  for (let at = 0; at < keys.length; at++) map.add(at, { from: at, to: at + 1, hash: -1 });
  const found = Array.from(keys, (_, at) => map.get(keys, { from: at, to: at + 1, hash: -1 }));
  expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1]);
});

test('a map that is full forgets, and never gives the value of another stretch', () => {
  const map = byteMap(16);
  const keys = Buffer.from(
    Array.from({ length: 300 }, (_, number) => String(number).padStart(3, '0')).join(''),
  );
  map.begin(keys);
  for (let number = 0; number < 300; number++)
    map.add(number, { from: 3 * number, to: 3 * number + 3, hash: number % 50 });
  const found = Array.from({ length: 300 }, (_, number) =>
    map.get(keys, { from: 3 * number, to: 3 * number + 3, hash: number % 50 }),
  );
  for (const [number, value] of found.entries()) expect([-1, number]).toContain(value);
  expect(found.filter((value) => 0 <= value)).toHaveLength(16);
});

test('long stretches are told apart by any of their bytes', () => {
  const long = Buffer.alloc(200, 'a');
  const map = byteMap(16);
  map.begin(long);
  map.add(1, { from: 0, to: long.length, hash: 5 });
  for (let at = 0; at < long.length; at++) {
    const other = Buffer.from(long);
    other[at] = 0x62;
    expect(map.get(other, { from: 0, to: other.length, hash: 5 })).toBe(-1);
  }
  expect(map.get(Buffer.from(long), { from: 0, to: long.length, hash: 5 })).toBe(1);
});
