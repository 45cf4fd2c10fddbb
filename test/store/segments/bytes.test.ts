import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../../src/word-index/bytes.ts';
import { findInBlock, TermReader } from '../../../src/word-index/dictionary.ts';
import { joinRanges } from '../../../src/word-index/look-up.ts';
import { fieldNumber } from '../../../src/word-index/segment-maker.ts';

test.each([
  [0, [0]],
  [127, [127]],
  [128, [0x80, 1]],
  [16_383, [0xff, 0x7f]],
  [16_384, [0x80, 0x80, 1]],
  [2 ** 53 - 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]],
])('%d is written in the fewest bytes', (value, bytes) => {
  const writer = new ByteWriter();
  writer.varint(value);
  expect([...writer.take()]).toEqual(bytes);
  expect(new ByteReader(Uint8Array.from(bytes)).varint()).toBe(value);
});

test('what is written is read again, however often the buffer grows', () => {
  const piece = fc.oneof(fc.maxSafeNat(), fc.uint8Array({ maxLength: 600 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const writer = new ByteWriter();
      for (const each of pieces) typeof each === 'number' ? writer.varint(each) : writer.bytes(each);
      const reader = new ByteReader(writer.take());
      for (const each of pieces)
        expect(typeof each === 'number' ? reader.varint() : reader.bytes(each.length)).toEqual(each);
      expect(reader.isAtEnd).toBe(true);
      expect(writer.length).toBe(0);
    }),
  );
});

test('near ranges are joined, and each stays within what is read', () => {
  const gaps = fc.array(fc.tuple(fc.oneof(fc.nat(50_000), fc.constantFrom(0, 16_383, 16_384)), fc.nat(9000)));
  fc.assert(
    fc.property(gaps, (steps) => {
      let at = 0;
      const parts = steps.map(([gap, length]) => {
        const part = { at: at + gap, length };
        at += gap + length;
        return part;
      });
      const joined = joinRanges(parts);
      expect(joined.flatMap((each) => each.parts)).toEqual(parts);
      let end = Number.NEGATIVE_INFINITY;
      for (const { range, parts: own } of joined) {
        expect(range.at - end).toBeGreaterThanOrEqual(16_384);
        end = range.at + range.length;
        expect([own[0]?.at, (own.at(-1)?.at ?? 0) + (own.at(-1)?.length ?? 0)]).toEqual([range.at, end]);
      }
    }),
  );
});

test('texts and the code are indexed, and no field of another type', () => {
  expect(fieldNumber({ name: 'msg', type: 'text', about: '' })).toBe(0);
  expect(fieldNumber({ name: 'msg', type: 'integer', about: '' })).toBeUndefined();
  expect(fieldNumber({ name: 'logCode', type: 'integer', about: '' })).toBe(12);
  expect(fieldNumber({ name: 'logCode', type: 'text', about: '' })).toBeUndefined();
  expect(fieldNumber({ name: 'unknown', type: 'text', about: '' })).toBeUndefined();
});

/** A block: its length in four bytes, offsets of its postings and positions, terms. */
const block = (...terms: readonly number[]) => Uint8Array.of(terms.length + 2, 0, 0, 0, 0, 0, ...terms);
/** The term "ab" of log 5 at position 0, and "abc" of log 6. */
const [ab, abc] = [
  [0x02, 0x61, 0x62, 10, 0],
  [0x21, 0x63, 12, 0],
];

test('a block that is cut is not begun, and one with a term that is cut is an error', () => {
  const whole = block(...ab, ...abc);
  const texts = (bytes: Uint8Array) => {
    const reader = new TermReader(bytes, 0);
    const found: string[] = [];
    while (reader.next()) found.push(reader.text());
    return found;
  };
  expect(texts(whole)).toEqual(['ab', 'abc']);
  for (let length = 0; length < whole.length; length++) expect(texts(whole.subarray(0, length))).toEqual([]);
  expect(texts(new Uint8Array(20))).toEqual([]);
  // More shared bytes than the term before has, more bytes than the block has, and no number of the log.
  for (const cut of [block(...abc), block(0x03, 0x61, 0x62), block(...ab.slice(0, 3))])
    expect(() => texts(cut)).toThrow(RangeError);
});

test('a term is found by its whole text alone', () => {
  const whole = block(...ab, ...abc);
  const find = (term: string) => findInBlock(whole, Buffer.from(term), 3)?.only?.id;
  expect(['a', 'ab', 'aba', 'abc', 'abcd', 'b', ''].map(find)).toEqual([
    ...[undefined, 8, undefined, 9, undefined, undefined, undefined],
  ]);
});
