import { describe, expect, test } from 'vitest';
import { QueryTooComplex } from '../../src/language/index.ts';
import * as language from '../../src/language-package.ts';
import { isFull } from '../effort.ts';
import { drawn } from '../run-seed.ts';
import { largeQueries } from './large-queries.ts';
import { publicCalls } from './public-calls.ts';

/** Public functions that read no text, tree or filter of a query, and those that write what they are given. */
const others = [
  ...[
    'and',
    'boost',
    'clause',
    'field',
    'group',
    'not',
    'or',
    'phrase',
    'range',
    'regexp',
    'wildcard',
    'word',
  ],
  ...['joinStatistics', 'readSchema', 'remove', 'scoreLines', 'statisticsOf', 'toSchema'],
  'QueryTooComplex',
];

test('each public function that reads a query is called with large ones', () => {
  const functions = Object.entries(language)
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name);
  expect(functions.filter((name) => !(name in publicCalls) && !others.includes(name))).toEqual([]);
});

// A limit of time would fail on a busy machine: the runner has one, and `npm run bench:hostile` prints what takes longest.
describe('a public function answers large texts, or says that they are too complex:', () => {
  const calls = Object.entries(publicCalls).flatMap(([name, call]) =>
    largeQueries.map(([shape, text]) => ({ name, call, shape, text })),
  );
  test.each(isFull ? calls : drawn(calls, 120))('$name of $shape', ({ call, text }) => {
    try {
      call(text);
    } catch (error) {
      expect(error).toBeInstanceOf(QueryTooComplex);
    }
  });
});
