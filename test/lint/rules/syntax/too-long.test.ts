import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { checkNone } from '../check-findings.ts';

test('what is beyond the length is named', () => {
  const text = `"${'word '.repeat(8000)}"`;
  const found = validate(parse(text).query).filter(({ code }) => code === 'too-long');
  expect(found).toEqual([
    {
      code: 'too-long',
      severity: 'warning',
      message: 'This is beyond 32,000 characters, which is all that some engines take',
      from: 32_000,
      to: 40_002,
      fixes: [],
    },
  ]);
});

test('a query of that length is in order', () => {
  checkNone('too-long', `"${'a'.repeat(31_998)}"`);
});
