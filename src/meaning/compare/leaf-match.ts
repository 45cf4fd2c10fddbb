import type { Phrase } from '../filter.ts';
import { matchDocument } from '../match.ts';
import type { Leaf } from './logic.ts';

/** Whether a leaf on a text field matches these tokens, or one on a keyword field this one value. */
export function hasMatch(leaf: Leaf, tokens: readonly string[]): boolean {
  return matchDocument(leaf, { terms: () => tokens, number: () => undefined });
}

/** Whether every text with the one phrase certainly has the other. */
export function phraseImplies(phrase: Phrase, other: Phrase): boolean {
  if (other.terms.some((term) => !phrase.terms.includes(term))) return false;
  if (phrase.slop === 0 && other.slop === 0) return hasMatch(other, phrase.terms);
  // The engine takes a sloppy phrase that names a token twice in ways of which this is not certain.
  if (new Set(other.terms).size < other.terms.length) return false;
  if (phrase.slop === 0) return hasMatch(other, phrase.terms);
  return phrase.slop <= other.slop && phrase.terms.join(' ') === other.terms.join(' ');
}
