import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from '../../src/language/parse.ts';
import { print } from '../../src/language/print.ts';
import { readAnswers } from './ndjson.ts';

const answers = readAnswers(
  'syntax.ndjson',
  v.object({
    query: v.string(),
    documented: v.picklist(['yes', 'no', 'unclear', 'invalid']),
    valid: v.boolean(),
  }),
);

test('the file is whole', () => {
  expect(answers).toHaveLength(703);
});

test.each(answers.filter(({ valid }) => valid))('accepts $query', ({ query }) => {
  expect(parse(query).findings).toEqual([]);
});

test.each(answers.filter(({ valid }) => !valid))('refuses $query', ({ query }) => {
  expect(parse(query).findings).not.toEqual([]);
});

test.each(answers)('prints back $query', ({ query }) => {
  expect(print(parse(query).query)).toBe(query);
});
