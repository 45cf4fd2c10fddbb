import { expect, test } from 'vitest';
import { toTokens } from '../../src/store/rows/tokens.ts';

test('the tokens of a text are joined and surrounded by blanks', () => {
  expect(toTokens('Timed out!')).toBe(' timed out ');
  expect(toTokens('...')).toBe('');
});
