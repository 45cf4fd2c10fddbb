import { describe, expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { type FieldValues, match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { processorTime } from '../processor-time.ts';

const msg = { name: 'msg', type: 'text', about: '' } as const;

function filterOf(text: string): Filter {
  const { query, findings } = parse(text);
  expect(findings).toEqual([]);
  return resolve(query, { schema: keywordSchema });
}

function checkSame(a: string, b: string): void {
  expect(compare(filterOf(a), filterOf(b))).toEqual({ same: true });
}

function checkDifferent(a: Filter, b: Filter, values: FieldValues): void {
  const selectedBy = match(a, values) ? 'a' : 'b';
  expect(compare(a, b)).toStrictEqual({ same: false, example: { values, selectedBy } });
  expect(match(a, values)).not.toBe(match(b, values));
}

describe('the same logs', () => {
  test.each([
    ['a OR b AND c', 'b AND c'],
    ['a OR NOT b', 'a AND NOT b'],
    ['NOT (a OR b)', 'NOT a AND NOT b'],
    ['(a OR b) AND (c OR d)', '(a AND c) OR (a AND d) OR (b AND c) OR (b AND d)'],
    ['msg:"timed out" AND msg:timed', 'msg:"timed out"'],
    ['msg:"a b c" AND msg:"b c"', 'msg:"a b c"'],
    ['msg:"a b"~2 OR msg:"a b"', 'msg:"a b"~2'],
    ['msg:a OR msg:*', 'msg:*'],
    ['msg:a*', 'msg:[a TO b}'],
    ['msg:ab* AND msg:a*', 'msg:ab*'],
    ['msg:t?m* AND msg:time', 'msg:time'],
    ['msg:[a TO b] OR msg:{b TO c]', 'msg:[a TO c]'],
    ['logCode:[1 TO 5] OR logCode:[6 TO 9]', 'logCode:[1 TO 9]'],
    ['logCode:{0 TO 2}', 'logCode:1'],
    ['logCode:[0.5 TO 1.5]', 'logCode:1'],
    ['logCode:[1 TO 5] AND NOT logCode:3', 'logCode:{0 TO 3} OR logCode:{3 TO 5]'],
    ['logCode:[5 TO 1]', 'logCode:word'],
    ['logCode:[9223372036854775808 TO *]', 'logCode:word'],
    ['elapsed:[1 TO 2} OR elapsed:[2 TO 3]', 'elapsed:[1 TO 3]'],
    ['elapsed:* AND NOT elapsed:[0 TO *]', 'elapsed:[* TO 0}'],
    ['time:[2024-01-01 TO 2024-01-02]', 'time:{2023-12-31 TO 2024-01-03}'],
    ['logLevel:SEVERE AND logLevel:WARNING', 'logLevel:SEVERE AND NOT logLevel:*'],
    ['logLevel:SEVERE AND logLevel:S*', 'logLevel:SEVERE'],
    ['logLevel:SEVERE AND logLevel:[A TO T]', 'logLevel:SEVERE'],
    ['logLevel:SEVERE AND logLevel:/S.*E/', 'logLevel:SEVERE'],
    ['logLevel:SEVERE AND NOT logLevel:S?V*', 'logCode:word'],
    ['logLevel:[SEVERE TO SEVERE]', 'logLevel:SEVERE'],
    ['nosuch:a', 'logCode:word'],
  ])('%s and %s', checkSame);

  test('all and none are what they are', () => {
    expect(compare(filterOf('a OR (NOT a)'), matchAllFilter)).toEqual({ same: true });
    expect(compare(filterOf('a AND NOT a'), matchNoneFilter)).toEqual({ same: true });
    expect(compare(filterOf('msg:* AND NOT msg:*'), matchNoneFilter)).toEqual({ same: true });
    expect(compare(boolFilter({}), matchAllFilter)).toEqual({ same: true });
  });

  test.each([
    '*foo-bar*',
    'foo-b*',
    String.raw`*timed\ out*`,
    '/.*timed out.*/',
    '/(foo-bar|timed out)/',
    String.raw`a\ b\ c\ d~`,
  ])('a pattern that no token can match is none: %s', (pattern) => {
    expect(compare(filterOf(`msg:${pattern}`), matchNoneFilter)).toEqual({ same: true });
    checkSame(`msg:${pattern} OR msg:b`, 'msg:b');
    // A keyword may have any value.
    expect(compare(filterOf(`logLevel:${pattern}`), matchNoneFilter)).not.toHaveProperty('same', true);
  });

  test('a term that no text has is none', () => {
    for (const term of ['A', 'a b', '']) {
      expect(compare({ kind: 'term', field: msg, term }, matchNoneFilter)).toEqual({ same: true });
      expect(compare({ kind: 'phrase', field: msg, terms: ['a', term], slop: 0 }, matchNoneFilter)).toEqual({
        same: true,
      });
    }
  });
});

describe('an example tells them apart', () => {
  test.each<[string, string, FieldValues]>([
    ['a OR b AND c', '(a OR b) AND c', { msg: 'c a' }],
    ['msg:"timed out"', 'msg:timed AND msg:out', { msg: 'out timed' }],
    ['a', 'msg:a', { source: 'a' }],
    ['NOT a', 'msg:b', {}],
    ['msg:*', 'msg:a', { msg: 'x' }],
    ['msg:* AND NOT msg:x', 'msg:* AND NOT msg:y', { msg: 'x' }],
    ['msg:[a TO b} OR msg:{b TO c]', 'msg:[a TO c]', { msg: 'b' }],
    ['msg:[a TO c}', 'msg:(a OR /[ab].+/)', { msg: 'b' }],
    ['elapsed:[1 TO 5] OR elapsed:[6 TO 9]', 'elapsed:[1 TO 9]', { elapsed: 5.5 }],
    ['elapsed:[1 TO 2]', 'elapsed:[1 TO 2}', { elapsed: 2 }],
    ['logCode:[1 TO 5]', 'logCode:[1 TO 4]', { logCode: 5 }],
    ['logCode:[* TO 0}', 'logCode:{0 TO *]', { logCode: 1 }],
    ['time:[2024-01-01 TO *]', 'time:{2024-01-01 TO *]', { time: 1704067200000 }],
    ['logLevel:SEVERE', 'logLevel:S*', { logLevel: 'S' }],
    ['logLevel:[SEVERE TO *]', 'logLevel:SEVERE', { logLevel: 'x' }],
    ['logLevel:/[A-C]+/', 'logLevel:A*', { logLevel: 'Aa' }],
    ['msg:tim*', 'msg:t*m*', { msg: 'tm' }],
    ['msg:tine~1', 'msg:tine', { msg: 'tinex' }],
    ['msg:/k[0-9]{3}q/', 'nosuch:a', { msg: 'k000q' }],
    ['logLevel:/[B-C]{3}/', 'logLevel:/B+/', { logLevel: 'B' }],
    ['logLevel:/[0-9]+|x y/ AND NOT logLevel:/.{1,2}/', 'nosuch:a', { logLevel: '000' }],
    ['msg:(t*e AND NOT t??e)', 'nosuch:a', { msg: 'te' }],
  ])('%s and %s', (a, b, values) => checkDifferent(filterOf(a), filterOf(b), values));

  test('it holds no more than it must', () => {
    const [a, b] = [filterOf('msg:"a b" AND msg:"b c"'), filterOf('msg:"a b c"')];
    const compared = compare(a, b);
    expect(compared).toMatchObject({ same: false, example: { selectedBy: 'a' } });
    expect(compared.same === false && String(compared.example.values.msg).split(' ')).toHaveLength(4);
  });
});

describe('what cannot be decided is left undecided', () => {
  test('a field of two types', () => {
    const a: Filter = { kind: 'exists', field: msg };
    const b: Filter = { kind: 'exists', field: { ...msg, type: 'keyword' } };
    expect(compare(a, b)).toEqual({ undecided: 'The field "msg" has different types in the two filters' });
  });

  test('filters with thousands of parts', () => {
    const terms = Array.from(
      { length: 3000 },
      (_, at): Filter => ({ kind: 'term', field: msg, term: `w${at}` }),
    );
    expect(compare(boolFilter({ should: terms }), boolFilter({ should: terms.toReversed() }))).toEqual({
      undecided: 'The filters have too many parts',
    });
    expect(compare(boolFilter({ should: terms }), boolFilter({ should: [...terms] }))).toEqual({
      same: true,
    });
  });

  test('filters whose diagram grows without measure', () => {
    // Each pair of terms far apart doubles what has to be remembered in between.
    const term = (name: string): Filter => ({ kind: 'term', field: msg, term: name });
    const firsts = Array.from({ length: 40 }, (_, at) => term(`a${at}`));
    const pairs = firsts.map((first, at) => boolFilter({ must: [first, term(`b${at}`)] }));
    const a = boolFilter({ should: [boolFilter({ must: firsts }), ...pairs] });
    expect(compare(a, boolFilter({ should: pairs }))).toEqual({
      undecided: 'The filters are too complex to compare',
    });
  });

  test('a token that no text is known to have', () => {
    const odd: Filter = { kind: 'term', field: msg, term: '..' };
    expect(compare(odd, matchNoneFilter)).toHaveProperty('undecided');
  });

  test('terms that no token is like, without trying all their edits', () => {
    const fuzzy: Filter = { kind: 'fuzzy', field: msg, term: 'a'.repeat(50_000), edits: 2 };
    expect(compare(fuzzy, { ...fuzzy, term: 'b'.repeat(50_000) })).toHaveProperty('undecided');
  });
});

test('hundreds of parts are compared in an instant', async () => {
  const schema = toSchema([...documentedSchema.fields.values()], ['msg', 'source']);
  const words = Array.from({ length: 200 }, (_, at) => `w${at}`);
  const [a, b] = [words.join(' OR '), words.toReversed().join(' OR ')].map((text) =>
    resolve(parse(text).query, { schema }),
  );
  const codes = Array.from({ length: 300 }, (_, at) => `logCode:${9000 + at}`).join(' OR ');
  const took = await processorTime(() => {
    expect(compare(a ?? matchNoneFilter, b ?? matchNoneFilter)).toEqual({ same: true });
    checkSame(codes, 'logCode:[9000 TO 9299]');
    const ranges = Array.from(
      { length: 300 },
      (_, at) => `logCode:[${(at * 37) % 1000} TO ${(at * 91) % 1000}]`,
    );
    checkSame(ranges.join(' OR '), ranges.toReversed().join(' OR '));
  });
  expect(took).toBeLessThan(10_000);
});
