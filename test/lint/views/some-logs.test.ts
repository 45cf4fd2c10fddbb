import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyCase } from '../../../src/lint/views/every-case.ts';
import {
  always,
  and,
  hasOrNot,
  never,
  not,
  or,
  someLogs,
  unclear,
} from '../../../src/lint/views/some-logs.ts';
import { witnessFor } from '../../../src/lint/views/witness.ts';
import { rounds } from '../../effort.ts';
import { searching, viewed } from './viewed.ts';

const schema = searching('msg', 'code');
const [a, b, c, d] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00].map(hasOrNot);
const halves = (truths: number) => ({ matched: truths >>> 16, unmatched: truths & 0xffff });
const bits = (logs: number) => logs.toString(2).replaceAll('0', '').length;

function truthsOf(text: string, lot = 0): number[] {
  const { view, clauses } = viewed(text, schema);
  const truths = someLogs(lot, view);
  return clauses.map(({ clause, sought }) => truths(clause, sought) | 0);
}

test('three answers are joined as three-valued logic has it', () => {
  const values = [never, unclear, always];
  for (const [x, one] of values.entries()) {
    expect(not(one) | 0).toBe((values[2 - x] ?? 0) | 0);
    for (const [y, other] of values.entries()) {
      expect(and(one, other) | 0).toBe((values[Math.min(x, y)] ?? 0) | 0);
      expect(or(one, other) | 0).toBe((values[Math.max(x, y)] ?? 0) | 0);
    }
  }
  expect(halves(hasOrNot(0x00ff))).toEqual({ matched: 0x00ff, unmatched: 0xff00 });
});

test('the first logs have every choice of four words', () => {
  expect(truthsOf('msg:w OR msg:x OR msg:y OR msg:z OR msg:w')).toEqual(
    [a, b, c, d, a].map((each) => (each ?? 0) | 0),
  );
});

test('any word of several is enough without quotes, in a phrase all are needed', () => {
  const [any, all, one] = truthsOf('msg:w-x OR "w x" OR msg:x');
  expect(any).toBe(or(a ?? 0, b ?? 0) | 0);
  expect(all).toBe(and(a ?? 0, b ?? 0) | 0);
  expect(one).toBe((b ?? 0) | 0);
});

test('of a word that may be a value too it is unclear only where there is a value', () => {
  const [number = 0, value = 0] = truthsOf('9003 OR code:9003');
  const { matched, unmatched } = halves(number);
  expect(matched).toBe(0xaaaa);
  // The second choice says which logs have a code.
  expect(unmatched).toBe(0xffff & ~0xaaaa & ~0xcccc);
  expect(halves(value).unmatched).toBe(0xffff & ~0xcccc);
});

test('nothing has what cannot be, and what takes more to tell is unclear', () => {
  expect(truthsOf('code:abc OR nosuch:a OR code:{1 TO 2}')).toEqual(
    [never, never, never].map((each) => each | 0),
  );
  expect(truthsOf('msg:tim* OR msg:[a TO b] OR _exists_:msg OR kind:[a TO b]')).toEqual([
    unclear,
    unclear,
    unclear,
    unclear,
  ]);
});

test('a log has at most one value of a field, and what is written alike is the same', () => {
  for (let lot = 0; lot < 8; lot += 1) {
    const [one = 0, other = 0, again = 0, third = 0] = truthsOf('kind:x OR kind:y OR kind:x OR kind:z', lot);
    expect(again).toBe(one);
    expect(halves(one).matched & halves(other).matched).toBe(0);
    expect((halves(one).matched | halves(other).matched) & halves(third).matched).toBe(0);
    // Without a value none matches surely.
    expect(new Set([one, other, third].map((each) => halves(each).unmatched)).size).toBe(1);
    for (const each of [one, other, third]) expect(halves(each).matched & halves(each).unmatched).toBe(0);
  }
  const matched = Array.from({ length: 8 }, (_, lot) =>
    truthsOf('kind:x OR kind:y', lot).map((each) => bits(halves(each).matched)),
  );
  expect(matched.every(([one = 0]) => 0 < one)).toBe(true);
  expect(matched.filter(([, other = 0]) => 0 < other).length).toBeGreaterThan(4);
});

test('later logs have other choices: about half of the words, then more, then fewer', () => {
  const words = Array.from({ length: 40 }, (_, index) => `msg:w${index}`).join(' OR ');
  const shares = [0, 1, 2, 3].map((lot) => {
    const truths = truthsOf(words, lot).map((each) => halves(each));
    for (const { matched, unmatched } of truths) expect(matched ^ unmatched).toBe(0xffff);
    expect(new Set(truths.map(({ matched }) => matched)).size).toBeGreaterThan(35);
    return truths.reduce((sum, { matched }) => sum + bits(matched), 0) / 640;
  });
  const [first = 0, second = 0, third = 0, fourth = 0] = shares;
  for (const half of [first, fourth]) expect(Math.abs(half - 0.5)).toBeLessThan(0.1);
  expect(Math.abs(second - 0.75)).toBeLessThan(0.1);
  expect(Math.abs(third - 0.25)).toBeLessThan(0.1);
});

test('a level that is taken otherwise is told apart by some log, as a rule at once', () => {
  const word = fc.constantFrom(
    'msg:a',
    'msg:b',
    'msg:c',
    'msg:d',
    'kind:x',
    'code:1',
    'NOT msg:a',
    '(msg:a AND msg:b)',
  );
  const joint = fc.constantFrom(' AND ', ' OR ');
  const texts = fc.array(fc.tuple(joint, word), { minLength: 3, maxLength: 5 });
  fc.assert(
    fc.property(texts, (parts) => {
      const { view, level } = viewed(parts.flat().slice(1).join(''), schema);
      // A witness is proof, so the readings must differ.
      if (witnessFor(view)(level)) expect(view.readingsDiffer(level)).toBe(true);
    }),
    { numRuns: rounds(500) },
  );
});

test.each([
  ['msg:a OR msg:b AND msg:c', true],
  ['msg:a AND msg:b OR msg:c', true],
  ['msg:a OR NOT msg:b', true],
  // Another value than the one asked for first may be any.
  ['kind:a OR kind:b AND kind:c', false],
  ['msg:a OR (msg:b OR msg:c) AND msg:d', true],
  ['msg:a OR (msg:b AND NOT msg:c) AND msg:d', true],
  ['a OR b AND c', true],
  ['(a b) c OR d AND e', true],
  ['"a b" OR c AND d', true],
  ['msg:a AND (...) OR msg:b', true],
  ['msg:a AND msg:b', false],
  ['msg:a OR msg:a AND msg:a', false],
  ['msg:a OR code:abc AND msg:a', true],
  ['msg:tim* OR msg:a AND msg:tim*', false],
])('a log tells the two readings of %s apart: %s', (text, expected) => {
  const { view, level } = viewed(text, schema);
  expect(witnessFor(view)(level)).toBe(expected);
});

test('in every case there are twice as many logs for each thing beyond four', () => {
  const words = Array.from({ length: 7 }, (_, index) => `msg:w${index}`).join(' OR ');
  const { view, clauses } = viewed(`${words} OR tim* OR 9003 OR ... OR msg:w0 OR "w0 w1"`, schema);
  const cases = everyCase(view);
  const inLot = (lot: number) => clauses.map(({ clause, sought }) => cases.inLot(lot)(clause, sought) | 0);
  expect(cases.lots()).toBe(1);
  const [first, second] = [inLot(0), inLot(1)];
  expect(first.slice(0, 4)).toEqual([a, b, c, d].map((each) => (each ?? 0) | 0));
  expect(first.slice(4, 7)).toEqual([never, never, never]);
  expect(second.slice(4, 7)).toEqual([always, never, never].map((each) => each | 0));
  expect(inLot(6).slice(4, 7)).toEqual([never, always, always].map((each) => each | 0));
  // The number may be a value too, and of the dots nothing is left.
  expect(first.slice(8, 10)).toEqual([unclear, unclear]);
  expect(first[10]).toBe(first[0]);
  expect(cases.lots()).toBeGreaterThanOrEqual(8);
});
