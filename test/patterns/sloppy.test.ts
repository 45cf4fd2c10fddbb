import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSlop, matchesSloppily, phraseSlop } from '../../src/language/automata/phrase.ts';
import { rounds } from '../effort.ts';

test.each([
  ['a b', 'a b', 0],
  ['a b', 'a x b', 1],
  ['a b', 'a x x b', 2],
  ['a b', 'b a', 2],
  ['a b', 'b x a', 3],
  ['a b c', 'c b a', 4],
  ['a b c', 'a c b', 2],
  ['a b c', 'x a x b x c', 2],
  ['a a', 'a a', 0],
  ['a a', 'a x a', 1],
  ['a b a', 'a b x a', 1],
  ['a b a', 'b a a', 2],
  ['a b', 'a x x x b x a b', 0],
])('"%s" is found in "%s" with %i moves and not with fewer', (phrase, text, moves) => {
  const [terms, tokens] = [phrase.split(' '), text.split(' ')];
  expect(matchesSloppily(terms, moves, tokens)).toBe(true);
  if (0 < moves) expect(matchesSloppily(terms, moves - 1, tokens)).toBe(false);
});

test('the queue of the engine is left out of order when several terms are repeated', () => {
  const [phrase, text] = ['d b e c d c b', 'b d a c e c b d d b c'];
  expect(matchesSloppily(phrase.split(' '), 3, text.split(' '))).toBe(true);
});

// Lucene 8.7 passes over these as well.
test.each([
  ['a a b a', 'b a b c a b a a c', 1],
  ['a c a b b', 'c b a a b b c a b b a', 1],
  ['b c b a c c', 'c a c c b c c a b c a', 3],
])('"%s" is not found in "%s" with %i moves, as terms that collided move on', (phrase, text, moves) => {
  expect(matchesSloppily(phrase.split(' '), moves, text.split(' '))).toBe(false);
});

test('a phrase of one term is that term', () => {
  expect(matchesSloppily(['a'], 1, ['b', 'a'])).toBe(true);
  expect(matchesSloppily(['a'], 1, ['b'])).toBe(false);
});

test.each([
  ['a b', 'a'],
  ['a b', 'x y'],
  ['a a', 'a'],
  ['a b a', 'a b'],
])('"%s" is never found in "%s"', (phrase, text) => {
  expect(matchesSloppily(phrase.split(' '), 1000, text.split(' '))).toBe(false);
});

test.each([
  ['', 0],
  ['3', 3],
  ['1.9', 1],
  ['1e3', 1000],
  ['x', 0],
  ['NaN', 0],
  ['-1', 0],
  ['100000000000000000', 2147483647],
  ['Infinity', 2147483647],
])('"~%s" allows %i moves', (written, slop) => {
  expect(phraseSlop(written)).toBe(slop);
});

test('a negative slop is refused', () => {
  expect(checkSlop('-1')).toEqual({ message: 'The slop must be a number of at least 0, got "-1"' });
  expect(checkSlop('-0.5')).toBeUndefined();
  expect(checkSlop('3')).toBeUndefined();
});

/** The fewest moves that bring different terms of a text side by side: all choices of their occurrences. */
function fewestMoves(terms: readonly string[], tokens: readonly string[]): number {
  let choices: (readonly number[])[] = [[]];
  for (const [offset, term] of terms.entries()) {
    const starts = tokens.flatMap((token, place) => (token === term ? [place - offset] : []));
    choices = choices.flatMap((choice) => starts.map((start) => [...choice, start]));
  }
  return Math.min(...choices.map((starts) => Math.max(...starts) - Math.min(...starts)));
}

test('different terms are found with the fewest moves of all their occurrences', () => {
  const terms = fc.shuffledSubarray(['a', 'b', 'c', 'd'], { minLength: 2 });
  const tokens = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'x'), { maxLength: 14 });
  fc.assert(
    fc.property(terms, tokens, (phrase, text) => {
      const fewest = fewestMoves(phrase, text);
      const found = Array.from({ length: 20 }, (_, slop) => matchesSloppily(phrase, slop, text));
      expect(found).toEqual(found.map((_, slop) => fewest <= slop));
    }),
    { numRuns: rounds(1_000) },
  );
});
