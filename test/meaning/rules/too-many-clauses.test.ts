import { expect, test } from 'vitest';
import { parse } from '../../../src/language/parse.ts';
import { validate } from '../../../src/meaning/validate.ts';
import { checkNone } from './check-findings.ts';

const words = (count: number) => Array.from({ length: count }, (_, number) => `w${number}`);

test.each([
  [
    'clauses on one level',
    words(1030).join(' OR '),
    'w1024',
    'These are 1,030 clauses on one level; the engine takes 1,024',
  ],
  ['words side by side', words(1025).join(' '), 'w0', 'These are 1,025 words; the engine takes 1,024'],
  ['words in one', words(1025).join(','), 'w0', 'These are 1,025 words; the engine takes 1,024'],
  [
    'clauses in a group',
    `a AND msg:(${words(1025).join(' OR ')})`,
    'w1024',
    'These are 1,025 clauses on one level; the engine takes 1,024',
  ],
])('%s', (_title, text, first, message) => {
  const [found, ...others] = validate(parse(text).query).filter(({ code }) => code === 'too-many-clauses');
  expect(found).toMatchObject({
    severity: 'warning',
    message,
    from: text.search(new RegExp(`\\b${first}\\b`)),
    fixes: [],
  });
  expect(others).toEqual([]);
});

test.each([
  ['1,024 clauses', words(1024).join(' OR ')],
  ['1,024 words', words(1024).join(' ')],
  ['many clauses on several levels', `(${words(1000).join(' OR ')}) AND (${words(1000).join(' OR ')})`],
  ['a long phrase', `"${words(2000).join(' ')}"`],
])('%s are in order', (_title, text) => {
  checkNone('too-many-clauses', text);
});
