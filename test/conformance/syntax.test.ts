import * as v from 'valibot';
import { expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import type { Finding } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { print } from '../../src/language/parse/tree.ts';
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
  expect(errorsOf(query)).toEqual([]);
});

test.each(answers.filter(({ valid }) => !valid))('refuses $query', ({ query }) => {
  expect(errorsOf(query)).not.toEqual([]);
});

test.each(answers)('prints back $query', ({ query }) => {
  expect(print(parse(query).query)).toBe(query);
});

/** Errors of a query even where all of the engine's syntax is allowed. */
function errorsOf(text: string): Finding[] {
  const { query, findings } = parse(text);
  const doubts = validate(query, { dialect: 'lucene' });
  return [...findings, ...doubts.filter(({ severity }) => severity === 'error')];
}
