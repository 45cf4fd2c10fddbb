import { expect, test } from 'vitest';
import { intersection, isEmpty, numbersOf } from '../../../../src/meaning/rules/views/number-interval.ts';
import { searching, viewed } from './viewed.ts';

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
  expect(isEmpty({ from, to })).toBe(expected);
});

test.each([
  [
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ],
  [
    [1, 5],
    [undefined, undefined],
    [1, 5],
  ],
  [
    [undefined, 5],
    [3, undefined],
    [3, 5],
  ],
  [
    [1, 5],
    [3, 9],
    [3, 5],
  ],
  [
    [1, 3],
    [5, 9],
    [5, 3],
  ],
  [
    [1, 9],
    [3, 5],
    [3, 5],
  ],
])('%j and %j have %j in common', (a, b, expected) => {
  const [one, other] = [a, b].map(([from, to]) => ({ from, to }));
  const [from, to] = expected;
  expect(intersection(one ?? {}, other ?? {})).toEqual({ from, to });
  expect(intersection(other ?? {}, one ?? {})).toEqual({ from, to });
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
  const [field] = first?.sought.fields ?? [];
  expect(field && first && numbersOf(first.clause.item, field, view) !== undefined).toBe(expected);
});
