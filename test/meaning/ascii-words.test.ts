import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze, asciiWords } from '../../src/language/meaning/analyze.ts';

const { moves, start, lastWord, longest } = asciiWords();

/** The tokens that the states of words find in a text of ASCII. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = endOf(text, from);
    if (from < end) tokens.push(text.slice(from, end).toLowerCase());
    from = Math.max(end, from + 1);
  }
  return tokens;
}

function endOf(text: string, from: number): number {
  let [state, end] = [start, from];
  for (let at = from; at < Math.min(text.length, from + longest); at += 1) {
    state = moves[128 * state + text.charCodeAt(at)] ?? 0;
    if (state === 0) break;
    if (state <= lastWord) end = at + 1;
  }
  return end;
}

const unit = fc.constantFrom(
  'a',
  'Z',
  '1',
  '0',
  '_',
  '.',
  ',',
  ':',
  "'",
  '"',
  ';',
  '-',
  ' ',
  '\n',
  '\0',
  '\x7f',
);

test('the states of words find the tokens of any text of ASCII', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary-ascii' })), (text) => {
      expect(tokensOf(text)).toEqual(analyze(text));
    }),
    { numRuns: 1000 },
  );
  for (const text of ['a'.repeat(256), `${'1'.repeat(254)}.1.1`, '_'.repeat(300)])
    expect(tokensOf(text)).toEqual(analyze(text));
});

test('the table has 128 places for each state, and every state is reached', () => {
  const states = new Set([0, start, ...moves]);
  expect(moves).toHaveLength(128 * Math.max(...states) + 128);
});
