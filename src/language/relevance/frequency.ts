import { sloppyMatches } from '../automata/sloppy-phrase.ts';
import type { PhraseFilter, TermFilter } from '../meaning/filter.ts';

/**
 * The frequency of a term or a phrase in tokens. A match of a sloppy phrase counts less with each
 * move: a half for one, a third for two.
 */
export function frequencyOf(filter: TermFilter | PhraseFilter, tokens: readonly string[]): number {
  if (filter.kind === 'term')
    return tokens.reduce((sum, token) => (token === filter.term ? sum + 1 : sum), 0);
  const { terms, slop } = filter;
  if (slop === 0) {
    const startsHere = (start: number) => terms.every((term, offset) => tokens[start + offset] === term);
    return tokens.reduce((sum, _, start) => (startsHere(start) ? sum + 1 : sum), 0);
  }
  let sum = 0;
  for (const moves of sloppyMatches(terms, slop, tokens))
    sum = Math.fround(sum + Math.fround(1 / (1 + moves)));
  return sum;
}
