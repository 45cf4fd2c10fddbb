import { describe, expect, test } from 'vitest';
import { newEffort, TooComplex } from '../../src/language/automata/automaton.ts';
import { areSame, isEqual, shrinkLog } from '../../src/language/logic/compare.ts';
import type { LeafFilter } from '../../src/language/logic/diagram.ts';
import {
  costOfMatch,
  cutInto,
  hasMatch,
  holdsTerm,
  isNeverInText,
  isNeverToken,
  isToken,
  keywordLine,
  numberLine,
  phraseImplies,
  termInterval,
  textsFitting,
  textsIn,
  wholeEnds,
} from '../../src/language/logic/theories.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import { filterKey, type PhraseFilter } from '../../src/language/meaning/filter.ts';
import {
  compareCodePoints,
  type FieldValues,
  leavesIn,
  type TermPattern,
  termTest,
} from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { type Field, toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';

const field: Field = { name: 'machine', type: 'keyword', about: '' };

describe('the terms of a leaf side by side', () => {
  const [included, excluded] = [
    (value: string) => ({ value, inclusive: true }),
    (value: string) => ({ value, inclusive: false }),
  ];

  test.each<
    [
      name: string,
      leaf: Parameters<typeof termInterval>[0],
      from?: string | undefined,
      to?: string | undefined,
    ]
  >([
    ['a term', { kind: 'term', field, term: 'a' }, 'a', 'a\0'],
    ['between', { kind: 'termRange', field, lower: included('a'), upper: excluded('b') }, 'a', 'b'],
    ['beyond', { kind: 'termRange', field, lower: excluded('a'), upper: included('b') }, 'a\0', 'b\0'],
    ['from', { kind: 'termRange', field, lower: included('a') }, 'a', undefined],
    ['to', { kind: 'termRange', field, upper: included('a') }, undefined, 'a\0'],
    ['a prefix', { kind: 'prefix', field, prefix: 'ab' }, 'ab', 'ac'],
    ['an empty prefix', { kind: 'prefix', field, prefix: '' }],
    ['a prefix before the surrogates', { kind: 'prefix', field, prefix: 'a\ud7ff' }, 'a\ud7ff', 'a\ue000'],
    // Surrogates come last in the order of code points.
    ['a prefix behind which they come', { kind: 'prefix', field, prefix: 'a\uffff' }, 'a\uffff', 'a\ud800'],
    [
      'a prefix with the last unit',
      { kind: 'prefix', field, prefix: 'a\udbff\udfff' },
      'a\udbff\udfff',
      'a\udc00',
    ],
    ['a prefix of last units', { kind: 'prefix', field, prefix: '\udfff\udfff' }, '\udfff\udfff', undefined],
  ])('%s', (_, leaf, from, to) => expect(termInterval(leaf)).toEqual({ from, to }));

  test('a pattern has none', () => {
    expect(termInterval({ kind: 'wildcard', field, pattern: 'a?' })).toBeUndefined();
  });

  test('hold the terms from the first on, up to but without the end', () => {
    const terms = ['', 'a', 'a\0', 'ab', 'b', 'c', '\uffff', '\u{10000}'];
    const held = (from: string | undefined, to: string | undefined) =>
      terms.filter((term) => holdsTerm({ from, to }, term));
    expect(held('a', 'b')).toEqual(['a', 'a\0', 'ab']);
    expect(held(undefined, 'a\0')).toEqual(['', 'a']);
    expect(held('c', undefined)).toEqual(['c', '\uffff', '\u{10000}']);
    expect(held(undefined, '\u{10000}')).toEqual(terms.slice(0, -1));
  });
});

test('a line is cut at every end, and an interval is the segments between its ends', () => {
  const { all, segmentsOf: within } = cutInto(
    [
      { from: 'b', to: 'd' },
      { from: undefined, to: 'c' },
      { from: 'd', to: undefined },
    ],
    compareCodePoints,
  );
  expect(all).toEqual([
    { from: undefined, to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'd' },
    { from: 'd', to: undefined },
  ]);
  expect(within({ from: 'b', to: 'd' })).toEqual([1, 3]);
  expect(within({ from: undefined, to: 'c' })).toEqual([0, 2]);
  expect(within({ from: 'd', to: undefined })).toEqual([3, 4]);
});

describe('texts in an interval', () => {
  test.each([
    [undefined, undefined],
    ['timed', 'timee'],
    ['a', 'a\0'],
    ['a'.repeat(40), `${'a'.repeat(40)}b`],
    ['中', '丮'],
    ['\u{10000}', '\u{10001}'],
    [undefined, '1'],
    ['zz', undefined],
  ])('from %j to %j lie in it, and there are some', (from, to) => {
    const texts = [...textsIn({ from, to })];
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      expect(holdsTerm({ from, to }, text)).toBe(true);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  test('of a keyword are the shortest first, and its lower end last', () => {
    const values = keywordLine.valuesIn({ from: 'bb', to: 'bc' });
    expect(values.slice(0, 3)).toEqual(['bb', 'bba', 'bb0']);
    expect(values.at(-1)).toBe('bb');
    expect(values.map(({ length }) => length).slice(0, -1)).toEqual(
      values
        .map(({ length }) => length)
        .slice(0, -1)
        .toSorted((a, b) => a - b),
    );
    expect(keywordLine.valuesIn({ from: 'b', to: 'a' })).toEqual([]);
    expect(keywordLine.onlyValue({ from: 'b', to: 'b\0' })).toBe('b');
    expect(keywordLine.onlyValue({ from: 'b', to: 'c' })).toBeUndefined();
    expect(keywordLine.onlyValue({ from: undefined, to: '\0' })).toBeUndefined();
  });

  test('of anything are plain words first', () => {
    expect(textsIn({ from: undefined, to: undefined }).next().value).toBe('x');
  });
});

describe('tokens', () => {
  test.each([
    ['time', true],
    ['10.1.2.3', true],
    ['Time', false],
    ['a b', false],
    ['a-b', false],
    ['-', false],
    ['', false],
    ['a-', false],
  ])('%j is one: %s', (text, expected) => expect(isToken(text)).toBe(expected));

  test.each([
    ['', true],
    ['a b', true],
    ['a\nb', true],
    ['A', true],
    ['-', true],
    ['a-b', true],
    ['a\u00a0b', true],
    ['a', false],
    ['ß', false],
    ['a.b:c', false],
    // A byte order mark extends a word, and a keycap makes a token of a number sign.
    ['a\ufeffb', false],
    ['#\u20e3', false],
    // Only the analyzer can decide whether this is a token.
    ['..', false],
  ])('%j is never one: %s', (text, expected) => expect(isNeverToken(text)).toBe(expected));

  const text: Field = { name: 'msg', type: 'text', about: '' };
  test.each<[query: string, expected: boolean]>([
    ['*foo-bar*', true],
    [String.raw`*timed\ out*`, true],
    ['foo-b*', true],
    [String.raw`t\Ame?`, true],
    ['*foo.bar*', false],
    ['Time*', false],
    ['?', false],
    ['/.*timed out.*/', true],
    ['/timed[- ]out/', true],
    ['/(timed out|())/', true],
    ['/a{2}( b)+/', true],
    ['/#/', true],
    ['/timed[ .]out/', false],
    ['/timed( out)*/', false],
    ['/timed( out){0}/', false],
    ['/timed.out/', false],
    ['/ &a/', true],
    ['/~(a b)/', false],
    ['/[^a]<1-9>@/', false],
    ['foo-bar~', false],
    [String.raw`foo\ -\ bar~`, true],
    [String.raw`a\ b~0`, true],
    ['foo-bar~1', false],
    ['{* TO -1.0]', true],
    ['[* TO 0}', true],
    ['[* TO 0]', false],
    ['[-1 TO *]', false],
  ])('of %s none matches: %s', (query, expected) => {
    const filter = resolve(parse(query).query, { schema: toSchema([text], [text.name]) });
    expect([...leavesIn(filter)].map(isNeverInText)).toEqual([expected]);
  });
});

describe('filters are alike', () => {
  test.each<[a: unknown, b: unknown, expected: boolean]>([
    [1, 1, true],
    [0, -0, false],
    [Number.NaN, Number.NaN, true],
    [1, 1n, false],
    [1, '1', false],
    [null, {}, false],
    [{}, null, false],
    [null, null, true],
    [[1, 2], [1, 2], true],
    [[1, 2], [1], false],
    [[1, 2], [2, 1], false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [{ a: 1, b: 2 }, { a: 1, c: 2 }, false],
    [{ a: { b: 1 } }, { a: { b: 2 } }, false],
    [{ a: 1 }, 1, false],
    [1, { a: 1 }, false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(isEqual(a, b)).toBe(expected);
    expect(isEqual(b, a)).toBe(expected);
  });

  test('just when their keys are', () => {
    const bounds = [
      0,
      -0,
      1n,
      1,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
      2n ** 60n,
      'x',
    ];
    const keys = bounds.map((value) => filterKey({ kind: 'range', lower: { value, inclusive: true } }));
    expect(new Set(keys).size).toBe(bounds.length);
    expect(keys).toEqual(
      bounds.map((value) => filterKey({ kind: 'range', lower: { value, inclusive: true } })),
    );
  });
});

describe('a log shrinks', () => {
  const words = (values: FieldValues, name: string) => String(values[name] ?? '').split(' ');

  test.each<
    [name: string, values: FieldValues, holds: (values: FieldValues) => boolean, expected: FieldValues]
  >([
    [
      'to the words that matter',
      { msg: 'a b c d e f g h', source: 'x' },
      (values) => words(values, 'msg').includes('c') && words(values, 'msg').includes('h'),
      { msg: 'c h' },
    ],
    ['to one word of many', { msg: 'a b c d' }, ({ msg }) => msg !== undefined, { msg: 'd' }],
    ['to its last word', { msg: 'a b' }, ({ msg }) => msg !== undefined, { msg: 'b' }],
    ['by no part of a word', { msg: 'abc' }, ({ msg }) => msg !== undefined, { msg: 'abc' }],
    ['by no number', { logCode: 7, msg: 'a' }, ({ logCode }) => logCode === 7, { logCode: 7 }],
    ['to nothing', { logCode: 7, msg: 'a b' }, () => true, {}],
    [
      'again where another field has shrunk',
      { msg: 'a b', source: 'c d' },
      (values) =>
        words(values, 'source').length <= words(values, 'msg').length &&
        values.msg !== undefined &&
        values.source !== undefined,
      { msg: 'b', source: 'd' },
    ],
  ])('%s', (_, values, holds, expected) => expect(shrinkLog(values, holds)).toEqual(expected));

  test('as far as it was found out', () => {
    const text = { msg: 'a b c d' };
    expect(shrinkLog(text, () => undefined)).toEqual(text);
    const seen: FieldValues[] = [];
    const once = shrinkLog(text, (values) => {
      seen.push(values);
      return seen.length < 3 ? values.msg !== undefined : undefined;
    });
    expect(once).toEqual({ msg: 'c d' });
  });

  test('no further once it took too long, also where a field could go', () => {
    let calls = 0;
    const values = { msg: 'a b', source: 'c d' };
    const held = () => {
      calls += 1;
      return undefined;
    };
    expect([shrinkLog(values, held), calls]).toEqual([values, 1]);
  });
});

test('filters are known to be the same, or not', () => {
  expect(areSame(filterOfText('a OR b AND c'), filterOfText('c AND b'))).toBe(true);
  expect(areSame(filterOfText('a'), filterOfText('b'))).toBe(false);
  // An undecided comparison is not a proof.
  const odd = { kind: 'term', field: { ...field, type: 'text' }, term: '..' } as const;
  expect(areSame(odd, { kind: 'none' })).toBe(false);
});

describe('a phrase that has another one', () => {
  const phrase = (text: string, slop = 0): PhraseFilter => ({
    kind: 'phrase',
    field,
    terms: text.split(' '),
    slop,
  });

  test.each([
    ['a b c', 0, 'b c', 0, true],
    ['a b', 0, 'b a', 0, false],
    ['a b', 0, 'a c', 0, false],
    ['a x b', 0, 'a b', 0, false],
    ['a x b', 0, 'a b', 1, true],
    ['a x y b', 0, 'a b', 1, false],
    ['a b', 1, 'a b', 2, true],
    ['a b', 2, 'a b', 2, true],
    ['a b', 2, 'a b', 1, false],
    ['a b', 1, 'a b', 0, false],
    ['a b', 1, 'b a', 3, false],
    ['a b a', 0, 'a a', 1, false],
    ['a a', 0, 'a a', 0, true],
  ])('"%s"~%d has "%s"~%d: %s', (one, slop, other, otherSlop, expected) => {
    expect(phraseImplies(phrase(one, slop), phrase(other, otherSlop))).toBe(expected);
  });
});

describe('the steps of a match', () => {
  test.each<[name: string, leaf: LeafFilter, tokens: number, steps: number]>([
    ['a phrase', { kind: 'phrase', field, terms: ['a', 'b'], slop: 0 }, 10, 12],
    ['a sloppy phrase', { kind: 'phrase', field, terms: Array(64).fill('a'), slop: 1 }, 10, 154],
    ['a wildcard', { kind: 'wildcard', field, pattern: 'a?c*' }, 10, 90],
    ['a regular expression', { kind: 'regexp', field, pattern: 'abcd' }, 10, 90],
    ['a fuzzy term', { kind: 'fuzzy', field, term: 'abc', edits: 1 }, 10, 200],
    ['a range', { kind: 'termRange', field }, 10, 40],
    ['a term', { kind: 'term', field, term: 'a' }, 10, 10],
  ])('%s', (_, leaf, tokens, steps) => expect(costOfMatch(leaf, tokens)).toBe(steps));

  test('are spent before it is tried', () => {
    const leaf: LeafFilter = { kind: 'wildcard', field, pattern: 'a*' };
    expect(() => hasMatch(leaf, ['ab'], newEffort(16))).toThrow(TooComplex);
    expect(hasMatch(leaf, ['ab'], newEffort(17))).toBe(true);
  });
});

describe('the ends of a range as whole numbers', () => {
  const [least, greatest] = [-(2n ** 63n), 2n ** 63n - 1n];
  const [from, to] = [
    (value: number | bigint, inclusive = true) => ({ lower: { value, inclusive } }),
    (value: number | bigint, inclusive = true) => ({ upper: { value, inclusive } }),
  ];

  test.each([
    [{}, undefined, undefined],
    [from(1.5), 2, undefined],
    [from(1, false), 2, undefined],
    [from(1.5, false), 2, undefined],
    [to(5, false), undefined, 4],
    [to(5.5), undefined, 5],
    [{ ...from(3), ...to(3) }, 3, 3],
    [from(-1e300), least, undefined],
    [from(least), least, undefined],
    [to(greatest), undefined, undefined],
    [to(1e300), undefined, undefined],
    [to(greatest, false), undefined, greatest - 1n],
    [to(least), undefined, least],
  ])('%o', (ends, first, last) => {
    expect(wholeEnds({ kind: 'range', field: { ...field, type: 'integer' }, ...ends }, 'integer')).toEqual({
      first,
      last,
    });
  });

  test.each([
    { ...from(5), ...to(1) },
    { ...from(3), ...to(3, false) },
    { ...from(1.2), ...to(1.8) },
    from(greatest, false),
    from(1e300),
    to(least, false),
    to(-1e300),
    from(Number.NaN),
  ])('none in %o', (ends) => {
    expect(
      wholeEnds({ kind: 'range', field: { ...field, type: 'integer' }, ...ends }, 'integer'),
    ).toBeUndefined();
  });
});

describe('texts that a pattern matches', () => {
  test.each<[name: string, pattern: TermPattern]>([
    ['a prefix', { kind: 'prefix', field, prefix: 'ab' }],
    ['a wildcard', { kind: 'wildcard', field, pattern: 'a?c*' }],
    ['a regular expression', { kind: 'regexp', field, pattern: '[0-9]{2,3}(x|é|中)' }],
    ['another one', { kind: 'regexp', field, pattern: '[^a-z]+' }],
    ['code points behind the surrogates', { kind: 'regexp', field, pattern: '[\ue000-\u{10ffff}]' }],
    ['a fuzzy term', { kind: 'fuzzy', field, term: 'abc', edits: 1 }],
  ])('%s', (_, pattern) => {
    const texts = textsFitting(pattern, newEffort());
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => !termTest(pattern)(text))).toEqual([]);
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  test('are likely letters, the shortest texts first', () => {
    const textsOf = (leaf: LeafFilter) => textsFitting(leaf, newEffort());
    expect(textsOf({ kind: 'fuzzy', field, term: 'abc', edits: 1 })).toEqual([
      ...['abc', 'abcx', 'bc', 'ac', 'ab', 'xbc', 'axc', 'abx'],
    ]);
    expect(textsOf({ kind: 'regexp', field, pattern: '[b-y]1?' })).toEqual(['x', 'x1']);
    expect(textsOf({ kind: 'regexp', field, pattern: '[b-d]' })).toEqual(['b']);
    expect(textsOf({ kind: 'regexp', field, pattern: '[\ud800-\udfff]' })).toEqual([]);
    expect(textsOf({ kind: 'regexp', field, pattern: '.{6}' })).toHaveLength(40);
    expect(textsOf({ kind: 'prefix', field, prefix: 'ab' })).toEqual(['ab', 'abx']);
  });

  test.each<[name: string, leaf: LeafFilter]>([
    ['a term', { kind: 'term', field, term: 'a' }],
    ['a text that is no pattern', { kind: 'regexp', field, pattern: '(' }],
    ['what matches nothing', { kind: 'regexp', field, pattern: '#' }],
    ['the empty text alone', { kind: 'regexp', field, pattern: '()' }],
  ])('%s has none', (_, leaf) => {
    expect(textsFitting(leaf, newEffort())).toEqual([]);
  });
});

describe('the line of numbers of a type', () => {
  const types = ['integer', 'decimal', 'date'] as const;

  test.each(types)('%s: values of an interval lie in it, also in one of a single value', (type) => {
    const line = numberLine(type);
    const single = line.interval({
      kind: 'range',
      field: { ...field, type },
      lower: { value: 7, inclusive: true },
      upper: { value: 7, inclusive: true },
    });
    if (!single) throw new Error('A range has no interval');
    expect(line.valuesIn(single)).toEqual([7]);
    expect([
      line.onlyValue(single),
      line.onlyValue({ from: 7, to: undefined }),
      line.onlyValue({ from: 7, to: 9 }),
    ]).toEqual([...[7, undefined, undefined]]);
    expect(line.valuesIn({ from: 9, to: 7 })).toEqual([]);
    for (const interval of [
      single,
      { from: 3, to: 1000 },
      { from: undefined, to: -5 },
      { from: 5, to: undefined },
    ]) {
      const values = line.valuesIn(interval);
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) {
        expect(interval.from === undefined || line.compare(interval.from, value) <= 0).toBe(true);
        expect(interval.to === undefined || line.compare(value, interval.to) < 0).toBe(true);
      }
    }
  });

  test('decimals are as dense as doubles are', () => {
    const line = numberLine('decimal');
    const above = line.interval({
      kind: 'range',
      field: { ...field, type: 'decimal' },
      lower: { value: 1, inclusive: false },
      upper: { value: 2, inclusive: false },
    });
    expect(above).toEqual({ from: 1 + Number.EPSILON, to: 2 });
    const least = { value: 0, inclusive: false };
    expect(line.interval({ kind: 'range', field: { ...field, type: 'decimal' }, lower: least })).toEqual({
      from: Number.MIN_VALUE,
      to: undefined,
    });
  });

  test('no number is the only one of an interval without an end', () => {
    const greatest = 2n ** 63n - 1n;
    const line = numberLine('integer');
    expect(line.onlyValue({ from: greatest, to: undefined })).toBeUndefined();
    expect(line.valuesIn({ from: greatest - 1n, to: greatest })).toEqual([greatest - 1n]);
    expect(line.valuesFitting({ kind: 'exists', field }, newEffort())).toEqual([]);
  });

  test('values of an interval are the shortest first', () => {
    expect(numberLine('integer').valuesIn({ from: 1000, to: 2002 })).toEqual([1000, 1001, 2001, 1500]);
    expect(numberLine('decimal').valuesIn({ from: 0.25, to: 4 })).toEqual([...[1, 2, 3, 0.25, 2.125]]);
  });

  test('no value is a negative zero', () => {
    const values = numberLine('decimal').valuesIn({ from: -0.5, to: 1 });
    expect(values.filter((value) => Object.is(value, -0))).toEqual([]);
    expect(values).toContain(0);
  });

  test('a decimal beyond a whole number that no double is', () => {
    const line = numberLine('decimal');
    const beyond = (value: bigint, inclusive: boolean) =>
      line.interval({
        kind: 'range',
        field: { ...field, type: 'decimal' },
        lower: { value, inclusive },
      })?.from;
    expect([beyond(2n ** 53n + 1n, false), beyond(2n ** 53n + 3n, false)]).toEqual([
      2 ** 53 + 2,
      2 ** 53 + 4,
    ]);
    expect([beyond(2n ** 53n, true), beyond(2n ** 53n, false)]).toEqual([2 ** 53, 2 ** 53 + 2]);
  });

  test('a leaf that is no range has no interval', () => {
    expect(numberLine('integer').interval({ kind: 'exists', field })).toBeUndefined();
  });
});
