import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allLogs,
  andTruths,
  counterexampleFinder,
  noLogs,
  notTruths,
  orTruths,
  sampleLogBatch,
  unknownLogs,
} from '../../../../src/language/lint/readings.ts';
import { rounds } from '../../../effort.ts';
import { searching, viewed } from '../viewed.ts';

const schema = searching('msg', 'code');
/** The truths of a word that some logs have and all others surely have not. */
const hasOrNot = (logs: number) => (logs << 16) | (0xffff & ~logs);
const [a, b, c, d] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00].map(hasOrNot);
const halves = (truths: number) => ({ matched: truths >>> 16, unmatched: truths & 0xffff });
const bits = (logs: number) => logs.toString(2).replaceAll('0', '').length;

function truthsOf(text: string, batch = 0): number[] {
  const { view, clauses } = viewed(text, schema);
  const truths = sampleLogBatch(batch, view);
  return clauses.map(({ clause, searchTargets }) => truths(clause, searchTargets) | 0);
}

test('three answers are joined as three-valued logic has it', () => {
  const values = [noLogs, unknownLogs, allLogs];
  for (const [x, one] of values.entries()) {
    expect(notTruths(one) | 0).toBe((values[2 - x] ?? 0) | 0);
    for (const [y, other] of values.entries()) {
      expect(andTruths(one, other) | 0).toBe((values[Math.min(x, y)] ?? 0) | 0);
      expect(orTruths(one, other) | 0).toBe((values[Math.max(x, y)] ?? 0) | 0);
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
  expect(any).toBe(orTruths(a ?? 0, b ?? 0) | 0);
  expect(all).toBe(andTruths(a ?? 0, b ?? 0) | 0);
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
    [noLogs, noLogs, noLogs].map((each) => each | 0),
  );
  expect(truthsOf('msg:tim* OR msg:[a TO b] OR _exists_:msg OR kind:[a TO b]')).toEqual([
    unknownLogs,
    unknownLogs,
    unknownLogs,
    unknownLogs,
  ]);
});

test('a log has at most one value of a field, and what is written alike is the same', () => {
  for (let batch = 0; batch < 8; batch += 1) {
    const [one = 0, other = 0, again = 0, third = 0] = truthsOf(
      'kind:x OR kind:y OR kind:x OR kind:z',
      batch,
    );
    expect(again).toBe(one);
    expect(halves(one).matched & halves(other).matched).toBe(0);
    expect((halves(one).matched | halves(other).matched) & halves(third).matched).toBe(0);
    // Without a value none matches surely.
    expect(new Set([one, other, third].map((each) => halves(each).unmatched)).size).toBe(1);
    for (const each of [one, other, third]) expect(halves(each).matched & halves(each).unmatched).toBe(0);
  }
  const matched = Array.from({ length: 8 }, (_, batch) =>
    truthsOf('kind:x OR kind:y', batch).map((each) => bits(halves(each).matched)),
  );
  expect(matched.every(([one = 0]) => 0 < one)).toBe(true);
  expect(matched.filter(([, other = 0]) => 0 < other).length).toBeGreaterThan(4);
});

test('later logs have other choices: about half of the words, then more, then fewer', () => {
  const words = Array.from({ length: 40 }, (_, index) => `msg:w${index}`).join(' OR ');
  const shares = [0, 1, 2, 3].map((batch) => {
    const truths = truthsOf(words, batch).map((each) => halves(each));
    for (const { matched, unmatched } of truths) expect(matched ^ unmatched).toBe(0xffff);
    expect(new Set(truths.map(({ matched }) => matched)).size).toBeGreaterThan(35);
    return truths.reduce((sum, { matched }) => sum + bits(matched), 0) / 640;
  });
  const [first = 0, second = 0, third = 0, fourth = 0] = shares;
  for (const half of [first, fourth]) expect(Math.abs(half - 0.5)).toBeLessThan(0.1);
  expect(Math.abs(second - 0.75)).toBeLessThan(0.1);
  expect(Math.abs(third - 0.25)).toBeLessThan(0.1);
});

test('a counterexample is proof that the readings differ', () => {
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
      if (counterexampleFinder(view)(level)) expect(view.readingsDiffer(level)).toBe(true);
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
])('sample logs have a counterexample for %s: %s', (text, expected) => {
  const { view, level } = viewed(text, schema);
  expect(counterexampleFinder(view)(level)).toBe(expected);
});
