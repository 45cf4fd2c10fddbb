import { describe, expect, test } from 'vitest';
import {
  type ExplainOptions,
  explain,
  explainLines,
  explainMatch,
  explainMatchLines,
} from '../../src/language/assist/explain.ts';
import { describe as describeFilter } from '../../src/language/meaning/describe.ts';
import {
  boolFilter,
  type Filter,
  matchAllFilter,
  matchNoneFilter,
} from '../../src/language/meaning/filter.ts';
import { type FieldValues, QueryTooComplex } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

/** The lines of an explanation, without the blanks that put them in columns. */
function checkLines(text: string, expected: readonly string[], options: ExplainOptions = {}): void {
  const lines = explainLines(explain(parse(text).query, options));
  expect(lines.map((line) => line.replace(/(?<=\S) {2,}/g, ' | '))).toEqual(expected);
}

test('how the server takes each part', () => {
  checkLines('a OR msg:b AND NOT msg:(c d) AND msg:"--"', [
    'filters nothing | a | a default field has the word "a"',
    'must match | msg:b | the message (msg) has the word "b"',
    'must not match | NOT msg:(c d) | what its parentheses hold',
    '  must match | c d | the message (msg) has any of the words "c", "d"',
    'vanishes | msg:"--" | nothing: analysis leaves no word of it',
    'Read with NOT before AND and AND before OR it selects other logs; for instance the server does not select a log with msg: "a"',
  ]);
});

test('a query that both readings take alike', () => {
  checkLines('msg:a OR (msg:b AND msg:c)', [
    'one of these must match | msg:a | the message (msg) has the word "a"',
    'one of these must match | (msg:b AND msg:c) | what its parentheses hold',
    '  must match | msg:b | the message (msg) has the word "b"',
    '  must match | msg:c | the message (msg) has the word "c"',
  ]);
});

test('a log that only the server selects, or one without any field, can be the example', () => {
  const last = (text: string) => explainLines(explain(parse(text).query)).at(-1);
  expect(last('msg:a AND msg:b OR NOT msg:c')).toContain(
    'the server does not select a log without any of these fields',
  );
  expect(last('msg:a NOT msg:b msg:c')).toContain('the server does not select a log with msg: "c b"');
});

describe('what a part asks for, in words', () => {
  test.each([
    ['9003', 'a default field has the word "9003", or the code of the message (logCode) is 9003'],
    ['foo-bar', 'a default field has any of the words "foo", "bar"'],
    ['"timed out"', 'a default field has the words "timed", "out" next to each other'],
    ['msg:"a b"~1', 'the message (msg) has the words "a", "b" within 1 move of each other'],
    ['logLevel:SEVERE', 'the severity (logLevel) is exactly "SEVERE"', keywordSchema],
    ['logLevel:*', 'the severity (logLevel) has a value', keywordSchema],
    [
      'logLevel:[A TO B]',
      'the severity (logLevel) is a value that lies between "A" and "B" in the order of characters',
      keywordSchema,
    ],
    ['logCode:[9000 TO 9999]', 'the code of the message (logCode) lies between 9000 and 9999'],
    [
      'logCode:{9000 TO 9999]',
      'the code of the message (logCode) lies between 9000 and 9999, 9000 not included',
    ],
    [
      'logCode:[9000 TO 9999}',
      'the code of the message (logCode) lies between 9000 and 9999, 9999 not included',
    ],
    [
      'logCode:{9000 TO 9999}',
      'the code of the message (logCode) lies between 9000 and 9999, neither included',
    ],
    ['elapsed:>1.5', 'how long it took, in seconds (elapsed) is more than 1.5'],
    ['elapsed:>=1.5', 'how long it took, in seconds (elapsed) is 1.5 or more'],
    ['elapsed:<1.5', 'how long it took, in seconds (elapsed) is less than 1.5'],
    ['elapsed:<=1.5', 'how long it took, in seconds (elapsed) is 1.5 or less'],
    ['elapsed:[* TO *]', 'how long it took, in seconds (elapsed) has a value'],
    ['time:[2024-01-01 TO *]', 'when it was logged, UTC (time) is 2024-01-01T00:00:00.000Z or later'],
    ['time:{* TO 2024-01-01}', 'when it was logged, UTC (time) is earlier than 2024-01-01T00:00:00.000Z'],
    ['msg:[a TO *]', 'the message (msg) has a word that is "a" or behind it in the order of characters'],
    [
      'msg:{* TO b}',
      'the message (msg) has a word that is "b" or before it in the order of characters, itself not included',
    ],
    ['msg:[* TO *]', 'the message (msg) has any word'],
    ['msg:*', 'the message (msg) has any word'],
    ['msg:ti*', 'the message (msg) has a word that begins with "ti"'],
    ['msg:t?m', 'the message (msg) has a word that fits "t?m"'],
    ['msg:/t.m/', 'the message (msg) has a word that fits the regular expression /t.m/'],
    ['msg:tine~2', 'the message (msg) has a word that is at most 2 edits away from "tine"'],
    ['*:*', 'every log'],
    ['nosuch:a', 'no log: there is no field "nosuch"'],
    ['logCode:abc', 'no log: it is nothing that logCode could hold'],
    ['msg:"--"', 'nothing: analysis leaves no word of it'],
  ])('%s', (text, asks, schema = undefined) => {
    const { level } = explain(parse(text).query, schema ? { schema } : {});
    expect(level.parts.map((part) => part.asks)).toEqual([asks]);
  });
});

test('with AND between words, all of them', () => {
  const { level } = explain(parse('msg:foo-bar').query, { defaultOperator: 'and' });
  expect(level.parts[0]?.asks).toBe('the message (msg) has all of the words "foo", "bar"');
});

test('where a part stands, what it searches, and the tokens it splits into', () => {
  const text = 'a AND NOT msg:"Foo-bar baz"';
  const { level } = explain(parse(text).query);
  const [, part] = level.parts;
  expect(part).toMatchObject({
    text: 'NOT msg:"Foo-bar baz"',
    taken: 'mustNot',
    fields: ['msg'],
    tokens: ['foo', 'bar', 'baz'],
  });
  expect(text.slice(part?.from, part?.to)).toBe(part?.text);
  expect(level.parts[0]).toMatchObject({ fields: expect.arrayContaining(['msg', 'logCode']), tokens: ['a'] });
});

test.each<[string, Filter, string]>([
  ['an empty level', boolFilter({}), 'every log'],
  [
    'words of two fields',
    boolFilter({ must: [word('msg', 'a'), word('source', 'b')] }),
    'the message (msg) has the word "a"; and what logged it (source) has the word "b"',
  ],
  [
    'a word and something else',
    boolFilter({ must: [word('msg', 'a'), matchNoneFilter] }),
    'the message (msg) has the word "a"; and no log',
  ],
  [
    'parts of several fields',
    boolFilter({ must: [word('msg', 'a'), word('source', 'b')], mustNot: [word('msg', 'c')] }),
    'the message (msg) has the word "a"; and what logged it (source) has the word "b"; and not: the message (msg) has the word "c"',
  ],
  [
    'a choice beside what must not match',
    boolFilter({ should: [word('msg', 'a'), word('msg', 'b')], mustNot: [word('msg', 'c')] }),
    'the message (msg) has the word "a", or the message (msg) has the word "b"; and not: the message (msg) has the word "c"',
  ],
  [
    'what is optional is not asked for',
    boolFilter({ must: [word('msg', 'a')], should: [word('source', 'b')] }),
    'the message (msg) has all of the words "a"',
  ],
  [
    'one of two fields',
    { kind: 'disMax', filters: [word('msg', 'a'), matchNoneFilter, word('source', 'a'), matchAllFilter] },
    'one of the fields msg, source has the word "a", or every log',
  ],
  ['none of nothing', { kind: 'disMax', filters: [matchNoneFilter] }, 'no log'],
])('in words, %s', (_what, filter, expected) => {
  expect(describeFilter(filter)).toBe(expected);
});

function word(name: string, term: string): Filter {
  const field = documentedSchema.fields.get(name);
  if (!field) throw new Error(`There is no field "${name}"`);
  return { kind: 'term', field, term };
}

test.each([
  [
    'msg:foo-bar',
    'bar, foo',
    [
      [0, 3],
      [5, 8],
    ],
  ],
  ['msg:"a a"', 'a a a b', [[0, 5]]],
  ['msg:"a b"', 'b a b a', [[2, 5]]],
])('the places of %s in %j are in order and do not overlap', (text, msg, expected) => {
  const { level } = explainMatch(parse(text).query, { msg });
  const spans = level.parts[0]?.highlights[0]?.spans.map(({ from, to }) => [from, to]);
  expect(spans).toEqual(expected);
});

describe('why a log matches', () => {
  const text = 'msg:"timed out" AND (logCode:[9000 TO 9999] OR msg:9003) NOT logLevel:FINE';
  const log: FieldValues = { msg: 'It Timed out: 9003, timed-out', logCode: 9003 };

  test('which parts did, and where', () => {
    const { matches, level } = explainMatch(parse(text).query, log);
    expect(matches).toBe(true);
    expect(level.parts.map((part) => part.matches)).toEqual([true, true, false]);
    expect(level.parts[0]?.highlights).toEqual([
      {
        field: 'msg',
        spans: [
          { from: 3, to: 12 },
          { from: 20, to: 29 },
        ],
      },
    ]);
    expect(level.parts[1]?.highlights).toEqual([
      { field: 'logCode', spans: [{ from: 0, to: 4 }] },
      { field: 'msg', spans: [{ from: 14, to: 18 }] },
    ]);
    expect(level.parts[1]?.level?.parts.map((part) => part.matches)).toEqual([true, true]);
    expect(level.parts[2]?.highlights).toEqual([]);
  });

  test('as lines', () => {
    expect(explainMatchLines(explainMatch(parse(text).query, log))).toEqual([
      'found      must match                 msg:"timed out"                       in msg',
      'found      must match                 (logCode:[9000 TO 9999] OR msg:9003)  in logCode, msg',
      'found        one of these must match  logCode:[9000 TO 9999]                in logCode',
      'found        one of these must match  msg:9003                              in msg',
      'not found  must not match             NOT logLevel:FINE                     the severity (logLevel) has the word "fine"',
      'The log is selected',
    ]);
    expect(explainMatchLines(explainMatch(parse('msg:a').query, log)).at(-1)).toBe('The log is not selected');
  });

  test('an excluding part shows what excludes', () => {
    const { matches, level } = explainMatch(parse('9003 AND NOT msg:t*').query, log);
    expect(matches).toBe(false);
    expect(level.parts[1]).toMatchObject({
      matches: true,
      highlights: [
        {
          field: 'msg',
          spans: [
            { from: 3, to: 8 },
            { from: 20, to: 25 },
          ],
        },
      ],
    });
  });

  test('a sloppy phrase marks its words, a keyword its value, and that there is a value nothing', () => {
    const [near, level, any] = ['msg:"out it"~3', 'logLevel:FINE', 'msg:*'].map((part) =>
      explainMatch(parse(part).query, { msg: 'It timed out', logLevel: 'FINE' }, { schema: keywordSchema }),
    );
    expect(near?.level.parts[0]?.highlights).toEqual([
      {
        field: 'msg',
        spans: [
          { from: 0, to: 2 },
          { from: 9, to: 12 },
        ],
      },
    ]);
    expect(level?.level.parts[0]?.highlights).toEqual([{ field: 'logLevel', spans: [{ from: 0, to: 4 }] }]);
    expect(any?.level.parts[0]?.highlights).toEqual([{ field: 'msg', spans: [] }]);
  });
});

test('a line stays one line whatever the query holds', () => {
  checkLines('"a\nb" OR no\\\nsuch:c', [
    'one of these must match | "a b" | a default field has the words "a", "b" next to each other',
    'one of these must match | no\\ such:c | no log: there is no field "no such"',
  ]);
});

test('broken text is explained as far as it goes', () => {
  checkLines('msg:a AND (msg:b OR', [
    'must match | msg:a | the message (msg) has the word "a"',
    'must match | (msg:b OR | what its parentheses hold',
    '  must match | msg:b | the message (msg) has the word "b"',
    '  vanishes | nothing: analysis leaves no word of it',
  ]);
});

test('explaining a match reads the log about as often as the query has parts, however deep they are', () => {
  const readsAt = (depth: number): number => {
    let reads = 0;
    const log: FieldValues = {
      get msg() {
        reads += 1;
        return 'a b';
      },
    };
    const { query } = parse(`${'msg:(c OR '.repeat(depth)}a${')'.repeat(depth)}`);
    expect(explainMatch(query, log).matches).toBe(true);
    return reads;
  };
  expect(readsAt(100)).toBeLessThan(600);
  expect(readsAt(200)).toBeLessThan(1200);
});

test('a match that would take too long is not explained', () => {
  const pattern = (number: number) => `msg:/.*${number}.{11}/`;
  const { query } = parse(Array.from({ length: 400 }, (_, number) => pattern(number)).join(' OR '));
  expect(() => explainMatch(query, { msg: 'a' })).toThrow(QueryTooComplex);
});
