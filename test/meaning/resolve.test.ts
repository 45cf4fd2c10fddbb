import { describe, expect, test } from 'vitest';
import { type FieldValues, match } from '../../src/language/meaning/match.ts';
import { type ResolveOptions, resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';

/** The answers of Lucene itself, connected like those of `npm run conformance:live`. */
const logs: { readonly [name: string]: FieldValues } = {
  empty: {},
  a: { msg: 'a', elapsed: 1.5 },
  b: { msg: 'b', logCode: 9003 },
  ac: { msg: 'a c', source: 'Sharing' },
  bc: { msg: 'b c', logCode: -1, elapsed: 0 },
};

function selected(query: string, options: ResolveOptions = {}): string {
  const filter = resolve(parse(query).query, options);
  return Object.keys(logs)
    .filter((name) => match(filter, logs[name] ?? {}))
    .join(' ');
}

describe('fields that have a value', () => {
  test.each([
    ['_exists_:source', 'ac'],
    ['_exists_:"source"', 'ac'],
    ['_exists_:source^2', 'ac'],
    ['_exists_:(source OR elapsed)', 'a ac bc'],
    ['_exists_:\\*Code', 'b bc'],
    ['NOT _exists_:msg', 'empty'],
    ['_exists_:nosuch', ''],
    ['_exists_:sourc~', ''],
    ['_exists_:source~', ''],
    ['_exists_:(source elapsed)', ''],
    ['\\*:*', 'empty a b ac bc'],
    ['*:(*)', 'empty a b ac bc'],
    ['*', 'a b ac bc'],
  ])('%s', (query, expected) => {
    expect(selected(query)).toBe(expected);
  });
});

describe('comparisons', () => {
  test.each([
    ['elapsed:>0', 'a'],
    ['elapsed:>0^2', 'a'],
    ['elapsed:>\\*', 'a bc'],
    ['e\\*:>=0', 'a bc'],
    ['l\\*:<0', 'bc'],
    ['>0', ''],
    // A comparison that begins a run has all words of it as its bound.
    ['msg:(>=b c)', 'ac bc'],
    ['msg:(<b c)', 'a b ac bc'],
    ['msg:(c >=b)', 'b ac bc'],
    ['elapsed:(>=0 <2)', ''],
    ['(>=b c)', 'b ac bc'],
    // Blanks that stand alone in a range separate.
    ['logCode:[1 \n TO \t 9003]', 'b'],
    ['logCode:[\t1 TO 9003]', ''],
  ])('%s', (query, expected) => {
    expect(selected(query)).toBe(expected);
  });
});

describe('numbers as the engine reads them', () => {
  test.each([
    ['elapsed:1.5d', 'a'],
    ['elapsed:" 1.5F "', 'a'],
    ['elapsed:["1.5 " TO 2f]', 'a'],
    ['elapsed:1.5x', ''],
    ['logCode:9003.0', 'b'],
    ['logCode:9003d', ''],
    ['logCode:" 9003"', ''],
    ['logCode:[* TO 9223372036854775807]', 'b bc'],
    ['logCode:[* TO 1e30]', ''],
    ['elapsed:[* TO 1e30]', 'a bc'],
  ])('%s', (query, expected) => {
    expect(selected(query)).toBe(expected);
  });
});

test('the words of a run on one field are a clause each, of which an AND behind a dropped clause takes the last', () => {
  expect(selected('msg:(a b "--" AND c)')).toBe('bc');
});

test('where AND joins by default, a plus after OR makes nothing required', () => {
  expect(selected('msg:a OR +msg:b', { defaultOperator: 'and' })).toBe('a b ac bc');
  expect(selected('msg:a OR +msg:b')).toBe('b bc');
});
