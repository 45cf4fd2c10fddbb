import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyzeSpans } from '../../src/meaning/analyzer/analyze.ts';
import { analyzerText, classSamples } from '../property/analyzer-text.ts';
import { describeTokens, luceneTokens } from './lucene.ts';

/** Another seed, another 5,000 texts; the seed of a run is in its output. */
const seed = Number(process.env.LIVE_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`5,000 random texts with the seed ${seed}`, () => {
  checkAgainstLucene(fc.sample(analyzerText, { numRuns: 5_000, seed }));
});

test('every text of up to three characters, one of each class', () => {
  const pairs = classSamples.flatMap((a) => classSamples.map((b) => a + b));
  checkAgainstLucene([
    ...classSamples,
    ...pairs,
    ...pairs.flatMap((pair) => classSamples.map((c) => pair + c)),
  ]);
});

test('every pair of characters, one of each class, around the end of the window', () => {
  const start = 'a'.repeat(252);
  const pairs = classSamples.flatMap((a) => classSamples.map((b) => a + b));
  checkAgainstLucene(
    pairs.flatMap((pair) => [`${start}${pair}b`, `${start}a${pair}b`, `${start}aa${pair}b`]),
  );
});

describe('every code point', () => {
  const contexts: readonly ((char: string) => string)[] = [
    (char) => char,
    (char) => `a${char}b`,
    (char) => `1${char}1`,
    (char) => `a${char}`,
    (char) => `${char}a`,
    (char) => `${char} ${char}`,
  ];

  test.each(contexts.map((context) => ({ context, text: context('x') })))('in $text', ({ context }) => {
    for (let first = 0; first < 0x110000; first += 0x10000) {
      checkAgainstLucene(Array.from({ length: 0x10000 }, (_, i) => context(String.fromCodePoint(first + i))));
    }
  });
});

/**
 * Expects the engine's tokens of every text.
 *
 * Texts that end in the first half of a surrogate pair are left out: at the end
 * of such a text the engine loses the part that it read last, up to 255 units.
 * No text in UTF-8 ends like that.
 */
function checkAgainstLucene(texts: readonly string[]): void {
  const fair = texts.filter((text) => !/[\ud800-\udbff]$/.test(text));
  const expected = luceneTokens(fair);
  expect(expected).toHaveLength(fair.length);
  const differences = fair
    .map((text, i) => ({ text, lucene: expected[i], ours: describeTokens(analyzeSpans(text)) }))
    .filter(({ lucene, ours }) => lucene !== ours);
  expect(differences.slice(0, 10)).toEqual([]);
}
