import { withoutEscapes, withoutQuotes } from '../../language/escape.ts';
import type { Clause, Item } from '../../language/tree.ts';
import { analyze } from '../../meaning/analyzer/analyze.ts';
import { isPlainText } from './plain-text.ts';

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
    if (item.kind !== 'Word' && item.kind !== 'Phrase') return noTerms;
    const { text } = item.term;
    // Nearly every word is one token, which needs no analysis.
    if (isPlainText(text)) return [text.toLowerCase()];
    analysed ??= new Map();
    const known = analysed.get(text);
    if (known) return known;
    const terms = isPlainPhrase(text)
      ? text.slice(1, -1).toLowerCase().split(' ')
      : analyze(askedText(item) ?? '');
    analysed.set(text, terms);
    return terms;
  };
}

const noTerms: readonly string[] = [];

/** Whether a phrase is words of ASCII letters and digits with one blank between any two, and none so long that it is cut. */
function isPlainPhrase(text: string): boolean {
  return text.length <= 200 && /^"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*"$/.test(text);
}
