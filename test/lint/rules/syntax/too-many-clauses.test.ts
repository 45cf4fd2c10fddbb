import { expect, test } from 'vitest';
import { validate } from '../../../../src/language/lint/validate.ts';
import { parse } from '../../../../src/language/parse/parse.ts';
import { checkNone, texts } from '../check-findings.ts';

const words = (count: number) => Array.from({ length: count }, (_, number) => `w${number}`);
const onField = (count: number) => words(count).map((word) => `msg:${word}`);

test.each([
  ['clauses on one level', onField(1030).join(' OR '), 'msg:w1024', '1,030'],
  ['words over the default fields', words(129).join(' OR '), 'w128', '1,032'],
  // In a field of numbers words side by side are one clause, which matches nothing.
  ['words side by side', words(147).join(' '), 'w0', '1,030'],
  ['words in one', `msg:${words(1025).join(',')}`, 'msg', '1,025'],
  ['clauses in a group', `a AND msg:(${words(1025).join(' OR ')})`, 'w1016', '1,033'],
  [
    'clauses on several levels',
    `(${onField(600).join(' ')}) AND (${onField(500).join(' ')})`,
    'msg:w424',
    '1,100',
  ],
  ['characters that are words', `msg:${'中'.repeat(1025)}`, 'msg', '1,025'],
])('%s', (_title, text, first, count) => {
  const [found, ...others] = validate(parse(text).query).filter(({ code }) => code === 'too-many-clauses');
  expect(found).toMatchObject({
    severity: 'error',
    message: `These are ${count} clauses; the engine takes 1,024 (a word without a field is one for each default field)`,
    from: text.lastIndexOf(first),
    to: text.length,
    fixes: [],
  });
  expect(others).toEqual([]);
});

test.each([
  ['1,024 clauses', onField(1024).join(' OR ')],
  ['128 words over eight fields', words(128).join(' OR ')],
  ['many clauses on several levels', `(${onField(500).join(' OR ')}) AND (${onField(500).join(' OR ')})`],
  ['a long phrase', `"${words(2000).join(' ')}"`],
  ['a long word of one field', `logCode:${words(2000).join(',')}`],
])('%s are in order', (_title, text) => {
  checkNone('too-many-clauses', text);
});

test.each([[words(512).join(' '), { schema: texts }]] as const)(
  '512 words over two fields are in order',
  (text, given) => {
    checkNone('too-many-clauses', text, given);
  },
);
