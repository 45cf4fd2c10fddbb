import { withoutEscapes, withoutQuotes } from '../../../language/escape.ts';
import type { Clause, Item } from '../../../language/tree.ts';
import { analyze } from '../../analyzer/analyze.ts';

/** The text that a word or a phrase asks for, without quotes and escapes; undefined for anything else. */
export function askedText(item: Item): string | undefined {
  if (item.kind === 'Word') return withoutEscapes(item.term.text).text;
  if (item.kind === 'Phrase') return withoutEscapes(withoutQuotes(item.term.text)).text;
  return undefined;
}

/** Tells the tokens of a word or a phrase as text, none for anything else. A text is analysed once. */
export function termLookup(): (clause: Clause) => readonly string[] {
  let analysed: Map<string, readonly string[]> | undefined;
  return ({ item }) => {
    if (item.kind !== 'Word' && item.kind !== 'Phrase') return [];
    const { text } = item.term;
    // Nearly every word is one token, which needs no analysis.
    if (plain.test(text)) return [text.toLowerCase()];
    analysed ??= new Map();
    const terms = analysed.get(text) ?? analyze(askedText(item) ?? '');
    analysed.set(text, terms);
    return terms;
  };
}

/** Letters and digits within the length of a token. */
const plain = /^[A-Za-z0-9]{1,255}$/;
