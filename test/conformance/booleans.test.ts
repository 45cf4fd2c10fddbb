import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { readAnswers } from './ndjson.ts';

const answers = readAnswers(
  'booleans.ndjson',
  v.object({
    query: v.string(),
    terms: v.array(v.string()),
    server: v.string(),
    ordinary: v.optional(v.string()),
  }),
);

const schema = toSchema([{ name: 'body', type: 'text', about: 'the terms of a log' }], ['body']);

test('the file is whole', () => {
  expect(answers).toHaveLength(628);
});

test.each(answers)('$query selects what the server selects', ({ query, terms, server }) => {
  expect(truthTable(resolve(parse(query).query, { schema }), terms)).toBe(server);
});

test.each(answers.filter(({ ordinary }) => ordinary))(
  '$query selects what a person would expect in the ordinary reading',
  ({ query, terms, ordinary }) => {
    const filter = resolve(parse(query).query, { schema, reading: 'ordinary' });
    expect(truthTable(filter, terms)).toBe(ordinary);
  },
);

/** For each subset of the terms, whether the log that holds exactly those matches. */
function truthTable(filter: Filter, terms: readonly string[]): string {
  const subsets = Array.from({ length: 2 ** terms.length }, (_, subset) =>
    terms.filter((_term, place) => subset & (1 << place)).join(' '),
  );
  return subsets.map((body) => Number(match(filter, { body }))).join('');
}
