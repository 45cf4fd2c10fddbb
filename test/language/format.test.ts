import { expect, test } from 'vitest';
import { format } from '../../src/language/parse/format.ts';
import { parse } from '../../src/language/parse/parse.ts';

test.each([
  ['a  AND( b OR msg : c )', 'a AND (b OR msg:c)'],
  ['"a"b(c)[ 1  TO 2 ]', '"a" b (c) [1 TO 2]'],
  ['NOT(a)', 'NOT (a)'],
  ['! a', '! a'],
  ['(a - ) + ', '(a - ) + '],
  ['- ~1', '- ~1'],
  ['a && !b || -c +d', 'a && !b || -c +d'],
  ['a - b', 'a - b'],
  ['time* ~1 ^2 (a) ^3 [1 TO 2] ^4', 'time*~1^2 (a)^3 [1 TO 2]^4'],
  ['{* TO "a b"]', '{* TO "a b"]'],
  ['', ''],
  ['a   AND', 'a   AND'],
])('%s becomes %s', (text, formatted) => {
  expect(format(parse(text).query)).toBe(formatted);
});

test('a query that is too wide is broken at its operators, and its groups are indented', () => {
  const text =
    'logLevel:SEVERE AND (msg:"timed out" OR msg:"no connection" refused OR logCode:[9000 TO 9999]) AND NOT source:Sharing';
  expect(`\n${format(parse(text).query, { width: 40 })}\n`).toBe(`
logLevel:SEVERE
AND (
  msg:"timed out"
  OR msg:"no connection" refused
  OR logCode:[9000 TO 9999]
)
AND NOT source:Sharing
`);
});

test('words without operators fill the lines', () => {
  expect(format(parse('one two three four five six').query, { width: 14 })).toBe(
    'one two three\nfour five six',
  );
});

test('a line is as wide as it may be, and a group as wide as its indent leaves', () => {
  const formatted = (text: string, width: number) => format(parse(text).query, { width });
  expect(formatted('one two', 7)).toBe('one two');
  expect(formatted('a OR b', 6)).toBe('a OR b');
  expect(formatted('one two', 6)).toBe('one\ntwo');
  expect(formatted('one two six', 7)).toBe('one two\nsix');
  expect(formatted('(one OR two)', 12)).toBe('(one OR two)');
  expect(formatted('a OR (bb OR (c OR d))', 13)).toBe('a\nOR (\n  bb\n  OR (c OR d)\n)');
  expect(formatted('a OR (bb OR (c OR d))', 12)).toBe('a\nOR (\n  bb\n  OR (\n    c\n    OR d\n  )\n)');
  expect(formatted('a (b) -c', 5)).toBe('a\n(b)\n-c');
});
