import { describe, expect, test } from 'vitest';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { type ResolveOptions, resolve, targetsOf } from '../../src/language/meaning/resolve.ts';
import { type Field, type Schema, toSchema } from '../../src/language/meaning/schema.ts';
import type { NumberValue } from '../../src/language/meaning/values.ts';
import { parse } from '../../src/language/parse/parse.ts';

const fields = {
  text: { name: 'text', type: 'text', about: '' },
  word: { name: 'word', type: 'keyword', about: '' },
  code: { name: 'code', type: 'integer', about: '' },
  took: { name: 'took', type: 'decimal', about: '' },
  time: { name: 'time', type: 'date', about: '' },
} as const satisfies { readonly [name: string]: Field };

const { text, word, code, took, time } = fields;
const schema: Schema = toSchema(Object.values(fields), ['text', 'word']);

function checkFilter(query: string, expected: Filter, options: ResolveOptions = {}): void {
  expect(resolve(parse(query).query, { schema, ...options })).toEqual(expected);
}

const has = (term: string, field: Field = text): Filter => ({ kind: 'term', field, term });
const is = (field: Field, value: NumberValue): Filter => ({
  kind: 'range',
  field,
  lower: { value, inclusive: true },
  upper: { value, inclusive: true },
});

describe('a field of text', () => {
  test.each<[query: string, filter: Filter]>([
    ['text:Foo', has('foo')],
    ['text:foo-bar', boolFilter({ should: [has('foo'), has('bar')] })],
    ['text:"Foo"', has('foo')],
    ['text:"Foo bar"', { kind: 'phrase', field: text, terms: ['foo', 'bar'], slop: 0 }],
    ['text:"foo bar"~2', { kind: 'phrase', field: text, terms: ['foo', 'bar'], slop: 2 }],
    ['text:"--"', matchNoneFilter],
    ['text:Foo*', { kind: 'prefix', field: text, prefix: 'foo' }],
    ['text:Fo\\*O*', { kind: 'prefix', field: text, prefix: 'fo*o' }],
    ['text:F\\Oo?B', { kind: 'wildcard', field: text, pattern: 'f\\Oo?b' }],
    ['text:/Fo+\\.O/', { kind: 'regexp', field: text, pattern: 'fo+\\.o' }],
    ['text:Foo~1', { kind: 'fuzzy', field: text, term: 'foo', edits: 1 }],
    ['text:*', { kind: 'exists', field: text }],
    [
      'text:[A TO "B c"}',
      {
        kind: 'termRange',
        field: text,
        lower: { value: 'a', inclusive: true },
        upper: { value: 'b c', inclusive: false },
      },
    ],
    ['text:{a TO *]', { kind: 'termRange', field: text, lower: { value: 'a', inclusive: false } }],
    ['text:[* TO b]', { kind: 'termRange', field: text, upper: { value: 'b', inclusive: true } }],
    ['text:["*" TO \\*]', { kind: 'termRange', field: text }],
    ['text:>B', { kind: 'termRange', field: text, lower: { value: 'b', inclusive: false } }],
    ['text:>=B', { kind: 'termRange', field: text, lower: { value: 'b', inclusive: true } }],
    ['text:<B', { kind: 'termRange', field: text, upper: { value: 'b', inclusive: false } }],
    ['text:<=B', { kind: 'termRange', field: text, upper: { value: 'b', inclusive: true } }],
    // Nothing follows the sign, so it is what the field is greater than.
    ['text:>=', { kind: 'termRange', field: text, lower: { value: '=', inclusive: false } }],
    ['text:>b~1', { kind: 'fuzzy', field: text, term: '>b', edits: 1 }],
  ])('%s', (query, filter) => checkFilter(query, filter));
});

describe('a field of keywords keeps the case and the blanks', () => {
  test.each<[query: string, filter: Filter]>([
    ['word:Foo-bar', has('Foo-bar', word)],
    ['word:"Foo bar"', has('Foo bar', word)],
    ['word:"Foo bar"~2', has('Foo bar', word)],
    ['word:"--"', has('--', word)],
    ['word:(Foo bar)', has('Foo bar', word)],
    ['word:Foo*', { kind: 'prefix', field: word, prefix: 'Foo' }],
    ['word:Fo?B', { kind: 'wildcard', field: word, pattern: 'Fo?B' }],
    ['word:/Fo+/', { kind: 'regexp', field: word, pattern: 'Fo+' }],
    ['word:Foo~1', { kind: 'fuzzy', field: word, term: 'Foo', edits: 1 }],
    ['word:*', { kind: 'exists', field: word }],
    ['word:>B', { kind: 'termRange', field: word, lower: { value: 'B', inclusive: false } }],
  ])('%s', (query, filter) => checkFilter(query, filter));
});

describe('a field of numbers', () => {
  test.each<[query: string, filter: Filter]>([
    ['code:9003', is(code, 9003)],
    ['code:"9003"', is(code, 9003)],
    ['code:0.5', is(code, 0.5)],
    ['code:foo', matchNoneFilter],
    ['code:(1 2)', matchNoneFilter],
    ['code:9*', matchNoneFilter],
    ['code:9?', matchNoneFilter],
    ['code:/9/', matchNoneFilter],
    ['code:9003~1', matchNoneFilter],
    ['code:*', { kind: 'exists', field: code }],
    ['code:[1 TO *]', { kind: 'range', field: code, lower: { value: 1, inclusive: true } }],
    ['code:[* TO 1}', { kind: 'range', field: code, upper: { value: 1, inclusive: false } }],
    ['code:[foo TO 1]', matchNoneFilter],
    ['code:[1 TO foo]', matchNoneFilter],
    ['code:<5', { kind: 'range', field: code, upper: { value: 5, inclusive: false } }],
    ['code:>\\*', { kind: 'range', field: code }],
    ['took:1.5', is(took, 1.5)],
    ['took:"\\u00201.5d\\u0020"', is(took, 1.5)],
    ['took:1e3', is(took, 1000)],
    ['took:.5', is(took, 0.5)],
    ['took:5.', is(took, 5)],
    ['took:Infinity', matchNoneFilter],
    ['took:1e999', matchNoneFilter],
    ['took:0x10', matchNoneFilter],
    ['took:"1 5"', matchNoneFilter],
    ['took:1d5', matchNoneFilter],
  ])('%s', (query, filter) => checkFilter(query, filter));

  test('the largest and the least integers', () => {
    const greatest = 2n ** 63n - 1n;
    checkFilter(`code:${greatest}`, is(code, greatest));
    checkFilter(`code:"${-greatest - 1n}"`, is(code, -greatest - 1n));
    checkFilter(`code:${greatest + 1n}`, matchNoneFilter);
  });
});

describe('a field of dates', () => {
  const day = 86_400_000;
  const range = (from: number, to: number): Filter => ({
    kind: 'range',
    field: time,
    lower: { value: from, inclusive: true },
    upper: { value: to, inclusive: true },
  });

  test.each<[query: string, filter: Filter]>([
    ['time:1970-01-02', range(day, 2 * day - 1)],
    ['time:[1970-01-02 TO 1970-01-03]', range(day, 3 * day - 1)],
    [
      'time:{1970-01-02 TO 1970-01-03}',
      {
        kind: 'range',
        field: time,
        lower: { value: 2 * day - 1, inclusive: false },
        upper: { value: 2 * day, inclusive: false },
      },
    ],
    [
      'time:[now-1d/d TO *]',
      { kind: 'range', field: time, lower: { value: 9 * day, inclusive: true, relative: 'now-1d/d' } },
    ],
    ['time:yesterday', matchNoneFilter],
  ])('%s', (query, filter) => checkFilter(query, filter, { now: 10 * day + 1 }));

  test('now is that of the clock unless given', () => {
    const before = Date.now();
    const filter = resolve(parse('time:[now TO *]').query, { schema });
    const after = Date.now();
    expect(filter).toMatchObject({ kind: 'range', lower: { inclusive: true, relative: 'now' } });
    const value = filter.kind === 'range' ? filter.lower?.value : undefined;
    expect(value).toBeGreaterThanOrEqual(before);
    expect(value).toBeLessThanOrEqual(after);
  });
});

describe('fields', () => {
  test.each<[query: string, filter: Filter]>([
    ['a', { kind: 'disMax', filters: [has('a'), has('a', word)] }],
    ['nosuch:a', matchNoneFilter],
    ['text:(a word:b)', boolFilter({ should: [has('a'), has('b', word)] })],
    ['t\\*t:a', has('a')],
    ['*:*', matchAllFilter],
    ['\\*:(*)', matchAllFilter],
    ['>1', { kind: 'disMax', filters: [has('1'), has('>1', word)] }],
    ['_exists_:code', { kind: 'exists', field: code }],
    ['_exists_:"code"', { kind: 'exists', field: code }],
    ['', matchNoneFilter],
    // A broken text has no filter.
    ['text:[a', matchNoneFilter],
    ['text:', matchNoneFilter],
    ['"--"', { kind: 'term', field: word, term: '--' }],
  ])('%j', (query, filter) => checkFilter(query, filter));

  test('one default field can be compared without its name', () => {
    const filter: Filter = { kind: 'range', field: code, lower: { value: 1, inclusive: false } };
    checkFilter('>1', filter, { schema: toSchema([code], ['code']) });
  });

  // `*` stands for any text, and the pieces of a pattern do not share characters.
  test.each([
    ['text', ['text']],
    ['t\\*t', ['text', 'tart', 'tat', 'tt']],
    ['t\\*a\\*t', ['tart', 'tat']],
    ['\\*t', ['text', 'tart', 'tat', 'tt', 't']],
    ['t\\*', ['text', 'tart', 'tat', 'tt', 't']],
    ['\\*ar\\*', ['tart']],
    ['t\\*t\\*t', []],
    ['ta\\*at', []],
    ['t\\*ar\\*rt', []],
    ['tex\\*xt', []],
    ['\\*', ['text', 'tart', 'tat', 'tt', 't']],
    ['\\*a\\*r\\*t', ['tart']],
    ['\\*r\\*a\\*', []],
    ['x', []],
  ])('the name %s', (name, expected) => {
    const names = ['text', 'tart', 'tat', 'tt', 't'];
    const many = toSchema(
      names.map((each) => ({ name: each, type: 'text', about: '' })),
      [],
    );
    const { query } = parse(`${name}:x`);
    const [targets] = targetsOf(query, many).values();
    expect(targets).toMatchObject({ named: name.replaceAll('\\', '') });
    expect(targets?.fields.map((each) => each.name)).toEqual(expected);
  });

  test('a group hands its field to the clauses in it that name none', () => {
    const { query } = parse('word:(a text:b) c');
    const targets = [...targetsOf(query, schema).values()];
    expect(targets.map(({ named, fields }) => [named, ...fields.map(({ name }) => name)])).toEqual([
      ['word', 'word'],
      ['word', 'word'],
      ['text', 'text'],
      [undefined, 'text', 'word'],
    ]);
  });
});

describe('runs of words', () => {
  const run = (...terms: readonly string[]) => ({
    kind: 'disMax' as const,
    filters: [boolFilter({ should: terms.map((term) => has(term)) }), has(terms.join(' '), word)],
  });
  const one = (term: string): Filter => ({ kind: 'disMax', filters: [has(term), has(term, word)] });

  test.each<[query: string, filter: Filter]>([
    ['a b c', run('a', 'b', 'c')],
    ['a b AND c d e', boolFilter({ must: [one('b'), one('c')], should: [one('a'), run('d', 'e')] })],
    ['a AND b c d', boolFilter({ must: [one('a'), one('b')], should: [run('c', 'd')] })],
    ['a b +c d e', boolFilter({ must: [one('c')], should: [run('a', 'b'), run('d', 'e')] })],
    ['a b NOT c d e', boolFilter({ should: [run('a', 'b'), run('d', 'e')], mustNot: [one('c')] })],
    ['text:a b c', boolFilter({ should: [has('a'), run('b', 'c')] })],
    ['a b^2 c d', boolFilter({ should: [one('a'), one('b'), run('c', 'd')] })],
    ['a b OR c', boolFilter({ should: [one('a'), one('b'), one('c')] })],
    [
      'a b *',
      boolFilter({
        should: [
          one('a'),
          one('b'),
          {
            kind: 'disMax',
            filters: [
              { kind: 'exists', field: text },
              { kind: 'exists', field: word },
            ],
          },
        ],
      }),
    ],
    ['a b text:c', boolFilter({ should: [run('a', 'b'), has('c')] })],
    ['word:(a b)', has('a b', word)],
    ['text:(a b)', boolFilter({ should: [has('a'), has('b')] })],
  ])('%s', (query, filter) => checkFilter(query, filter));

  test('in the ordinary reading a NOT takes the word before it', () => {
    const filter = boolFilter({ must: [one('b'), boolFilter({ mustNot: [one('c')] })] });
    checkFilter('a b NOT c', boolFilter({ should: [one('a'), filter] }), { reading: 'ordinary' });
  });

  test('are all required where AND joins by default', () => {
    checkFilter('text:(a b)', boolFilter({ must: [has('a'), has('b')] }), { defaultOperator: 'and' });
    checkFilter('text:foo-bar', boolFilter({ must: [has('foo'), has('bar')] }), { defaultOperator: 'and' });
  });
});

test('every clause is reported with its filter, the inner ones first', () => {
  const seen: string[] = [];
  const { query } = parse('(text:a "--") text:(b c) text:"--"');
  resolve(query, {
    schema,
    onClause: ({ item }, filter) => seen.push(`${item.kind} ${item.from}-${item.to} ${filter?.kind}`),
  });
  expect(seen).toEqual([
    'Word 6-7 term',
    'Phrase 8-12 term',
    'Group 0-13 bool',
    'Word 20-21 bool',
    'Word 22-23 bool',
    'Group 19-24 bool',
    'Phrase 30-34 undefined',
  ]);
});
