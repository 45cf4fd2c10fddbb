import { describe, expect, test } from 'vitest';
import { type CompleteOptions, complete, wantedValues } from '../../src/language/assist/complete.ts';
import { toSchema } from '../../src/language/meaning/schema.ts';

/** Completes at the bar, and gives back what the text is then. */
function at(marked: string, options?: CompleteOptions): string[] {
  const [text, cursor] = cut(marked);
  const { from, to, suggestions } = complete(text, cursor, options);
  return suggestions.map(({ insert }) => text.slice(0, from) + insert + text.slice(to));
}

function cut(marked: string): [string, number] {
  const cursor = marked.indexOf('|');
  return [marked.slice(0, cursor) + marked.slice(cursor + 1), cursor];
}

const source = new Map([
  [
    'source',
    [
      { value: 'Sharing', count: 30 },
      { value: 'Roads/Traffic.MapServer', count: 12 },
      { value: 'Rest', count: 1 },
    ],
  ],
]);

describe('a field', () => {
  test.each([
    ['source is found by its beginning', 'so|', ['source:']],
    ['by what its name has inside', 'level|', ['logLevel:']],
    ['by what it is about', 'mess|', ['msg:', 'logCode:']],
    ['by what it may have been meant to be', 'message|', ['msg:']],
    ['behind an operator', 'a AND so|', ['a AND source:']],
    ['behind NOT', 'NOT so|', ['NOT source:']],
    ['in a group', '(a OR so|', ['(a OR source:']],
    ['in front of other clauses', 'so| logLevel:SEVERE', ['source:"" logLevel:SEVERE']],
    ['in front of an operator', 'a so| AND b', ['a source:"" AND b']],
    ['in the middle of its name', 'so|urces:x', ['source:x']],
    ['whose colon is there', 'log|:x', ['logLevel:x', 'logCode:x']],
  ])('%s', (_what, marked, completed) => expect(at(marked)).toEqual(completed));

  test('that begins so comes before those that have it inside', () => {
    expect(at('l|', { limit: 4 })).toEqual(['logLevel:', 'logCode:', 'className:', 'elapsed:']);
  });

  test('of any kind is offered where nothing is written', () => {
    expect(at('|', { limit: 3 })).toEqual(['msg:', 'source:', 'className:']);
    expect(at('|timeout', { limit: 1 })).toEqual(['msg:timeout']);
    expect(at('a OR |', { limit: 1 })).toEqual(['a OR msg:']);
  });

  test('with a strange name is escaped', () => {
    const schema = toSchema([{ name: 'kind of', type: 'keyword', about: '' }], []);
    expect(at('ki|', { schema })).toEqual(['kind\\ of:']);
  });
});

test.each([
  [
    'a clause stays one of its own',
    '|logLevel:SEVERE',
    ['msg:"" logLevel:SEVERE', 'source:"" logLevel:SEVERE'],
  ],
  ['behind an operator, too', 'a AND |msg:x', ['a AND msg:"" msg:x', 'a AND source:"" msg:x']],
  ['a word becomes the value of a field', 'a AND |x', ['a AND msg:x', 'a AND source:x']],
  ['no phrase takes in what follows', 'msg:| AND a', ['msg:"" AND a', 'msg:[* TO *] AND a']],
  ['nor a sign', 'msg:|!SE', ['msg:"" !SE', 'msg:[* TO *] !SE']],
  ['nor a parenthesis', '(msg:|)', ['(msg:"")', '(msg:()']],
  ['no range does', 'elapsed:| AND a', ['elapsed:[* TO *] AND a']],
  ['nor behind it', 'elapsed:|)', ['elapsed:[* TO *])']],
  ['a modifier stays one', 'a |-b', ['a AND -b', 'a OR -b']],
])('%s: %s', (_what, marked, completed) => {
  expect(at(marked, { limit: 2 })).toEqual(completed);
});

describe('a value', () => {
  test.each([
    [
      'comes in the order of the levels',
      'logLevel:|',
      ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'],
    ],
    [
      'that begins so comes before those that have it inside',
      'logLevel:e|',
      ['SEVERE', 'FINE', 'VERBOSE', 'DEBUG'],
    ],
    ['begins in upper or lower case', 'logLevel:se|', ['SEVERE', 'VERBOSE']],
    ['takes the place of the word around the cursor', 'logLevel:w|rning', ['WARNING']],
    ['is found in quotes as well', 'logLevel:"se|', ['SEVERE', 'VERBOSE']],
  ])('%s', (_what, marked, values) => {
    const texts = at(marked).filter((text) => /^logLevel:[A-Z]+$/.test(text));
    expect(texts).toEqual(values.map((value) => `logLevel:${value}`));
  });

  test.each([
    ['of a case', 'source:r|', ['source:"Roads/Traffic.MapServer"', 'source:Rest', 'source:Sharing']],
    ['in a group', 'source:(Rest OR sh|', ['source:(Rest OR Sharing']],
    ['in quotes', 'source:"Roads/T|', ['source:"Roads/Traffic.MapServer"']],
    [
      'in quotes that are not closed yet',
      'source:"Roads/T| AND msg:x',
      ['source:"Roads/Traffic.MapServer" AND msg:x'],
    ],
    ['in front of another clause', 'source:sh|a b', ['source:Sharing b']],
    ['with its field', 'SEV|', ['logLevel:SEVERE']],
    ['behind an operator, with its field', 'a OR WARN|', ['a OR logLevel:WARNING']],
  ])('%s', (_what, marked, completed) => {
    expect(at(marked, { values: source })).toEqual(completed);
  });

  test('is as frequent as its detail says', () => {
    const { suggestions } = complete('source:', 7, { values: source, limit: 3 });
    expect(suggestions).toEqual([
      { kind: 'value', insert: 'Sharing', label: 'Sharing', detail: '30 logs' },
      {
        kind: 'value',
        insert: '"Roads/Traffic.MapServer"',
        label: 'Roads/Traffic.MapServer',
        detail: '12 logs',
      },
      { kind: 'value', insert: 'Rest', label: 'Rest', detail: '1 log' },
    ]);
  });

  test('that no clause could find is not offered', () => {
    const values = new Map([['msg', [{ value: '---' }, { value: '' }, { value: 'x y' }]]]);
    expect(at('msg:|', { values })[0]).toBe('msg:"x y"');
  });

  test.each([
    ['logLevel:se|', 'logLevel', 'se'],
    ['source:(a OR b|', 'source', 'b'],
    ['source:"Roads/\\"T|', 'source', 'Roads/"T'],
    ['logCode:[9|', 'logCode', '9'],
  ])('is wanted at %s', (marked, name, written) => {
    const wanted = wantedValues(...cut(marked));
    expect([wanted?.field.name, wanted?.written]).toEqual([name, written]);
  });

  test.each(['|', 'a|', 'logLevel:SEVERE |', 'nosuch:|', 'log*:|', 'logCode:[1 |'])(
    'is not wanted at %s',
    (marked) => {
      expect(wantedValues(...cut(marked))).toBeUndefined();
    },
  );
});

describe('an operator', () => {
  test.each([
    ['stands behind a clause', 'a |', ['a AND ', 'a OR ', 'a NOT ']],
    ['behind a phrase', '"a b"|', ['"a b" AND ', '"a b" OR ', '"a b" NOT ']],
    ['between clauses', 'a |b', ['a AND b', 'a OR b', 'a NOT b']],
    [
      'apart from what is a blank elsewhere',
      'a |\u00a0b',
      ['a AND \u00a0b', 'a OR \u00a0b', 'a NOT \u00a0b'],
    ],
    ['not in front of another one', 'a | AND b', []],
    ['is put in capitals', 'a an|', ['a AND ']],
    ['closes the group', '(a |', ['(a AND ', '(a OR ', '(a NOT ', '(a )']],
    ['stands between two bounds', 'logCode:[1 |', ['logCode:[1 TO ']],
    ['closes a range', 'logCode:[1 TO 2 |', ['logCode:[1 TO 2 ]', 'logCode:[1 TO 2 }']],
    ['is not offered inside a regular expression', '/a |/', []],
    ['nor in a text without a field', '"a |', []],
  ])('%s', (_what, marked, completed) => {
    const operators = at(marked).filter((text) => !/[a-z]+:$/i.test(text.trim()));
    expect(operators).toEqual(completed);
  });

  test('says what a value can be', () => {
    expect(at('elapsed:|')).toEqual(['elapsed:[', 'elapsed:(', 'elapsed:[* TO *]']);
    expect(at('elapsed:|', { dialect: 'lucene' })).toContain('elapsed:>=');
    expect(at('msg:|')).toEqual(['msg:"', 'msg:(', 'msg:[* TO *]']);
  });

  test('is a moment in a range of dates', () => {
    expect(at('time:[now|', { limit: 2 })).toEqual(['time:[now-15m', 'time:[now-1h']);
    expect(at('time:[now-1h TO |', { limit: 1 })).toEqual(['time:[now-1h TO now']);
  });
});

describe('a place', () => {
  test('may be in the middle of a character', () => {
    const { from, to } = complete('😀', 1);
    expect([from, to]).toEqual([0, 2]);
    expect(at('msg:"😀|', { values: new Map([['msg', [{ value: '😀 x' }]]]) })).toEqual(['msg:"😀 x"']);
  });

  test.each([Number.NaN, -1, 99, 1.5])('that is none, as %d, is taken for the nearest one', (cursor) => {
    const { from, to } = complete('a b', cursor);
    expect([0 <= from, to <= 3]).toEqual([true, true]);
  });
});

describe('with fields and values of its own', () => {
  const schema = toSchema(
    [
      { name: 'kind', type: 'keyword', about: 'what it is', values: ['b', 'a c'] },
      { name: 'count', type: 'integer', about: 'how many' },
      { name: 'ratio', type: 'decimal', about: 'a share' },
      { name: 'when', type: 'date', about: 'the time' },
      { name: 'text', type: 'text', about: 'words', values: ['x', '---'] },
    ],
    ['text', 'kind'],
  );
  const values = new Map([
    [
      'kind',
      [
        { value: 'b', count: 1 },
        { value: 'z' },
        { value: '' },
        ...[200, 201].map((n) => ({ value: 'y'.repeat(n) })),
      ],
    ],
    ['count', [{ value: 9003, count: 3 }, { value: -5 }, { value: '12' }]],
    ['ratio', [{ value: 1.125 }, { value: 1e300 }]],
    ['when', [{ value: 0 }]],
    ['text', [{ value: 'some words' }, { value: 'timeout' }]],
  ]);

  /** The text at the bar that each suggestion puts in. */
  function inserted(marked: string, more: CompleteOptions = {}): string {
    const { suggestions } = complete(...cut(marked), { schema, values, ...more });
    return suggestions.map(({ insert }) => insert.replace(/y{200}/, 'yyy')).join(' | ');
  }

  test.each([
    // Known values come first, then those that logs have, and none that is empty or longer than anybody picks.
    ['kind:|', 'b | "a c" | z | yyy | " | ( | [* TO *]'],
    // Side by side words would be one value.
    ['kind:(|', '"b" | "a c" | "z" | "yyy" | NOT '],
    ['text:(|', 'x | "some words" | timeout | NOT '],
    ['text:t|~1', '"timeout"'],
    ['text:|', 'x | "some words" | timeout | " | ( | [* TO *]'],
    ['count:|', '9003 | "-5" | 12 | [ | ( | [* TO *]'],
    ['ratio:|', '1.125 | "1e+300" | [ | ( | [* TO *]'],
    ['when:|', '"1970-01-01T00:00:00.000Z" | [ | ( | [* TO *]'],
    ['count:[|', '9003 | "-5" | 12 | *'],
    ['count:[1 TO 9|', '9003'],
    ['when:[|', 'now | now-15m | now-1h | now-24h | now-7d | 1970-01-01T00:00:00.000Z | *'],
    ['kind:[|', 'b | "a c" | z | yyy | *'],
    // A bound on text is compared with tokens.
    ['text:[|', '*'],
    ['[|', '*'],
    ['count:[1 |5]', 'TO '],
    ['count:[1 T|5]', 'TO '],
  ])('at %s stands %s', (marked, expected) => {
    expect(inserted(marked)).toBe(expected);
  });

  test.each([
    ['kind:|', 'b | "a c" | z | yyy | " | ( | *'],
    ['count:|', '9003 | "-5" | 12 | [ | > | >= | < | <= | ( | *'],
  ])('in all of the language at %s stands %s', (marked, expected) => {
    expect(inserted(marked, { dialect: 'lucene' })).toBe(expected);
  });

  test.each([
    ['|', 'kind: | count: | ratio: | when: | text: | NOT '],
    ['B|', 'kind:b'],
    ['K|', 'kind:'],
    // Fields are found by a word about them only where nothing else is, and by more than a letter.
    ['tim|', 'when:'],
    ['ti|', 'ratio:'],
    ['ho|', 'count:'],
    ['h|', 'when:'],
    ['are|', ''],
    ['Kidn|', 'kind:'],
    ['ki|:x', 'kind'],
    ['-ki|', 'kind:'],
    ['x}|', ''],
  ])('at %s may begin %s', (marked, expected) => {
    expect(inserted(marked)).toBe(expected);
  });

  test.each([
    ['(x)|(z)', ' AND  |  OR  |  NOT '],
    ['(x |z)', 'AND  | OR  | NOT '],
    ['(x |)', 'AND  | OR  | NOT '],
    ['x OR|', 'OR '],
    ['x OR| z', ''],
    ['x NO|T(z)', 'NOT '],
    ['text:|(z)', 'x  | "some words" | timeout '],
    ['kind:b| z', ''],
    ['x |^2', ''],
  ])('at %s are put, with their blanks, %s', (marked, expected) => {
    expect(inserted(marked)).toBe(expected);
  });

  test('what a suggestion means is said beside it', () => {
    const details = ['kind:|', 'count:[|', 'B|', 'ki|'].map(
      (marked) => complete(...cut(marked), { schema, values }).suggestions[0],
    );
    expect(details.map((each) => `${each?.kind} ${each?.label}: ${each?.detail}`)).toEqual([
      'value b: 1 log',
      'bound 9003: how many',
      'value kind:b: what it is',
      'field kind: what it is',
    ]);
  });
});
