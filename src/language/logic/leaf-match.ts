import { type Effort, spendEffort } from '../automata/effort.ts';
import type { PhraseFilter } from '../meaning/filter.ts';
import { matchDocument } from '../meaning/match.ts';
import type { LeafFilter } from './boolean-logic.ts';

/** Returns whether a leaf on a text field matches these tokens, or one on a keyword field this one value. */
export function hasMatch(leaf: LeafFilter, tokens: readonly string[], effort?: Effort): boolean {
  if (effort) spendEffort(effort, costOfCall + costOfMatch(leaf, tokens.length));
  return matchDocument(leaf, { terms: () => tokens, hasValue: () => true, number: () => undefined });
}

/** The steps of every call. */
const costOfCall = 8;

/** The approximate number of steps for matching a leaf against a number of tokens. */
export function costOfMatch(leaf: LeafFilter, tokens: number): number {
  switch (leaf.kind) {
    case 'phrase':
      // A sloppy phrase moves each of its terms over the positions of that term in the text.
      return leaf.terms.length + tokens * (leaf.slop === 0 ? 1 : 8 + leaf.terms.length / 64);
    case 'wildcard':
    case 'regexp':
      return tokens * (8 + leaf.pattern.length / 4);
    case 'fuzzy':
      return tokens * (8 + 4 * leaf.term.length);
    case 'termRange':
      return 4 * tokens;
    default:
      return tokens;
  }
}

/** Returns whether every text that matches the first phrase certainly matches the second. */
export function phraseImplies(phrase: PhraseFilter, other: PhraseFilter, effort?: Effort): boolean {
  if (effort) spendEffort(effort, other.terms.length);
  const own = termsOf(phrase);
  if (other.terms.some((term) => !own.has(term))) return false;
  if (phrase.slop === 0 && other.slop === 0) return hasMatch(other, phrase.terms, effort);
  // The engine's search for a sloppy phrase with a repeated token may miss matches.
  if (termsOf(other).size < other.terms.length) return false;
  if (phrase.slop === 0) return hasMatch(other, phrase.terms, effort);
  return phrase.slop <= other.slop && phrase.terms.join(' ') === other.terms.join(' ');
}

const sets = new WeakMap<PhraseFilter, ReadonlySet<string>>();

/** The distinct terms of a phrase. Cached, since a phrase is compared with many others. */
function termsOf(phrase: PhraseFilter): ReadonlySet<string> {
  const known = sets.get(phrase);
  if (known) return known;
  const terms = new Set(phrase.terms);
  sets.set(phrase, terms);
  return terms;
}
