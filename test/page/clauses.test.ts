import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { addClause, clauseFor } from '../../src/page/query-text.ts';
import { rounds } from '../effort.ts';

test.each([
  ['', 'logLevel', 'SEVERE', 'logLevel:SEVERE'],
  ['msg:timeout', 'source', 'Rest Catalog', 'msg:timeout AND source:"Rest Catalog"'],
  ['a OR b AND c', 'logCode', 9003, '(b AND c) AND logCode:9003'],
  ['logLevel:SEVERE', 'logLevel', 'SEVERE', 'logLevel:SEVERE'],
  ['msg:a', 'username', undefined, 'msg:a AND NOT username:*'],
] as const)('%j and %s %j is %j', (query, field, value, expected) => {
  expect(addClause(query, clauseFor(field, value))).toBe(expected);
});

test.each([
  ['', 'logLevel:FINE', '*:* AND NOT logLevel:FINE'],
  ['msg:a', 'logLevel:FINE', 'msg:a AND NOT logLevel:FINE'],
  ['msg:a', 'NOT username:*', 'msg:a AND username:*'],
])('%j without %s is %s', (query, clause, expected) => {
  expect(addClause(query, clause, true)).toBe(expected);
});

const words = fc.array(fc.constantFrom('a', 'b', 'c', '(', 'AND', 'OR', 'NOT', ')', '"a b"', '+a', '-b'), {
  maxLength: 7,
});
const log = fc.record({
  msg: fc.constantFrom('a', 'b', 'c', 'a b', 'b c', 'a b c'),
  source: fc.constantFrom('x y', 'z', '"', 'AND'),
});

test('a clause selects those logs of the query that have the value, and without it the others', () => {
  fc.assert(
    fc.property(words, log, fc.constantFrom('x y', 'z', 'AND'), (given, each, value) => {
      const query = given.join(' ');
      if (0 < parse(query).findings.length) return;
      const selects = (text: string) => matchDocument(resolve(parse(text).query), toDocument(each));
      const clause = clauseFor('source', value);
      const before = query === '' || selects(query);
      expect(selects(addClause(query, clause))).toBe(before && selects(clause));
      expect(selects(addClause(query, clause, true))).toBe(before && !selects(clause));
    }),
    { numRuns: rounds(2000) },
  );
});
