import { expect, test } from 'vitest';
import { joinNames, quoteName } from '../../../src/language/lint/wording.ts';

test.each([
  ['a b', '"a b"'],
  ['"a b"', '"a b"'],
  ['"a" b', '""a" b"'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(20)}…${'x'.repeat(19)}"`],
  [`"${'x'.repeat(40)}"`, `""${'x'.repeat(19)}…${'x'.repeat(18)}""`],
  // No half of a character is shown.
  [`${'x'.repeat(19)}😀${'x'.repeat(30)}`, `"${'x'.repeat(19)}…${'x'.repeat(19)}"`],
  [`${'x'.repeat(30)}😀${'x'.repeat(18)}`, `"${'x'.repeat(20)}…${'x'.repeat(18)}"`],
])('%s is named %s', (text, expected) => {
  expect(quoteName(text)).toBe(expected);
});

test.each([
  [['a'], '"a"'],
  [['a', 'b'], '"a" and "b"'],
  [['a', 'b', 'c', 'd'], '"a", "b", "c" and "d"'],
  [['a', 'b', 'c', 'd', 'e'], '"a", "b", "c" and 2 more'],
])('%j are listed as %s', (texts, expected) => {
  expect(joinNames(texts, 'and')).toBe(expected);
  expect(joinNames(texts.slice(0, 4), 'and', texts.length)).toBe(expected);
});
