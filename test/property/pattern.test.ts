import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Edits, fuzzyTest } from '../../src/language/automata/fuzzy.ts';
import { matchesSloppily } from '../../src/language/automata/phrase.ts';
import {
  checkRegexp,
  checkWildcard,
  compileWildcard,
  wildcardTest,
} from '../../src/language/automata/wildcard.ts';
import { isNeverInText } from '../../src/language/logic/theories.ts';
import { analyze, lowerCase, occursInTokens } from '../../src/language/meaning/analyze.ts';
import { automatonTest, termTest } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { rounds } from '../effort.ts';
import * as text from './pattern-text.ts';

const field: Field = { name: 'value', type: 'keyword', about: 'a value' };
const accepts = (pattern: string) => termTest({ kind: 'regexp', field, pattern });

/** Letters in which everything is plain: those that JavaScript and the engine read alike. */
const terms = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 6 }), {
  maxLength: 20,
});

test('a wildcard matches what a search with all its ways back matches', () => {
  fc.assert(
    fc.property(text.wildcardPattern, fc.array(fc.oneof(text.term, text.value)), (pattern, values) => {
      for (const value of values) {
        expect(wildcardTest(pattern)(value)).toBe(matchesNaively(wildcardUnits(pattern), [...value]));
      }
    }),
    { numRuns: rounds(2000) },
  );
});

test('a wildcard matches what its automaton accepts', () => {
  fc.assert(
    fc.property(text.wildcardPattern, fc.array(text.term), (pattern, values) => {
      const compiled = compileWildcard(pattern);
      if ('refusal' in compiled) throw new Error(compiled.refusal.message);
      for (const value of values)
        expect(automatonTest(compiled.automaton)(value)).toBe(wildcardTest(pattern)(value));
    }),
  );
});

test('a pattern that no token can match matches none', () => {
  const field: Field = { name: 'msg', type: 'text', about: '' };
  const spaced = (arbitrary: fc.Arbitrary<string>) =>
    fc
      .tuple(arbitrary, fc.constantFrom('a', ' ', '.', 'É'), fc.constantFrom('1', ' ', '\ufeff', ':'))
      .map(([pattern, a, one]) => pattern.replaceAll('c', a).replaceAll('1', one));
  const leaf = fc.oneof(
    spaced(text.wildcardPattern).map((pattern) => ({ kind: 'wildcard', field, pattern }) as const),
    spaced(text.regexpText).map((pattern) => ({ kind: 'regexp', field, pattern }) as const),
    fc
      .tuple(spaced(text.nonEmptyTerm), fc.constantFrom<Edits[]>(0, 1, 2))
      .map(([term, edits]) => ({ kind: 'fuzzy', field, term, edits }) as const),
  );
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom(...'abc10. :.:É文é\ufeff\u20e3#'), maxLength: 9 }),
  );
  fc.assert(
    fc.property(leaf, texts, (leaf, texts) => {
      fc.pre(isNeverInText(leaf));
      for (const token of texts.flatMap(analyze)) expect(termTest(leaf)(token), token).toBe(false);
    }),
    { numRuns: rounds(2000) },
  );
});

test('each character of a token occurs in tokens, and none begins before the digits', () => {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    // Only what changes in lower case could become a character of another class.
    if (codePoint % 97 !== 0 && lowerCase(character) === character) continue;
    for (const token of analyze(`a${character}a 1${character}1 ${character} ${character}a`)) {
      expect(token < '0', token).toBe(false);
      for (const each of token) expect(occursInTokens(each.codePointAt(0) ?? 0), token).toBe(true);
    }
  }
});

test('a regular expression that JavaScript reads alike accepts the same', () => {
  fc.assert(
    fc.property(text.sharedRegexp, terms, (pattern, values) => {
      // Patterns with too many states for the engine are refused.
      fc.pre(!checkRegexp(pattern));
      const theirs = new RegExp(`^(?:${pattern})$`, 'su');
      const ours = accepts(pattern);
      for (const value of values) expect(ours(value)).toBe(theirs.test(value));
    }),
    { numRuns: rounds(3000) },
  );
});

test('complement, intersection and union are those of sets', () => {
  fc.assert(
    fc.property(text.regexpText, text.regexpText, fc.array(text.term), (left, right, values) => {
      fc.pre([left, right, `(${left})&(${right})`, `~(${left})`].every((each) => !checkRegexp(each)));
      const [inLeft, inRight] = [accepts(left), accepts(right)];
      for (const value of values) {
        expect(accepts(`~(${left})`)(value)).toBe(!inLeft(value));
        expect(accepts(`(${left})&(${right})`)(value)).toBe(inLeft(value) && inRight(value));
        expect(accepts(`(${left})|(${right})`)(value)).toBe(inLeft(value) || inRight(value));
      }
    }),
  );
});

test('an interval accepts the numbers between its bounds', () => {
  const number = fc.nat({ max: 1200 });
  fc.assert(
    fc.property(number, number, fc.array(fc.tuple(number, fc.nat({ max: 3 }))), (a, b, values) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      const ours = accepts(`<${a}-${b}>`);
      const hasLength = `${a}`.length === `${b}`.length;
      for (const [value, zeros] of values) {
        const digits = '0'.repeat(zeros) + value;
        const isLong = !hasLength || digits.length === `${a}`.length;
        expect(ours(digits)).toBe(isLong && min <= value && value <= max);
      }
    }),
  );
});

test('no text makes a pattern throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(text.regexpJunk, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })),
      (pattern) => {
        checkRegexp(pattern);
        checkWildcard(pattern);
        accepts(pattern)(pattern);
      },
    ),
    { numRuns: rounds(3000) },
  );
});

const edit = fc
  .tuple(fc.constantFrom('add', 'remove', 'replace', 'swap'), fc.nat({ max: 12 }), text.nonEmptyTerm)
  .map(([kind, place, other]) => (characters: readonly string[]) => {
    const at = place % (characters.length + 1);
    const [letter = ''] = [...other];
    if (kind === 'add') return characters.toSpliced(at, 0, letter);
    if (kind === 'remove') return characters.toSpliced(at, 1);
    if (kind === 'replace') return characters.toSpliced(at, 1, letter);
    return characters.toSpliced(at, 2, ...characters.slice(at, at + 2).reverse());
  });

test('a fuzzy term is as near as the distance of the textbook says', () => {
  fc.assert(
    fc.property(
      text.nonEmptyTerm,
      fc.array(edit, { maxLength: 4 }),
      fc.constantFrom<Edits>(0, 1, 2),
      (term, changes, edits) => {
        const value = changes.reduce((characters, change) => change(characters), [...term]);
        expect(fuzzyTest(term, edits)(value.join(''))).toBe(distance([...term], value) <= edits);
      },
    ),
    { numRuns: rounds(20_000) },
  );
});

test('a sloppy phrase without repeated terms is found when some places are near enough', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(text.word, { minLength: 2 }),
      text.words,
      fc.nat({ max: 12 }),
      (phrase, tokens, slop) => {
        expect(matchesSloppily(phrase, slop, tokens)).toBe(leastMoves(phrase, tokens) <= slop);
      },
    ),
    { numRuns: rounds(5000) },
  );
});

test('a sloppy phrase with repeated terms is found only where some places are near enough', () => {
  fc.assert(
    fc.property(text.phrase, text.words, fc.nat({ max: 12 }), (phrase, tokens, slop) => {
      if (matchesSloppily(phrase, slop, tokens)) expect(leastMoves(phrase, tokens)).toBeLessThanOrEqual(slop);
    }),
    { numRuns: rounds(5000) },
  );
});

function wildcardUnits(pattern: string): string[] {
  return [...pattern.matchAll(/\\[\s\S]|[\s\S]/gu)].map(([unit]) => unit);
}

function matchesNaively(pattern: readonly string[], value: readonly string[]): boolean {
  const [unit, ...rest] = pattern;
  const [character, ...others] = value;
  if (unit === undefined) return character === undefined;
  if (unit === '*')
    return matchesNaively(rest, value) || (character !== undefined && matchesNaively(pattern, others));
  const fits = unit === '?' || character === unit || (1 < unit.length && `\\${character}` === unit);
  return character !== undefined && fits && matchesNaively(rest, others);
}

/** The distance by additions, removals, replacements and swaps of neighbours, each code point edited once. */
function distance(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = 1 < row && 1 < column && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const cells = table[row];
      if (!cells) continue;
      cells[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + same,
        isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}

/** The fewest moves over all ways to give each term of a phrase a place of its own in the text. */
function leastMoves(
  phrase: readonly string[],
  tokens: readonly string[],
  taken: readonly number[] = [],
): number {
  const offset = taken.length;
  if (offset === phrase.length) {
    const starts = taken.map((place, index) => place - index);
    return Math.max(...starts) - Math.min(...starts);
  }
  const places = tokens.flatMap((token, place) =>
    token === phrase[offset] && !taken.includes(place) ? [place] : [],
  );
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...places.map((place) => leastMoves(phrase, tokens, [...taken, place])),
  );
}
