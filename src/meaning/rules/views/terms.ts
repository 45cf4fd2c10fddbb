import { withoutEscapes, withoutQuotes } from '../../../language/escape.ts';
import type { Item } from '../../../language/tree.ts';
import { analyze } from '../../analyzer/analyze.ts';

/** The text that a word or a phrase asks for, without quotes and escapes; undefined for anything else. */
export function askedText(item: Item): string | undefined {
  if (item.kind === 'Word') return withoutEscapes(item.term.text).text;
  if (item.kind === 'Phrase') return withoutEscapes(withoutQuotes(item.term.text)).text;
  return undefined;
}

/** The tokens of a word or a phrase as text; none for anything else. */
export function termsOf(item: Item): readonly string[] {
  const value = askedText(item);
  if (value === undefined) return [];
  // Nearly every word is one token, which needs no analysis.
  return plain.test(value) ? [value.toLowerCase()] : analyze(value);
}

/** Letters and digits within the length of a token. */
const plain = /^[A-Za-z0-9]{1,255}$/;
