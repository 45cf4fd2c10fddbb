import { analyze } from '../analyzer/analyze.ts';
import { withoutEscapes, withoutQuotes } from '../parse/escape.ts';
import type { Clause, Item } from '../parse/tree.ts';
import { memoize } from './memo.ts';

/** The text that a word or a phrase asks for, without quotes and escapes; undefined for any other item. */
export function askedText(item: Item): string | undefined {
  if (item.kind === 'Word') return withoutEscapes(item.term.text).text;
  if (item.kind === 'Phrase') return withoutEscapes(withoutQuotes(item.term.text)).text;
  return undefined;
}

/** Returns whether analysis leaves a text whole, as nearly every word: ASCII letters and digits (section 4 of the language specification). */
export function isOneToken(text: string): boolean {
  return /^[A-Za-z0-9]{1,255}$/.test(text);
}

/** The tokens of a word or a phrase on text fields; none for any other item. Each text is analysed once. */
export function termLookup(): (clause: Clause) => readonly string[] {
  const termsOf = memoize(analyze);
  return ({ item }) => {
    if (item.kind === 'Word' && isOneToken(item.term.text)) return [item.term.text.toLowerCase()];
    const text = askedText(item);
    return text === undefined ? noTerms : termsOf(text);
  };
}

const noTerms: readonly string[] = [];
