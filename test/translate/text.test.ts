import { describe, expect, test } from 'vitest';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, type FieldType, toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { type TextOptions, toText } from '../../src/language/translate/text.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

const msg = { name: 'msg', type: 'text', about: 'the message' } as const;

/** Checks that the filter of one query is written as another one, without losses. */
function checkText(text: string, expected: string, options: TextOptions = {}): void {
  const { query, findings } = parse(text);
  expect(findings).toEqual([]);
  const filter = resolve(query, options.schema ? { schema: options.schema } : {});
  expect(toText(filter, options)).toEqual({ text: expected, losses: [] });
}

describe('operators in the form on which both readings agree', () => {
  test.each([
    ['msg:a OR msg:b', 'msg:a OR msg:b'],
    ['msg:a AND NOT msg:b', 'msg:a AND NOT msg:b'],
    ['msg:a OR NOT msg:b', 'msg:a AND NOT msg:b'],
    ['NOT msg:a', 'NOT msg:a'],
    ['msg:a OR (NOT msg:b)', 'msg:a OR (NOT msg:b)'],
    ['(msg:a msg:b) AND NOT (msg:c AND msg:d)', '(msg:a OR msg:b) AND NOT (msg:c AND msg:d)'],
  ])('%s', (text, expected) => checkText(text, expected));
});

describe('clauses without a field are written without one', () => {
  test.each([
    ['timeout', 'timeout'],
    ['9003', '9003'],
    ['"timed out"', '"timed out"'],
    ['timed out', 'timed out'],
    ['timed AND out', 'timed AND out'],
    ['foo-bar', 'foo bar'],
    ['foo-bar AND b', '(foo bar) AND b'],
    ['[1 TO 5]', '[1 TO 5]'],
    ['"a"', 'a'],
  ])('%s', (text, expected) => checkText(text, expected));
});

describe('values', () => {
  test.each([
    ['msg:"Foo-bar"', 'msg:"foo bar"'],
    ['msg:10.1.2.3', 'msg:10.1.2.3'],
    ['msg:\\AND', 'msg:and'],
    ['msg:"don\'t"', 'msg:"don\'t"'],
    ['msg:[a TO b}', 'msg:[a TO b}'],
    ['msg:["a b" TO *]', 'msg:["a b" TO *]'],
    ['msg:["a\\"b" TO "\\\\"]', 'msg:["a\\"b" TO "\\\\"]'],
    ['logCode:9003', 'logCode:9003'],
    ['logCode:"-5"', 'logCode:"-5"'],
    ['logCode:{-5 TO 1.5]', 'logCode:{-5 TO 1.5]'],
    ['elapsed:[* TO 1e300}', 'elapsed:[* TO 1e+300}'],
    ['elapsed:1.25', 'elapsed:1.25'],
    ['elapsed:[1 TO 1.25]', 'elapsed:[1 TO 1.25]'],
    ['elapsed:1e300', 'elapsed:"1e+300"'],
    ['time:1000000', 'time:"1970-01-01T00:16:40.000Z"'],
    ['time:[2024-01-01 TO 2024-01-02]', 'time:[2024-01-01T00:00:00.000Z TO 2024-01-02T23:59:59.999Z]'],
    ['time:{1000000 TO *]', 'time:{1970-01-01T00:16:40.000Z TO *]'],
    ['logLevel:SEVERE', 'logLevel:SEVERE', keywordSchema],
    ['logLevel:(timed out)', 'logLevel:"timed out"', keywordSchema],
    ['logLevel:\\TO', 'logLevel:"TO"', keywordSchema],
    ['msg:*', 'msg:[* TO *]'],
    ['msg:ti*', 'msg:[ti TO tj}'],
    ['logLevel:S*', 'logLevel:[S TO T}', keywordSchema],
  ])('%s', (text, expected, schema = undefined) => checkText(text, expected, schema ? { schema } : {}));
});

describe("the engine's whole syntax, where it is allowed", () => {
  test.each([
    'msg:*',
    'msg:ti*',
    'msg:t?me',
    'msg:/t(i|o)me/',
    'msg:tine~1',
    'msg:"a b"~2',
    '*:*',
    'ti*',
    't?me',
  ])('%s', (text) => checkText(text, text, { dialect: 'lucene' }));

  test('and where it is not, it is a loss, and more is selected', () => {
    const filter = resolve(parse('msg:a AND msg:t?me AND NOT msg:"a b"~2').query);
    const { text, losses } = toText(filter);
    expect(text).toBe('msg:a');
    expect(losses.map(({ reason }) => reason)).toEqual([
      'This wildcard on "msg" has no form in the language',
      'This phrase on "msg" has no form in the language',
    ]);
    expect(toText(resolve(parse('msg:a OR msg:t?me').query)).text).toBe('NOT logCode:{0 TO 0}');
  });
});

test('a part that cannot be said never takes logs away, however many negations are around it', () => {
  const unsaid = 'msg:t?me';
  for (const [text, expected] of [
    [`msg:a AND NOT ${unsaid}`, 'msg:a'],
    [`NOT (msg:a AND ${unsaid})`, 'NOT logCode:{0 TO 0}'],
    [`NOT (msg:a AND NOT ${unsaid})`, 'NOT logCode:{0 TO 0}'],
    [`NOT (msg:a OR NOT (msg:b AND NOT ${unsaid}))`, 'NOT (msg:a OR (NOT msg:b))'],
  ] as const) {
    const filter = resolve(parse(text).query, { reading: 'ordinary' });
    expect(toText(filter).text).toBe(expected);
  }
});

test('words side by side are read with the default operator', () => {
  for (const [defaultOperator, expected] of [
    ['or', 'foo bar'],
    ['and', 'foo bar'],
  ] as const) {
    const filter = resolve(parse('foo-bar').query, { defaultOperator });
    expect(toText(filter, { defaultOperator })).toEqual({ text: expected, losses: [] });
  }
  const both = resolve(parse('foo-bar').query, { defaultOperator: 'and' });
  expect(toText(both).text).not.toBe('foo bar');
});

test('all and none have a form in every schema', () => {
  expect(toText(matchAllFilter)).toEqual({ text: 'NOT logCode:{0 TO 0}', losses: [] });
  expect(toText(matchNoneFilter)).toEqual({ text: 'logCode:{0 TO 0}', losses: [] });
  const schemaOf = (type: FieldType) => toSchema([{ name: 'x', type, about: '' }], []);
  for (const [schema, expected] of [
    [schemaOf('text'), 'x:{a TO a}'],
    [schemaOf('date'), 'x:{1970 TO 1970}'],
    [schemaOf('decimal'), 'x:{0 TO 0}'],
    [toSchema([msg, ...schemaOf('integer').fields.values()], []), 'x:{0 TO 0}'],
    [toSchema([], []), 'none:{a TO a}'],
  ] as const) {
    checkText('nosuch:a', expected, { schema });
    expect(resolve(parse(expected).query, { schema })).toBeDefined();
  }
});

test('optional parts are left out, which is a loss of relevance', () => {
  const { text, losses } = toText(resolve(parse('msg:a AND msg:b msg:c').query));
  expect(text).toBe('msg:a AND msg:b');
  expect(losses).toHaveLength(1);
  expect(losses[0]?.reason).toContain('relevance');
});

test('a field that the schema has not, or with another type, is a loss', () => {
  const foreign: Filter = { kind: 'term', field: { ...msg, name: 'other' }, term: 'a' };
  const keyword: Filter = { kind: 'term', field: { ...msg, type: 'keyword' }, term: 'A' };
  for (const filter of [foreign, keyword]) expect(toText(filter).losses).toHaveLength(1);
});

test('a field whose name needs escapes', () => {
  const schema = toSchema([{ ...msg, name: 'the msg:1' }], []);
  checkText('the\\ msg\\:1:a', 'the\\ msg\\:1:a', { schema });
});

test('a filter nested too deeply for a query', () => {
  const deep = Array.from({ length: 500 }).reduce<Filter>(
    (filter, _, at) =>
      at % 2 ? boolFilter({ should: [filter, termOf('b')] }) : boolFilter({ must: [filter, termOf('c')] }),
    termOf('a'),
  );
  const { text, losses } = toText(deep);
  expect(text).toBe('NOT logCode:{0 TO 0}');
  expect(losses[0]?.reason).toContain('deeply');
});

test('a long text is laid out', () => {
  checkText('msg:aaaaaaaa OR msg:bbbbbbbb', 'msg:aaaaaaaa\nOR msg:bbbbbbbb', { width: 20 });
});

function termOf(term: string): Filter {
  return { kind: 'term', field: documentedSchema.fields.get('msg') ?? msg, term };
}
