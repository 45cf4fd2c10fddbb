import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze, analyzeSpans, lowerCase } from '../../src/language/meaning/analyze.ts';
import { rounds } from '../effort.ts';
import { analyzerText } from './analyzer-text.ts';

const runs = { numRuns: rounds(2_000) };

test('tokens stand one after the other in the text, and are at most 255 units long', () => {
  fc.assert(
    fc.property(analyzerText, (text) => {
      const spans = analyzeSpans(text);
      const places = spans.flatMap(({ from, to }) => [from, to]);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places.at(-1) ?? 0).toBeLessThanOrEqual(text.length);
      expect(spans.filter(({ from, to }) => to - from < 1 || to - from > 255)).toEqual([]);
    }),
    runs,
  );
});

test('a token is the text at its place in lower case', () => {
  fc.assert(
    fc.property(analyzerText, (text) => {
      const spans = analyzeSpans(text);
      expect(spans.map(({ term }) => term)).toEqual(
        spans.map(({ from, to }) => lowerCase(text.slice(from, to))),
      );
      expect(spans.map(({ term }) => term)).toEqual(analyze(text));
    }),
    runs,
  );
});

test('a space parts a text into two that know nothing of each other', () => {
  fc.assert(
    fc.property(analyzerText, analyzerText, (a, b) => {
      expect(analyze(`${a} ${b}`)).toEqual([...analyze(a), ...analyze(b)]);
    }),
    runs,
  );
});

test('a token by itself is one token', () => {
  fc.assert(
    fc.property(analyzerText, (text) => {
      const tokens = analyzeSpans(text).map(({ from, to }) => text.slice(from, to));
      expect(tokens.filter((token) => analyze(token).length !== 1)).toEqual([]);
    }),
    runs,
  );
});

test('lower case is what each code point is by itself, and keeps the length', () => {
  const byCodePoint = (text: string) =>
    Array.from(text, (char) => (char === '\u0130' ? 'i' : char.toLowerCase())).join('');
  fc.assert(
    fc.property(analyzerText, (text) => {
      expect(lowerCase(text)).toBe(byCodePoint(text));
      expect(lowerCase(text)).toHaveLength(text.length);
    }),
    runs,
  );
});
