import { hasUnescaped } from '../parse/escape.ts';
import type { Token, TokenKind } from '../parse/token.ts';

/** The characters that the deployment refuses without quotes and without a backslash (section 3 of the language specification). */
export const refusedCharacters = /[?*^+]/;

/** In quotes every character is harmless, and the star of an open range is no wildcard. */
const harmless: ReadonlySet<TokenKind> = new Set(['Quoted', 'UnclosedQuoted', 'RangeBound', 'RangeQuoted']);

/** Returns whether the deployment refuses a search for the characters of this token. */
export function isRefusedToken({ kind, text }: Token): boolean {
  return !harmless.has(kind) && hasUnescaped(text, refusedCharacters);
}
