import { describe, expect, test } from 'vitest';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, type Field } from '../../src/language/meaning/schema.ts';
import type { NumberValue } from '../../src/language/meaning/values.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toDuckdb } from '../../src/language/translate/duckdb.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

/** Checks the condition of a query: its SQL, and the parameters in their order. */
function checkCondition(
  query: string,
  sql: string,
  parameters: readonly unknown[],
  schema = documentedSchema,
) {
  expect(toDuckdb(resolve(parse(query).query, { schema }))).toEqual({ sql, parameters, tests: new Map() });
}

/** The condition on a text for some words, of which the text has each, and on how they are joined. */
function has(words: number, name = 'msg', first = 1): string {
  const each = Array.from({ length: words }, (_, index) => `contains(lower("${name}"), $${first + index})`);
  return `(${[...each, `contains(words("${name}"), $${first + words})`].join(' AND ')})`;
}

const hasWord = `("msg" IS NOT NULL AND (regexp_matches("msg", '^[0-9A-Za-z]') OR words("msg") IS NOT NULL))`;

describe('clauses', () => {
  test.each<[query: string, sql: string, parameters: readonly unknown[]]>([
    ['*:*', 'true', []],
    ['msg:TIMEOUT', has(1), ['timeout', ' timeout ']],
    ['msg:"timed out"', has(2), ['timed', 'out', ' timed out ']],
    ['msg:"out out"', has(1), ['out', ' out out ']],
    ['msg:*', hasWord, []],
    ['logCode:*', '"logCode" IS NOT NULL', []],
    ['msg:tim*', has(1), ['tim', ' tim']],
    ['msg:t?m', 'regexp_matches(words("msg"), $1)', [' (?:t[^ ]m) ']],
    [
      'msg:[a TO c}',
      `len(list_filter(string_split(words("msg"), ' '), lambda token: token <> '' AND token >= $1 AND token < $2)) > 0`,
      ['a', 'c'],
    ],
    [
      'msg:{a TO *]',
      `len(list_filter(string_split(words("msg"), ' '), lambda token: token <> '' AND token > $1)) > 0`,
      ['a'],
    ],
    ['msg:[* TO *]', hasWord, []],
  ])('%s', checkCondition);

  test('keywords', () => {
    checkCondition('logLevel:SEVERE', '"logLevel" = $1', ['SEVERE'], keywordSchema);
    checkCondition('logLevel:SEV*', 'starts_with("logLevel", $1)', ['SEV'], keywordSchema);
    checkCondition('logLevel:[A TO C]', '"logLevel" >= $1 AND "logLevel" <= $2', ['A', 'C'], keywordSchema);
    checkCondition('logLevel:{A TO *]', '"logLevel" > $1', ['A'], keywordSchema);
    checkCondition('logLevel:*', '"logLevel" IS NOT NULL', [], keywordSchema);
  });

  test('no log', () => expect(toDuckdb(matchNoneFilter).sql).toBe('false'));

  test('a text that has no token is a value of a field that has norms', () => {
    const field: Field = { name: 'msg', type: 'text', about: '' };
    expect(toDuckdb({ kind: 'exists', field, byNorms: true }).sql).toBe('"msg" IS NOT NULL');
  });

  test('a name is quoted', () => {
    const field: Field = { name: 'a"b', type: 'keyword', about: '' };
    expect(toDuckdb({ kind: 'exists', field }).sql).toBe('"a""b" IS NOT NULL');
  });
});

describe('ranges of numbers', () => {
  const greatest = 9_223_372_036_854_775_807n;

  test.each<[query: string, sql: string, parameters: readonly unknown[]]>([
    ['logCode:9003', '"logCode" >= $1 AND "logCode" <= $2', [9003, 9003]],
    ['logCode:{1 TO 5}', '"logCode" >= $1 AND "logCode" <= $2', [2, 4]],
    ['logCode:[1.5 TO *]', '"logCode" >= $1', [2]],
    ['logCode:[* TO 5}', '"logCode" <= $1', [4]],
    ['logCode:[5 TO 1]', 'false', []],
    [`logCode:{${greatest} TO *]`, 'false', []],
    [
      `logCode:[9007199254740993 TO ${greatest - 1n}]`,
      '"logCode" >= $1::BIGINT AND "logCode" <= $2::BIGINT',
      [9_007_199_254_740_993n, greatest - 1n],
    ],
    ['logCode:[* TO *]', '"logCode" IS NOT NULL', []],
    // To the greatest number there is, which every value is at most.
    [`logCode:[* TO ${greatest}]`, '"logCode" IS NOT NULL', []],
    [`logCode:[${-greatest - 1n} TO *]`, '"logCode" >= $1::BIGINT', [-greatest - 1n]],
    ['elapsed:[1 TO 2.5}', '"elapsed" >= $1 AND "elapsed" < $2', [1, 2.5]],
    ['elapsed:{1 TO *]', '"elapsed" > $1', [1]],
    ['elapsed:[* TO *]', '"elapsed" IS NOT NULL', []],
    // A double of this size is no BIGINT any more, for which the driver would take it.
    ['elapsed:[* TO 9223372036854775808]', '"elapsed" <= $1::DOUBLE', ['9223372036854776000']],
    ['elapsed:[-9223372036854775808 TO *]', '"elapsed" >= $1::DOUBLE', ['-9223372036854776000']],
    ['elapsed:[9223372036854774784 TO *]', '"elapsed" >= $1', [2 ** 63 - 1024]],
    [
      'time:[1970-01-01T00:00:01Z TO 1970-01-01T00:00:02Z}',
      '"time" >= epoch_ms($1::BIGINT) AND "time" <= epoch_ms($2::BIGINT)',
      [1000, 1999],
    ],
  ])('%s', checkCondition);

  // The engine orders -0 before 0. A case has no -0, and its database takes the two for one.
  test.each<[side: 'lower' | 'upper', value: NumberValue, inclusive: boolean, sql: string]>([
    ['lower', -0, true, '"elapsed" >= $1'],
    ['lower', -0, false, '"elapsed" >= $1'],
    ['upper', -0, true, '"elapsed" < $1'],
    ['upper', -0, false, '"elapsed" < $1'],
    ['lower', 0, false, '"elapsed" > $1'],
    ['upper', 0, true, '"elapsed" <= $1'],
  ])('%s bound %d, inclusive: %s', (side, value, inclusive, sql) => {
    const field: Field = { name: 'elapsed', type: 'decimal', about: '' };
    const filter: Filter = { kind: 'range', field, [side]: { value, inclusive } };
    expect(toDuckdb(filter)).toEqual({ sql, parameters: [0], tests: new Map() });
  });

  test.each(['text', 'keyword'] as const)('none on a %s field', (type) => {
    const field: Field = { name: 'msg', type, about: '' };
    expect(toDuckdb({ kind: 'range', field, lower: { value: 1, inclusive: true } }).sql).toBe('false');
    expect(toDuckdb({ kind: 'range', field }).sql).toBe('false');
  });
});

test('a range of keywords without an end', () => {
  const field: Field = { name: 'machine', type: 'keyword', about: '' };
  expect(toDuckdb({ kind: 'termRange', field }).sql).toBe('"machine" IS NOT NULL');
});

describe('levels', () => {
  const [a, b] = [has(1), has(1, 'msg', 3)];

  test.each<[query: string, sql: string, parameters: readonly unknown[]]>([
    ['msg:a OR msg:b', `((${a} OR ${b}))`, ['a', ' a ', 'b', ' b ']],
    ['msg:a AND msg:b', `(${a} AND ${b})`, ['a', ' a ', 'b', ' b ']],
    // Beside a required clause an optional one filters nothing.
    ['msg:a OR +msg:b', `(${a})`, ['b', ' b ']],
    ['msg:a AND NOT msg:b', `(${a} AND NOT coalesce(${b}, false))`, ['a', ' a ', 'b', ' b ']],
    ['NOT msg:a', `(NOT coalesce(${a}, false))`, ['a', ' a ']],
  ])('%s', checkCondition);

  test('any of several fields', () => {
    const { sql, parameters } = toDuckdb(resolve(parse('a').query));
    const fields = ['msg', 'source', 'className', 'username', 'stackTraces', 'serviceTypes', 'logLevel'];
    const each = fields.map((name, index) => has(1, name, 1 + 2 * index));
    expect(sql).toBe(`(${each.join(' OR ')} OR false)`);
    expect(parameters).toEqual(fields.flatMap(() => ['a', ' a ']));
  });

  test('a level of nothing', () => expect(toDuckdb(boolFilter({})).sql).toBe('true'));
});

describe('what the database cannot say', () => {
  const field: Field = { name: 'msg', type: 'text', about: '' };
  const sloppy: Filter = { kind: 'phrase', field, terms: ['a', 'b'], slop: 1 };

  test('a sloppy phrase is tested where its words are', () => {
    const { sql, parameters, tests } = toDuckdb(sloppy);
    expect(sql).toBe(`((${has(1)} AND ${has(1, 'msg', 3)}) AND column_test($5::INTEGER, words("msg")))`);
    expect(parameters).toEqual(['a', ' a ', 'b', ' b ', 0]);
    const isFound = tests.get(0);
    expect([' a b ', ' a x b ', ' a x x b ', ' b a '].map((tokens) => isFound?.(tokens))).toEqual([
      ...[true, true, false, false],
    ]);
  });

  test('a pattern that is too large is tested everywhere', () => {
    const pattern = [...'abcdefghijkl'].map((letter) => `.{900}${letter}`).join('|');
    const { sql, parameters, tests } = toDuckdb({ kind: 'regexp', field, pattern });
    expect([sql, parameters]).toEqual(['column_test($1::INTEGER, words("msg"))', [0]]);
    const [token, isFound] = ['x'.repeat(900), tests.get(0)];
    expect([` ${token} `, ` a ${token}b c `].map((tokens) => isFound?.(tokens))).toEqual([false, true]);
  });

  test('the empty text is no token', () => {
    const { tests } = toDuckdb({ kind: 'regexp', field, pattern: '(a|b?)&~(b)' });
    const isFound = tests.get(0);
    expect([' b ', ' b a '].map((tokens) => isFound?.(tokens))).toEqual([false, true]);
  });

  test('the value of a keyword is tested as a whole', () => {
    const keyword: Field = { name: 'machine', type: 'keyword', about: '' };
    const { sql, tests } = toDuckdb({ kind: 'regexp', field: keyword, pattern: 'a b&~(a)' });
    expect(sql).toBe('(regexp_full_match("machine", $1) AND column_test($2::INTEGER, "machine"))');
    expect(['a b', 'a', ' a b '].map((value) => tests.get(0)?.(value))).toEqual([true, false, false]);
  });

  test('tests are numbered from the first number on', () => {
    const { parameters, tests } = toDuckdb(boolFilter({ must: [sloppy, sloppy] }), { firstTest: 5 });
    expect(parameters).toEqual(['a', ' a ', 'b', ' b ', 5, 'a', ' a ', 'b', ' b ', 6]);
    expect([...tests.keys()]).toEqual([5, 6]);
  });
});

test('a part whose rows are known is written as they are', () => {
  const known: Filter = { kind: 'exists', field: { name: 'msg', type: 'text', about: '' } };
  const filter = boolFilter({ must: [matchAllFilter, known], mustNot: [known] });
  const { sql, parameters } = toDuckdb<readonly number[]>(filter, {
    known: (each, bind) => (each === known ? `id IN ${bind([1, 2])}` : undefined),
  });
  expect(sql).toBe('(true AND id IN $1 AND NOT coalesce(id IN $2, false))');
  expect(parameters).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('what nothing here would run is refused', () => {
  const field: Field = { name: 'msg', type: 'text', about: '' };
  const terms = Array<string>(600).fill('a');
  expect(() => toDuckdb({ kind: 'phrase', field, terms, slop: 1 })).toThrow('The query is too complex');
});
