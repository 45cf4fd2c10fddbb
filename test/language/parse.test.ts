import { expect, test } from 'vitest';
import { QueryParser } from '../../src/language/grammar.ts';
import { parse } from '../../src/language/parse.ts';
import { print } from '../../src/language/print.ts';

test('x', () => {
  new QueryParser({ skipValidations: false });
  for (const q of [
    'a AND b',
    '(a OR (b',
    'f:[1 TO 2',
    'a:b:c',
    'NOT NOT x',
    '(',
    ')',
    'f:',
    '()',
    '[TO b]',
    'a ~ ^2^3 ',
    ' ',
    '"abc',
    '/x',
    '\\',
    'a AND OR',
  ]) {
    expect(print(parse(q).query)).toBe(q);
  }
});
test('deep', () => {
  const q = '('.repeat(100000);
  expect(print(parse(q).query)).toBe(q);
  const r = '(a '.repeat(199) + ')'.repeat(300);
  expect(print(parse(r).query)).toBe(r);
  const t0 = performance.now();
  const big = 'ab:c AND '.repeat(111000);
  expect(print(parse(big).query)).toBe(big);
  console.log(performance.now() - t0);
});
