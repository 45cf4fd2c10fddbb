import { describe, expect, test } from 'vitest';
import { type ExplicitOptions, explicit } from '../../src/language/meaning/explicit.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

/** The explicit form of a text, and in angle brackets what was dropped of the original. */
function checkExplicit(
  text: string,
  expected: string,
  options: ExplicitOptions & { dropped?: string[] } = {},
): void {
  const said = explicit(parse(text).query, options);
  expect(said.text).toBe(expected);
  const dropped = said.dropped.map(({ from, to, reason }) => `${reason}: ${text.slice(from, to)}`);
  expect(dropped).toEqual(options.dropped ?? []);
}

const optional = (text: string) => `filters-nothing: ${text}`;
const vanishing = (text: string) => `vanishes: ${text}`;

describe("the server's reading", () => {
  test.each<[string, string, string[]]>([
    ['a', 'a', []],
    ['a OR b', 'a OR b', []],
    ['a "b"', 'a OR "b"', []],
    ['a AND b', 'a AND b', []],
    ['a && b || !c', 'a AND b AND NOT c', []],
    ['+a -b', 'a AND NOT b', []],
    ['a OR b AND c', 'b AND c', [optional('a')]],
    ['a AND b OR c', 'a AND b', [optional('c')]],
    ['a AND b OR c AND d', 'a AND b AND c AND d', []],
    ['(a AND b) OR (c AND d)', '(a AND b) OR (c AND d)', []],
    ['a OR NOT b', 'a AND NOT b', []],
    ['NOT a OR b', 'NOT a AND b', []],
    ['NOT a OR NOT b', 'NOT a AND NOT b', []],
    ['a NOT b c', '(a OR c) AND NOT b', []],
    ['NOT a', 'NOT a', []],
    ['NOT (NOT a)', 'NOT (NOT a)', []],
    ['(NOT a)', 'NOT a', []],
    ['a OR (NOT b)', 'a OR (NOT b)', []],
    ['((a))', 'a', []],
    ['(a OR b) OR c', '(a OR b) OR c', []],
    ['msg:(a OR b AND c)^2 d', 'msg:(b AND c)^2 OR d', [optional('a')]],
    ['msg:(a NOT b)', 'msg:(a AND NOT b)', []],
    ['(a NOT b)^2 OR c', '(a AND NOT b)^2 OR c', []],
    ['a OR msg : "b  c" AND NOT logCode:[ 1 TO 5 ]', 'msg:"b  c" AND NOT logCode:[1 TO 5]', [optional('a')]],
  ])('%s', (text, expected, dropped) => checkExplicit(text, expected, { dropped }));

  test("the vendor's own example", () => {
    checkExplicit(
      '("Updated Kubernetes Secret" AND logCode:1312) AND NOT logLevel:VERBOSE OR elapsed:[1.45195 TO 2.43]',
      '("Updated Kubernetes Secret" AND logCode:1312) AND NOT logLevel:VERBOSE',
      { dropped: [optional('elapsed:[1.45195 TO 2.43]')] },
    );
  });

  test('with AND as the default operator', () => {
    checkExplicit('a AND b OR c', 'a', { defaultOperator: 'and', dropped: [optional('b'), optional('c')] });
    checkExplicit('a "b"', 'a AND "b"', { defaultOperator: 'and' });
  });
});

describe('the ordinary reading', () => {
  test.each([
    ['a OR b AND c', 'a OR (b AND c)'],
    ['a AND b OR c', '(a AND b) OR c'],
    ['a OR NOT b', 'a OR (NOT b)'],
    ['NOT a OR b', '(NOT a) OR b'],
    ['NOT a OR NOT b', '(NOT a) OR (NOT b)'],
    ['a NOT b c', '(a AND NOT b) OR c'],
    ['a b NOT c', 'a OR (b AND NOT c)'],
    ['NOT a AND b', 'NOT a AND b'],
  ])('%s', (text, expected) => checkExplicit(text, expected, { reading: 'ordinary' }));
});

describe('words that are one text stay together', () => {
  test.each([
    ['a b', 'a b'],
    ['a b "c"', '(a b) OR "c"'],
    ['logLevel:(SEVERE WARNING)', 'logLevel:(SEVERE WARNING)'],
    ['logLevel:(SEVERE WARNING) "c"', 'logLevel:(SEVERE WARNING) OR "c"'],
    ['a b -c', '(a b) AND NOT c'],
    ['NOT (a b)', 'NOT (a b)'],
    ['(a b)', 'a b'],
  ])('%s', (text, expected) => checkExplicit(text, expected));
});

test('a run of words is dropped as a whole', () => {
  checkExplicit('a b c +d', 'd', { dropped: [optional('a b c')] });
});

describe('what analysis leaves nothing of is dropped', () => {
  test('beside something else', () => {
    checkExplicit('a AND msg:"---"', 'a', { dropped: [vanishing('msg:"---"')] });
    checkExplicit('a OR NOT msg:"..." b', 'a OR b', { dropped: [vanishing('NOT msg:"..."')] });
    checkExplicit('a msg:("--" OR "..")', 'a', { dropped: [vanishing('msg:("--" OR "..")')] });
    checkExplicit('msg:(a - )', 'msg:(a)', { dropped: [vanishing('-')] });
  });

  test('but something is left of every query', () => {
    checkExplicit('NOT msg:"---"', 'msg:"---"');
    checkExplicit('msg:(... ---)', 'msg:(... ---)');
    checkExplicit('msg:"---" OR source:"..."', 'msg:"---"', { dropped: [vanishing('source:"..."')] });
  });

  test('a number field leaves something of every text: it matches nothing', () => {
    checkExplicit('a AND "---"', 'a AND "---"');
  });
});

test('a lone sign keeps the blank that makes it one', () => {
  checkExplicit('(logLevel:- ) AND b', 'logLevel:- AND b', { schema: keywordSchema });
  checkExplicit('a OR (logLevel:- )', 'a OR logLevel:- ', { schema: keywordSchema });
});

test('a long query is laid out in lines', () => {
  checkExplicit(
    'aaaaaaaa OR (bbbbbbbb AND NOT cccccccc)',
    'aaaaaaaa\nOR (\n  bbbbbbbb\n  AND NOT cccccccc\n)',
    { width: 20 },
  );
});

test('a query that the engine refuses stays as it is', () => {
  checkExplicit(' a  OR', ' a  OR');
  checkExplicit('', '');
});
