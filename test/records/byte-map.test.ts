import { expect, test } from 'vitest';
import { byteMap } from '../../src/records/byte-map.ts';

const bytes = Buffer.from('a,ab,abc,b,');

test('a stretch is found by its bytes, wherever they stand', () => {
  const map = byteMap<string>(16);
  map.add('ab', { bytes, from: 2, to: 4 });
  const other = Buffer.from('xxab');
  expect(map.get(other, 2, 4)).toBe('ab');
  expect(map.get(other, 2, 3)).toBeUndefined();
  expect(map.get(bytes, 2, 5)).toBeUndefined();
  map.clear();
  expect(map.get(other, 2, 4)).toBeUndefined();
});

test('a map that is full forgets, and never gives the value of another stretch', () => {
  const map = byteMap<number>(16);
  const numbers = Array.from({ length: 300 }, (_, number) => number);
  const keys = numbers.map((number) => Buffer.from(String(number)));
  for (const [number, key] of keys.entries()) map.add(number, { bytes: key, from: 0, to: key.length });
  const found = numbers.filter((number) => {
    const key = Buffer.from(String(number));
    const value = map.get(key, 0, key.length);
    expect([undefined, number]).toContain(value);
    return value !== undefined;
  });
  expect(found).toHaveLength(16);
});
