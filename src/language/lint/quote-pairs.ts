import type { Part, Span, Word } from '../parse/tree.ts';

/** Quotes that do not quote but were meant to, as in `“timed out”` and `'timed out'`. */
export interface QuotePair {
  readonly kind: 'quotes';
  readonly at: number;
  readonly open: Span;
  readonly close: Span;
  /** The parts from the one that holds the first to the one that holds the second. */
  readonly parts: readonly Part[];
}

/** The marks that open, each with those that may close: typographic quotes of several languages, and straight single ones. */
const closings: ReadonlyMap<string, string> = new Map([
  ...[...'“”„‟«»〝＂'].map((opening): [string, string] => [opening, '“”„‟«»〝〞＂']),
  ...[...'‘‚‛‹'].map((opening): [string, string] => [opening, '’‘‛›']),
  ["'", "'"],
  ['`', "`'"],
]);

/** The pairs on a level, in order. Both marks are on one level, so a phrase of them cuts no group. */
export function* quotePairsOn(parts: readonly Part[]): Generator<QuotePair> {
  let open: { readonly at: number; readonly span: Span; readonly closing: string } | undefined;
  for (const [index, part] of parts.entries()) {
    const word = wordOf(part);
    if (!word) {
      // A phrase made of the pair would end at the quotes of this one.
      if (part.kind === 'Clause' && part.item.kind === 'Phrase') open = undefined;
      continue;
    }
    let from = 0;
    if (!open) {
      const closing = closings.get(word.term.text.charAt(0));
      if (!closing) continue;
      open = { at: index, span: characterAt(word, 0), closing };
      from = 1;
    }
    const close = closeIn(word, from, open.closing);
    if (close === undefined) continue;
    const between = parts.slice(open.at, index + 1);
    yield { kind: 'quotes', at: open.at, open: open.span, close: characterAt(word, close), parts: between };
    open = undefined;
  }
}

function wordOf(part: Part): Word | undefined {
  return part.kind === 'Clause' && part.item.kind === 'Word' ? part.item : undefined;
}

/** The offset of the closing mark in a word. Escaped marks do not count, nor do single ones within a word, which are apostrophes. */
function closeIn({ term: { text } }: Word, from: number, closing: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (closing.includes(text.charAt(at)) && !isApostrophe(text, at)) return at;
  }
  return undefined;
}

function isApostrophe(text: string, at: number): boolean {
  return /['’‘]/.test(text.charAt(at)) && /^[\p{L}\p{N}]/u.test(text.slice(at + 1, at + 3));
}

function characterAt({ term }: Word, at: number): Span {
  return { from: term.from + at, to: term.from + at + 1 };
}
