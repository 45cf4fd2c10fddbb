import { describe, expect, test } from 'vitest';
import { simplify } from '../../src/language/logic/simplify.ts';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { processorTime } from '../processor-time.ts';

/** A word without a field searches the message alone, so that filters stay small. */
const schema = toSchema([...keywordSchema.fields.values()], ['msg']);

function filterOf(text: string): Filter {
  const { query, findings } = parse(text);
  expect(findings).toEqual([]);
  return resolve(query, { schema });
}

/** Checks that a query becomes what another one is that has nothing to simplify. */
function checkSimplified(text: string, expected: string | Filter): void {
  const wanted = typeof expected === 'string' ? filterOf(expected) : expected;
  expect(simplify(filterOf(text))).toEqual(wanted);
  expect(simplify(wanted)).toEqual(wanted);
}

describe('levels', () => {
  test.each([
    ['(a)', 'a'],
    ['((a AND b) AND c)', 'a AND b AND c'],
    ['(a OR b) OR c', 'a OR b OR c'],
    ['NOT (NOT a)', 'a'],
    ['a AND (NOT b)', 'a AND NOT b'],
    ['NOT (a OR b)', 'NOT a AND NOT b'],
    ['NOT ((NOT a) OR (NOT b))', 'a AND b'],
    ['(a OR b) AND NOT c', 'a "b" NOT c'],
    ['(NOT a) OR (NOT b)', boolFilter({ mustNot: [filterOf('a AND b')] })],
    ['b OR (NOT a)', 'b OR (NOT a)'],
    [
      '(b OR (NOT a)) AND NOT c',
      boolFilter({ should: [filterOf('b'), filterOf('NOT a')], mustNot: [filterOf('c')] }),
    ],
  ])('%s', checkSimplified);
});

describe('parts that filter nothing', () => {
  test.each([
    ['a OR b AND c', 'b AND c'],
    ['a AND a', 'a'],
    ['a OR b OR a', 'a OR b'],
    ['a AND (a OR b)', 'a'],
    ['a OR (a AND b)', 'a'],
    ['(a OR b) AND (a OR b OR c)', 'a OR b'],
    ['(a AND b) OR (a AND b AND c)', 'a AND b'],
    ['a AND (b OR (a AND c))', 'a AND (b OR c)'],
    ['a AND ((NOT a) OR b)', 'a AND b'],
    ['"a b" AND a', '"a b"'],
    ['"a b" OR a', 'a'],
    ['"a b c" AND "b c"', '"a b c"'],
    ['msg:* AND a', 'a'],
    ['msg:* OR a', 'msg:*'],
    ['msg:ti* AND msg:time', 'msg:time'],
    ['msg:ti* OR msg:t*', 'msg:t*'],
    ['msg:[a TO c] OR b', 'msg:[a TO c]'],
    ['logLevel:SEVERE AND NOT logLevel:INFO', 'logLevel:SEVERE'],
    ['logLevel:SEVERE AND logLevel:S*', 'logLevel:SEVERE'],
    ['msg:t?me AND msg:time', 'msg:time'],
    ['msg:t?me AND msg:*', 'msg:t?me'],
    ['logLevel:SEVERE AND logLevel:S?VERE', 'logLevel:SEVERE'],
    ['logLevel:[b TO c] AND logLevel:[* TO d]', 'logLevel:[b TO c]'],
    ['logLevel:[b TO c] AND logLevel:[a TO *]', 'logLevel:[b TO c]'],
    ['a OR *:*', '*:*'],
    ['a AND *:*', 'a'],
    ['a OR nosuch:b', 'a'],
  ])('%s', checkSimplified);
});

describe('contradictions', () => {
  test.each([
    'a AND NOT a',
    '"a b" AND NOT a',
    'a AND NOT msg:*',
    'logLevel:SEVERE AND logLevel:INFO',
    'logLevel:SEVERE AND NOT logLevel:S*',
    'logLevel:[A TO C] AND logLevel:[D TO E]',
    'logCode:[1 TO 5] AND logCode:[6 TO 9]',
    'logCode:[5 TO 1]',
    'logCode:{1 TO 2}',
    'elapsed:{1 TO 1]',
    'time:1 AND time:2',
    'msg:[b TO a]',
    'msg:t?me AND NOT msg:t?me',
    'logLevel:SEVERE AND logLevel:I?FO',
    'logLevel:I?FO AND logLevel:SEVERE',
    'logLevel:[a TO b} AND logLevel:[b TO c]',
    'logCode:[1e30 TO *]',
    '(a OR b) AND NOT (a OR b)',
    '(a AND b) OR c AND nosuch:d',
  ])('%s selects nothing', (text) => checkSimplified(text, matchNoneFilter));

  test.each([
    'a OR (NOT a)',
    'a OR (NOT "a b")',
    '(a AND b) OR (NOT (a AND b))',
    '(NOT logLevel:SEVERE) OR (NOT logLevel:INFO)',
  ])('%s selects everything', (text) => checkSimplified(text, matchAllFilter));
});

describe('ranges over a number', () => {
  test.each([
    ['logCode:[1 TO 5] AND logCode:[3 TO 9]', 'logCode:[3 TO 5]'],
    ['logCode:[1 TO *] AND logCode:{* TO 9}', 'logCode:[1 TO 9}'],
    ['logCode:[1 TO 5] OR logCode:[3 TO 9]', 'logCode:[1 TO 9]'],
    ['logCode:[1 TO 5] OR logCode:[6 TO 9]', 'logCode:[1 TO 9]'],
    ['logCode:1 OR logCode:2 OR logCode:4', 'logCode:[1 TO 2] OR logCode:4'],
    ['logCode:[1 TO 9] OR logCode:4', 'logCode:[1 TO 9]'],
    ['logCode:[1 TO 5] AND a AND logCode:[3 TO 9]', 'logCode:[3 TO 5] AND a'],
    ['logCode:[7 TO 9] OR logCode:[1 TO 3] OR logCode:[2 TO 8]', 'logCode:[1 TO 9]'],
    [
      'logCode:1 OR logCode:4 OR logCode:[7 TO 9] OR logCode:[8 TO 12]',
      'logCode:1 OR logCode:4 OR logCode:[7 TO 12]',
    ],
    ['elapsed:[1 TO 2} OR elapsed:[2 TO 3]', 'elapsed:[1 TO 3]'],
    ['elapsed:[1 TO 5] OR elapsed:[6 TO 9]', 'elapsed:[1 TO 5] OR elapsed:[6 TO 9]'],
    ['elapsed:[* TO 5] OR elapsed:[5 TO *]', 'elapsed:*'],
    ['logCode:[1 TO 5] AND NOT logCode:7', 'logCode:[1 TO 5]'],
    ['logCode:[1 TO 5] AND elapsed:[3 TO 9]', 'logCode:[1 TO 5] AND elapsed:[3 TO 9]'],
  ])('%s', checkSimplified);
});

test('a term that no analysis leaves is in no text, but may be the value of a keyword', () => {
  const [msg, logLevel] = [keywordSchema.fields.get('msg'), keywordSchema.fields.get('logLevel')];
  if (!msg || !logLevel) throw new Error('The schema has no such fields');
  for (const term of ['', 'a b', 'Out'])
    expect(simplify({ kind: 'term', field: msg, term })).toEqual(matchNoneFilter);
  expect(simplify({ kind: 'phrase', field: msg, terms: ['a', 'Out'], slop: 0 })).toEqual(matchNoneFilter);
  const keyword: Filter = { kind: 'term', field: logLevel, term: 'Out' };
  expect(simplify(keyword)).toEqual(keyword);
  const beforeAll: Filter = { kind: 'termRange', field: logLevel, upper: { value: '', inclusive: false } };
  expect(simplify(beforeAll)).toEqual(matchNoneFilter);
});

test('an open range beyond all numbers holds nothing', () => {
  const field = { name: 'x', type: 'integer', about: '' } as const;
  const [above, below] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const bound = (value: number) => ({ value, inclusive: true });
  expect(simplify({ kind: 'range', field, lower: bound(above) })).toEqual(matchNoneFilter);
  expect(simplify({ kind: 'range', field, upper: bound(below) })).toEqual(matchNoneFilter);
});

test('a filter without anything to simplify is itself', () => {
  for (const filter of [
    matchAllFilter,
    matchNoneFilter,
    filterOf('a'),
    filterOf('a OR b'),
    filterOf('a AND NOT b'),
  ]) {
    expect(simplify(filter)).toEqual(filter);
  }
  expect(simplify(boolFilter({}))).toEqual(matchAllFilter);
  expect(simplify({ kind: 'disMax', filters: [] })).toEqual(matchNoneFilter);
});

test('long and deep filters are simplified in an instant', async () => {
  const term = (at: number): Filter => ({
    kind: 'term',
    field: { name: 'msg', type: 'text', about: '' },
    term: `w${at}`,
  });
  const long = boolFilter({ should: Array.from({ length: 100_000 }, (_, at) => term(at % 50_000)) });
  const deep = Array.from({ length: 200 }).reduce<Filter>(
    (filter, _, at) =>
      at % 2 ? boolFilter({ should: [term(at), filter] }) : boolFilter({ must: [term(at), filter] }),
    term(0),
  );
  const took = await processorTime(() => {
    expect(simplify(long)).toMatchObject({ kind: 'bool', should: { length: 50_000 } });
    expect(simplify(deep).kind).toBe('bool');
  });
  expect(took).toBeLessThan(15_000);
});
