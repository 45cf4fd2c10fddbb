import { expect, test } from 'vitest';
import { format } from '../../src/language/format.ts';
import { parse } from '../../src/language/parse.ts';

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
