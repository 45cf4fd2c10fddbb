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

test('long stretches are told apart by any of their bytes', () => {
  const long = Buffer.alloc(200, 'a');
  for (let at = 0; at < long.length; at++) {
    const map = byteMap<string>(16);
    map.add('long', { bytes: long, from: 0, to: long.length });
    const other = Buffer.from(long);
    other[at] = 0x62;
    expect(map.get(other, 0, other.length)).toBeUndefined();
    expect(map.get(Buffer.from(long), 0, long.length)).toBe('long');
  }
});
