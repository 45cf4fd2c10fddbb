import { expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import { filterOfText, narrow } from '../../src/language/meaning/explicit.ts';
import { boolFilter } from '../../src/language/meaning/filter.ts';

const clause = 'time:[1 TO 2]';

test.each([
  'NOT a',
  'a OR b AND c',
  'a b',
  '*:*',
  'NOT (a OR b)',
  '-a -b',
  'a OR NOT b',
  '"the phrase" msg:x',
  'logLevel:SEVERE AND NOT source:Sharing',
])('%s is narrowed to what both select, in either reading', (query) => {
  const both = boolFilter({ must: [filterOfText(query), filterOfText(clause)] });
  const text = narrow(query, [clause]);
  expect(compare(filterOfText(text), both)).toEqual({ same: true });
  expect(compare(filterOfText(text, { reading: 'ordinary' }), both)).toEqual({ same: true });
});

test('without a query the clauses are left', () => {
  expect(narrow(undefined, [clause])).toBe(clause);
  expect(narrow(undefined, [clause, 'NOT a'])).toBe('time:[1 TO 2] AND NOT a');
});
