import { expect, test } from 'vitest';
import { clauseSignature } from '../../../../src/language/lint/level.ts';
import { needOf } from '../../../../src/language/lint/readings.ts';
import { searching, viewed } from '../viewed.ts';

/** A need in short: its kind, its words, and after a bar the fields of values. */
function needed(text: string, ...defaults: readonly string[]): string {
  const { view, clauses } = viewed(text, searching(...defaults));
  const [first] = clauses;
  const need = first && needOf(first.clause, first.searchTargets, view);
  if (need && 'terms' in need) return `${need.kind} ${need.terms.join(' ')} | ${need.values.join(' ')}`;
  return need && 'field' in need ? `${need.kind} of ${need.field}` : `${need?.kind}`;
}

test.each([
  // Words are searched as text; a text that can be a value may be one.
  ['a', 'any a | '],
  ['"a b"', 'all a b | '],
  ['foo-bar', 'any foo bar | '],
  ['9003', 'any 9003 | code'],
  ['"9003"', 'all 9003 | code'],
  ['"-5"', 'all 5 | code'],
  ['.5', 'any 5 | code'],
  ['a9', 'any a9 | '],
  ['>5', 'any 5 | '],
  ['...', 'unclear'],
  ['a~1', 'unclear'],
  ['"a b"~1', 'unclear'],
  ['tim*', 'unclear'],
  ['[1 TO 5]', 'unclear'],
  ['msg:9003', 'any 9003 | '],
  ['msg:>5', 'unclear'],
  ['msg:[a TO b]', 'unclear'],
  // A field of values is asked for one of them.
  ['kind:a', 'value of kind'],
  ['kind:"a b"', 'value of kind'],
  ['kind:a~1', 'unclear'],
  ['kind:[a TO b]', 'unclear'],
  ['kind:tim*', 'unclear'],
  ['code:9003', 'value of code'],
  ['code:9003~1', 'unclear'],
  ['code:abc', 'nothing'],
  ['code:[1 TO 5]', 'value of code'],
  ['code:{1 TO 2}', 'nothing'],
  ['took:{1 TO 2}', 'value of took'],
  ['code:1*', 'unclear'],
  ['time:2024', 'value of time'],
  ['nosuch:a', 'nothing'],
  ['_exists_:msg', 'unclear'],
])('where text and a number are searched, %s needs %s', (text, expected) => {
  expect(needed(text, 'msg', 'code')).toBe(expected);
});

test.each([
  ['a', 'any a | kind'],
  ['9003', 'any 9003 | kind code time'],
  ['"-5"', 'all 5 | kind code time'],
  ['a9', 'any a9 | kind'],
  ['msg:9003', 'any 9003 | '],
])('where values are searched too, %s needs %s', (text, expected) => {
  expect(needed(text, 'msg', 'kind', 'code', 'time')).toBe(expected);
});

test.each(['a', '9003', '"a b"', '[1 TO 5]'])(
  'where numbers alone are searched, it is unclear of %s',
  (text) => {
    expect(needed(text, 'code', 'time')).toBe('unclear');
  },
);

/** Reports if two clauses have the same signature. */
function haveSameSignature(one: string, other: string, ...defaults: readonly string[]): boolean {
  const { view, clauses } = viewed(`${one} OR ${other}`, searching(...defaults));
  const [a, b] = clauses.map(({ clause, searchTargets }) => clauseSignature(clause, searchTargets, view));
  return a !== '' && a === b;
}

test.each([
  ['a', '"A"', true],
  ['foo-bar', '"foo-bar"', false],
  ['"a b"', '"a  b"', true],
  ['...', '...', false],
  ['9003', '"9003"', true],
  ['9003.0', '"9003.0"', true],
  ['"9003"', '9003a', false],
  ['"-0"', '"0"', false],
  ['a~1', 'a~1', true],
  ['a~1', 'a~2', false],
  ['a~1', 'a', false],
  ['a^2', 'a', true],
  ['a^2', 'a^3', true],
  ['tim*', 'tim*', true],
  ['tim*^2', 'tim*', true],
  ['code:>5', 'code:>5', true],
  ['code:>5', 'code:>=5', false],
  ['code:1', 'code:1.0', true],
  ['code:9007199254740992', 'code:9007199254740993', false],
  ['code:abc', 'code:ABC', false],
  ['code:[1 TO 5]', 'code:[1  TO 5]', true],
  ['code:[1 TO 5]', 'code:[1 TO 5}', false],
  ['code:[1 TO 5]', 'code:{1 TO 5]', false],
  ['code:[1 TO 5]', 'code:[2 TO 5]', false],
  ['code:[1 TO 5]', 'code:[1 TO 6]', false],
  ['msg:>a', 'msg:a', false],
  [String.raw`msg:\>a`, 'msg:>a', true],
  [String.raw`msg:\a`, 'msg:a', true],
  ['"2024 01 01"', '"2024-01-01"', true],
])('where text and a number are searched, that %s says what %s does is %s', (one, other, expected) => {
  expect(haveSameSignature(one, other, 'msg', 'code')).toBe(expected);
});

test.each([
  ['"2024 01 01"', '"2024-01-01"', false],
  ['"2024-01-01"', '"2024-01-01"', true],
  ['"2024-01-01"', '"2024-1-1"', false],
])('where dates are searched too, that %s says what %s does is %s', (one, other, expected) => {
  expect(haveSameSignature(one, other, 'msg', 'time')).toBe(expected);
});

test.each([
  ['a', 'A', false],
  ['a', '"a"', false],
  ['a', 'a', true],
])('where keywords are searched too, that %s says what %s does is %s', (one, other, expected) => {
  expect(haveSameSignature(one, other, 'msg', 'kind')).toBe(expected);
});

test('the signature of a group is its text, and a long one has none', () => {
  const long = (letters: number) => `(a OR ${'b'.repeat(letters - 7)})`;
  const signature = (text: string) => {
    const { view, clauses } = viewed(text);
    return clauses.map(({ clause, searchTargets }) => clauseSignature(clause, searchTargets, view))[0];
  };
  expect(signature('(a OR b)')).toBe('(a OR b)');
  expect(signature(long(500))).not.toBe('');
  expect(signature(long(501))).toBe('');
});
