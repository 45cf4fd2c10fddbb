import { expect, test } from 'vitest';
import { textHeap } from '../../src/case/rows/batches.ts';
import { textOf } from './text-of.ts';

/** The bytes of an entry. */
const entry = (entries: Uint32Array, number: number) => [...new Uint8Array(entries.buffer, number * 16, 16)];

const ascii = (text: string) => [...Buffer.from(text)];

test('texts are laid out as DuckDB holds them', () => {
  const heap = textHeap();
  expect([heap.add(''), heap.add('ab'), heap.add('twelve bytes'), heap.add('thirteenbytes')]).toEqual([
    0, 1, 2, 3,
  ]);
  const { entries, bytes } = heap.take();
  const zeros = (count: number) => Array.from({ length: count }, () => 0);
  expect(entry(entries, 0)).toEqual(zeros(16));
  expect(entry(entries, 1)).toEqual([2, 0, 0, 0, ...ascii('ab'), ...zeros(10)]);
  expect(entry(entries, 2)).toEqual([12, 0, 0, 0, ...ascii('twelve bytes')]);
  expect(entry(entries, 3)).toEqual([13, 0, 0, 0, ...ascii('thir'), ...zeros(8)]);
  expect(Buffer.from(bytes).toString()).toBe('thirteenbytes');
});

test('nothing is left of what was taken', () => {
  const heap = textHeap();
  heap.add('twelve bytes');
  heap.add('more than twelve bytes');
  heap.take();
  expect(heap.length()).toBe(0);
  heap.add('a');
  const { entries, bytes } = heap.take();
  expect(entry(entries, 1)).toEqual([1, 0, 0, 0, ...ascii('a'), ...Array.from({ length: 11 }, () => 0)]);
  expect(bytes).toHaveLength(0);
});

test('texts stay what they were as there are more of them, and longer ones', () => {
  const heap = textHeap();
  const texts = Array.from({ length: 3_000 }, (_, at) => `${'long '.repeat(at % 90)}ä ${at}`);
  texts.push('x'.repeat(9 * 1024 * 1024), 'after a very long one');
  for (let turn = 0; turn < 2; turn++) {
    const numbers = texts.map((text) => heap.add(text));
    const taken = heap.take();
    expect(numbers.map((number) => textOf(taken, number))).toEqual(texts);
  }
});
