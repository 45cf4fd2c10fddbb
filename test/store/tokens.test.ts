import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiTokens, isAscii, toTokens } from '../../src/store/loading/tokens.ts';

test('the tokens of a text are joined and surrounded by blanks', () => {
  expect(toTokens('Timed out!')).toBe(' timed out ');
  expect(toTokens('...')).toBe('');
});

test('tokens of ASCII are the same without a text being made of any', () => {
  const tokens = asciiTokens();
  const word = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    fc
      .array(fc.constantFrom('a', 'Z', '_', '.', '1', ' ', "'", '#'), { maxLength: 400 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(word, fc.nat(5), (text, before) => {
      const bytes = Buffer.from(`${'x'.repeat(before)}${text}x`);
      const length = tokens.write(bytes, before, before + text.length);
      expect(Buffer.from(tokens.bytes().subarray(0, length)).toString()).toBe(toTokens(text));
    }),
    { numRuns: 3_000 },
  );
});

test('ASCII is what has no byte beyond', () => {
  const bytes = Buffer.from('aä~');
  expect(isAscii(bytes, 0, 1)).toBe(true);
  expect(isAscii(bytes, 0, 2)).toBe(false);
  expect(isAscii(bytes, 3, 4)).toBe(true);
  expect(isAscii(bytes, 2, 2)).toBe(true);
});
