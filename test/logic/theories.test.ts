import { describe, expect, test } from 'vitest';
import { newEffort } from '../../src/language/automata/automaton.ts';
import { textTheory } from '../../src/language/logic/compare.ts';
import type { LeafFilter } from '../../src/language/logic/diagram.ts';
import { type FieldTheory, keywordLine, lineTheory, numberLine } from '../../src/language/logic/theories.ts';
import type { Field } from '../../src/language/meaning/schema.ts';

const text: Field = { name: 'msg', type: 'text', about: '' };
const keyword: Field = { name: 'machine', type: 'keyword', about: '' };
const number: Field = { name: 'logCode', type: 'integer', about: '' };

const term = (word: string, field = text): LeafFilter => ({ kind: 'term', field, term: word });
const prefix = (start: string, field = text): LeafFilter => ({ kind: 'prefix', field, prefix: start });
const regexp = (pattern: string, field = text): LeafFilter => ({ kind: 'regexp', field, pattern });
const phrase = (words: string, slop = 0): LeafFilter => ({
  kind: 'phrase',
  field: text,
  terms: words.split(' '),
  slop,
});
const range = (lower: number, upper: number): LeafFilter => ({
  kind: 'range',
  field: number,
  lower: { value: lower, inclusive: true },
  upper: { value: upper, inclusive: true },
});

const numbered = (leaves: readonly LeafFilter[]) => leaves.map((leaf, order) => ({ leaf, order }));
const textOf = (...leaves: readonly LeafFilter[]) => textTheory(numbered(leaves), newEffort());
const keywordOf = (...leaves: readonly LeafFilter[]) =>
  lineTheory(numbered(leaves), keywordLine, newEffort());
const numberOf = (...leaves: readonly LeafFilter[]) =>
  lineTheory(numbered(leaves), numberLine('integer'), newEffort());

/** The constraints as texts such as `-0 1`: not the first variable, or the second. */
function constraintsOf({ variables, constraints }: FieldTheory): readonly string[] {
  return constraints.map((clause) =>
    clause.map(({ variable, holds }) => `${holds ? '' : '-'}${variables.indexOf(variable)}`).join(' '),
  );
}

/** The value of an assignment: `1` and `0` for each variable in their order, `?` where it may be either. */
function valueFor(theory: FieldTheory, assignment: string) {
  const holds = new Map(theory.variables.map((variable, index) => [variable, assignment[index]]));
  const found = theory.realise((variable) => {
    const wanted = holds.get(variable);
    return wanted === '?' || wanted === undefined ? undefined : wanted === '1';
  }, newEffort());
  return found.kind === 'value' ? found.value : found.kind;
}

describe('the constraints of a text', () => {
  test.each<[what: string, theory: FieldTheory, costs: readonly number[], constraints: readonly string[]]>([
    ['terms alone', textOf(term('a'), term('b')), [2, 2], []],
    ['a term that no text has', textOf(term('A'), term('b')), [2], []],
    ['a phrase with its terms', textOf(term('a'), term('b'), phrase('a b')), [2, 2, 2], ['-2 0', '-2 1']],
    ['a phrase with one term twice', textOf(term('a'), phrase('a a a')), [2, 3], ['-1 0']],
    ['a phrase that no text has', textOf(term('a'), phrase('a B')), [2], []],
    ['a phrase within another', textOf(phrase('a b c'), phrase('b c')), [3, 2], ['-0 1']],
    ['a pattern that a term fits', textOf(term('ab'), regexp('a.')), [2, 2], ['-0 1']],
    ['a pattern that no term fits', textOf(term('b'), regexp('a.')), [2, 2], []],
    ['a pattern that a term of a phrase fits', textOf(phrase('x ab'), regexp('a.')), [2, 2], ['-0 1']],
    // The rests are the tokens before the prefix, those with it, and those behind it.
    ['a pattern among all tokens', textOf(prefix('b'), regexp('.c')), [3, 3, 3, 2], ['-3 0 1 2']],
    ['a phrase among all tokens', textOf(prefix('b'), phrase('bc d')), [3, 3, 3, 2], ['-3 1', '-3 2']],
    ['a term among all tokens', textOf(prefix('b'), term('bc')), [2, 3, 3, 3], []],
    [
      'norms',
      textOf({ kind: 'exists', field: text, byNorms: true }, term('a'), phrase('b c')),
      [2, 2, 1],
      ['-0 2', '-1 2'],
    ],
  ])('%s', (_, theory, costs, constraints) => {
    expect(theory.variables.map(({ cost }) => cost)).toEqual(costs);
    expect(constraintsOf(theory)).toEqual(constraints);
  });
});

describe('a text for an assignment', () => {
  test.each<[what: string, theory: FieldTheory, assignment: string, value: unknown]>([
    ['no condition', textOf(term('a')), '?', undefined],
    ['none of the terms', textOf(term('a'), term('b')), '00', undefined],
    ['one of two terms', textOf(term('a'), term('b')), '10', 'a'],
    ['both terms', textOf(term('a'), term('b')), '11', 'a b'],
    ['terms that are no phrase', textOf(term('a'), term('b'), phrase('a b')), '110', 'b a'],
    [
      'terms that are neither of two phrases',
      textOf(term('a'), term('b'), phrase('a b'), phrase('b a')),
      '1100',
      'a x b',
    ],
    ['a phrase and a term in it', textOf(phrase('a b'), term('b')), '11', 'a b'],
    [
      'a phrase with a slop and not without',
      textOf(term('a'), term('b'), phrase('a b'), phrase('a b', 1)),
      '1101',
      'a x b',
    ],
    ['a phrase in a phrase', textOf(phrase('b c'), phrase('a b c')), '11', 'a b c'],
    ['two phrases that share no term', textOf(phrase('b c'), phrase('a d')), '11', 'b c a d'],
    ['a phrase twice, with a slop and without', textOf(phrase('a b'), phrase('a b', 1)), '11', 'a b'],
    ['a token of an interval, which a phrase has', textOf(prefix('b'), phrase('bc d')), '0111', 'bc d'],
    ['a token of an interval beside a phrase', textOf(prefix('b'), phrase('d e')), '0111', 'd e b'],
    ['a pattern', textOf(regexp('k[0-9]q')), '1', 'k0q'],
    ['one pattern and not another', textOf(regexp('[xy]z?'), regexp('x.*')), '10', 'y'],
    ['a pattern that a term fits', textOf(term('ab'), regexp('a.')), '11', 'ab'],
    ['a term and not the pattern that it fits', textOf(term('ab'), regexp('a.')), '10', 'unknown'],
    ['a token with a prefix', textOf(prefix('tim')), '?1?', 'tim'],
    ['a token before a prefix', textOf(prefix('b')), '100', 'a'],
    ['a token behind a prefix', textOf(prefix('b')), '001', 'x'],
    ['a term, and another token with its prefix', textOf(prefix('b'), term('b')), '1010', 'b ba'],
    ['a text without any token', textOf({ kind: 'exists', field: text, byNorms: true }), '1', '---'],
    ['no text at all', textOf({ kind: 'exists', field: text, byNorms: true }), '0', undefined],
  ])('%s', (_, theory, assignment, value) => {
    expect(valueFor(theory, assignment)).toEqual(value);
  });
});

describe('the constraints of a value', () => {
  test.each<[what: string, theory: FieldTheory, costs: readonly number[], constraints: readonly string[]]>([
    ['nothing but values', keywordOf(regexp('a.', keyword)), [3, 0], ['0 -1']],
    // Segments 1 to 3 are what comes before the term, the term, and what comes behind it.
    [
      'a term that fits',
      keywordOf(term('ab', keyword), regexp('a.', keyword)),
      [3, 2.5, 0],
      ['0 1 -2', '-0 1 2'],
    ],
    [
      'a term that does not fit',
      keywordOf(term('b', keyword), regexp('a.', keyword)),
      [3, 2.5, 0],
      ['0 1 -2', '-0 1 -2'],
    ],
    ['numbers', numberOf(range(1, 5)), [3, 2.5], []],
  ])('%s', (_, theory, costs, constraints) => {
    expect(theory.variables.map(({ cost }) => cost)).toEqual(costs);
    expect(constraintsOf(theory)).toEqual(constraints);
  });
});

describe('a value for an assignment', () => {
  const fitting = keywordOf(term('ab', keyword), regexp('[a-z][0-9]', keyword));

  test.each<[what: string, theory: FieldTheory, assignment: string, value: unknown]>([
    ['none', numberOf(range(1, 5)), '00', undefined],
    ['none, where all is open', numberOf(range(1, 5)), '??', undefined],
    ['before a range', numberOf(range(1, 5)), '01', 0],
    ['in a range', numberOf(range(1, 5)), '10', 1],
    ['behind a range', numberOf(range(1, 5)), '11', 6],
    ['in a range that has no number', numberOf(range(5, 1)), '??', undefined],
    // Of two ranges there are five segments, so 6 and 7 stand for the last one, too.
    ['between two ranges', numberOf(range(1, 5), range(8, 9)), '011', 6],
    ['behind two ranges', numberOf(range(1, 5), range(8, 9)), '101', 10],
    ['behind two ranges, by a larger number', numberOf(range(1, 5), range(8, 9)), '111', 10],
    ['of a term', fitting, '100', 'ab'],
    ['of a term that the pattern does not fit', fitting, '101', 'unknown'],
    ['of a pattern before a term', fitting, '011', 'a0'],
    ['of a pattern behind a term', fitting, '111', 'x0'],
    ['of no pattern behind a term', fitting, '110', 'x'],
    ['of a pattern, wherever', fitting, '??1', 'a0'],
  ])('%s', (_, theory, assignment, value) => {
    expect(valueFor(theory, assignment)).toEqual(value);
  });
});
