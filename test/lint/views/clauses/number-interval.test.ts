import { expect, test } from 'vitest';
import { intersectIntervals, isEmptyInterval, numberInterval } from '../../../../src/language/lint/clause.ts';
import { searching, viewed } from '../viewed.ts';

const infinity = Number.POSITIVE_INFINITY;

test.each([
  [undefined, undefined, false],
  [1, undefined, false],
  [undefined, 1, false],
  [1, 2, false],
  [1, 1, true],
  [2, 1, true],
  [infinity, undefined, true],
  [-infinity, undefined, false],
])('from %s up to %s there is no number: %s', (from, to, expected) => {
  expect(isEmptyInterval({ from, to })).toBe(expected);
});

const span = (from: number | undefined, to: number | undefined) => ({ from, to });

test.each([
  { a: span(undefined, undefined), b: span(undefined, undefined), both: span(undefined, undefined) },
  { a: span(1, 5), b: span(undefined, undefined), both: span(1, 5) },
  { a: span(undefined, 5), b: span(3, undefined), both: span(3, 5) },
  { a: span(1, 5), b: span(3, 9), both: span(3, 5) },
  { a: span(1, 3), b: span(5, 9), both: span(5, 3) },
  { a: span(1, 9), b: span(3, 5), both: span(3, 5) },
])('$a and $b have $both in common', ({ a, b, both }) => {
  expect(intersectIntervals(a, b)).toEqual(both);
  expect(intersectIntervals(b, a)).toEqual(both);
});

test.each([
  ['code:5', true],
  ['code:[1 TO 5]', true],
  ['time:2024', true],
  ['took:>5', true],
  ['code:abc', false],
  ['msg:5', false],
  ['msg:[1 TO 5]', false],
  ['kind:5', false],
  ['kind:[1 TO 5]', false],
  ['code:(5)', false],
])('%s asks for numbers: %s', (text, expected) => {
  const { view, clauses } = viewed(text, searching('msg'));
  const [first] = clauses;
  const [field] = first?.searchTargets.fields ?? [];
  expect(field && first && numberInterval(first.clause.item, field, view) !== undefined).toBe(expected);
});
