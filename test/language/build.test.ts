import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  and,
  boost,
  clause,
  field,
  group,
  match,
  not,
  type Operand,
  or,
  parse,
  phrase,
  print,
  range,
  regexp,
  resolve,
  wildcard,
  word,
} from '../../src/language/index.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { withoutEscapes, withoutQuotes } from '../../src/language/parse/lex.ts';
import { logOver, words } from '../../src/testing/filters.ts';
import { anyText, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(2000) };

describe('a part is written with what the grammar needs', () => {
  test.each<[expected: string, Operand]>([
    ['timeout', word('timeout')],
    ['C\\:\\\\data', word('C:\\data')],
    ['\\AND', word('AND')],
    ['timed\\ out', word('timed out')],
    ['*', wildcard('*')],
    ['a\\:b*c?', wildcard('a:b*c?')],
    ['/a\\/b/', regexp('a/b')],
    ['/a\\/b/', regexp('a\\/b')],
    ['"say \\"hi\\""~2', phrase('say "hi"', { slop: 2 })],
    ['[9000 TO 9999]', range(9000, 9999)],
    ['{-1.5 TO *]', range(-1.5, undefined, { includeLower: false })],
    ['[* TO "a b"}', range(undefined, 'a b', { includeUpper: false })],
    ['["TO" TO "\\u0022\\u005c"]', range('TO', '"\\')],
    ['["**" TO 0.0000001]', range('**', 1e-7)],
    ['user\\ name:a', clause('user name', word('a'))],
    ['msg:(a OR b)', clause('msg', or(word('a'), word('b')))],
    ['msg:a', clause('msg', and(word('a')))],
    ['(a)', group(word('a'))],
    ['(a AND b)^2', boost(and(word('a'), word('b')), 2)],
    ['"a"~2^0.5', boost(boost(phrase('a', { slop: 2 }), 3), 0.5)],
    ['a AND (b OR c) AND NOT msg:d', and(word('a'), or(word('b'), word('c')), not(clause('msg', word('d'))))],
    ['a OR (NOT b)', or(word('a'), not(word('b')))],
    ['NOT (a OR b)', not(or(word('a'), word('b')))],
    ['NOT (NOT a)', not(not(word('a')))],
    ['(a b) AND c', and(parse('  a b ').query, word('c'))],
    ['NOT a', or(parse('-a').query)],
  ])('%s', (expected, built) => {
    expect(print(built)).toBe(expected);
  });
});

describe('what has no text is an error', () => {
  test.each<[why: string, build: () => unknown, message: RegExp]>([
    ['no word', () => word(''), /no query/],
    ['a comparison', () => word('<5'), /begins as a comparison does: build a phrase/],
    ['nothing wild', () => wildcard('a'), /no Wildcard/],
    ['a slop below zero', () => phrase('a', { slop: -1 }), /whole number from 0 on/],
    ['an empty bound', () => range('', 'a'), /empty text/],
    ['a bound that the engine reads as open', () => range('*', 'b'), /for an open end give undefined/],
    ['no number', () => range(Number.NaN, 1), /NaN/],
    ['a field without a name', () => field(''), /no query/],
    ['no operands', () => and(), /no query/],
    ['a regular expression that goes on', () => and(regexp('a\\\\'), regexp('b')), /no query/],
    ['half an escape', () => regexp('a\\'), /ends in half an escape/],
    [
      'a regular expression that takes its neighbour',
      () => and(parse('/a\\/').query, word('x/y')),
      /no list of 2/,
    ],
    ['one of several', () => or(phrase('x'), regexp('b\\\\'), word('/c')), /no list of 3/],
    ['a negative weight', () => boost(word('a'), -1), /not negative/],
    ['no item', () => group(parse('a AND').query), /no query/],
  ])('%s', (_why, build, message) => {
    expect(build).toThrow(RangeError);
    expect(build).toThrow(message);
  });
});

test('any value comes back out of a word, a phrase and the ends of a range', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const { term } = phrase(value);
      expect(withoutEscapes(withoutQuotes(term.text)).text).toBe(value);
      if (value === '') return;
      if (!/^[<>]/.test(value)) expect(withoutEscapes(word(value).term.text).text).toBe(value);
      if (value === '*') return;
      const { lower, upper } = range(value, value);
      for (const bound of [lower, upper]) {
        const text = bound?.term.text ?? '';
        expect(withoutEscapes(text.startsWith('"') ? withoutQuotes(text) : text).text).toBe(value);
      }
    }),
    runs,
  );
});

test('any valid query can be an operand, and stays in one piece', () => {
  fc.assert(
    fc.property(luceneQuery, luceneQuery, (one, other) => {
      const [a, b] = [one, other].map((text) => parse(text).query);
      if (!a || !b) return;
      for (const query of [and(a, b), or(a, b), and(not(a)), and(clause('msg', a)), and(group(b))]) {
        expect(parse(print(query)).query).toEqual(query);
        expect(parse(print(query)).findings).toEqual([]);
      }
      expect(and(a, b).parts).toHaveLength(2);
    }),
    runs,
  );
});

/** A condition as it is thought of, apart from how the language writes it. */
type Condition =
  | { readonly kind: 'leaf'; readonly query: Operand }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not'; readonly operand: Condition };

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(
        fc.constantFrom(...words).map((value) => clause('msg', word(value))),
        fc.integer({ min: 9001, max: 9005 }).map((code) => clause('logCode', range(code, undefined))),
        fc.constantFrom(...words).map((value) => clause('msg', phrase(value))),
      )
      .map((query) => ({ kind: 'leaf' as const, query })),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('condition') }),
  ),
}));

function build(of: Condition): Operand {
  if (of.kind === 'leaf') return of.query;
  if (of.kind === 'not') return not(build(of.operand));
  return (of.kind === 'and' ? and : or)(...of.operands.map(build));
}

function holds(of: Condition, isSelected: (leaf: Operand) => boolean): boolean {
  if (of.kind === 'leaf') return isSelected(of.query);
  if (of.kind === 'not') return !holds(of.operand, isSelected);
  return of.kind === 'and'
    ? of.operands.every((each) => holds(each, isSelected))
    : of.operands.some((each) => holds(each, isSelected));
}

test.each(['or', 'and'] as const)(
  'and, or and not mean what they say, where words are joined by %s',
  (defaultOperator) => {
    fc.assert(
      fc.property(condition, logOver(documentedSchema), (of, log) => {
        const select = (operand: Operand) =>
          match(resolve(parse(print(operand)).query, { defaultOperator }), log);
        expect(select(build(of))).toBe(holds(of, select));
      }),
      runs,
    );
  },
);
