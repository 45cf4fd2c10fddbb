import type { Automaton, Move } from '../automata/automaton.ts';
import { compileRegexp } from '../automata/compile-regexp.ts';
import { fuzzyTest } from '../automata/fuzzy.ts';
import { wildcardTest } from '../automata/wildcard.ts';
import type { FuzzyFilter, PrefixFilter, RegexpFilter, WildcardFilter } from './filter.ts';

/** A filter that tests one term at a time: a token of a text field, or the value of a keyword field. */
export type TermPattern = PrefixFilter | WildcardFilter | RegexpFilter | FuzzyFilter;

const tests = new WeakMap<TermPattern, (term: string) => boolean>();

/**
 * Returns the test of a filter for a single term, cached by filter. It takes time proportional to
 * the term (section 6 of the language specification). No term passes the test of a regular
 * expression that `checkRegexp` refuses.
 */
export function termTest(filter: TermPattern): (term: string) => boolean {
  const known = tests.get(filter);
  if (known) return known;
  const test = makeTest(filter);
  tests.set(filter, test);
  return test;
}

function makeTest(filter: TermPattern): (term: string) => boolean {
  switch (filter.kind) {
    case 'prefix':
      return (term) => term.startsWith(filter.prefix);
    case 'wildcard':
      return wildcardTest(filter.pattern);
    case 'regexp': {
      const compiled = compileRegexp(filter.pattern);
      return 'refusal' in compiled ? () => false : automatonTest(compiled.automaton);
    }
    case 'fuzzy':
      return filter.expansion ? isAmong(filter.expansion) : fuzzyTest(filter.term, filter.edits);
  }
}

function isAmong(terms: readonly string[]): (term: string) => boolean {
  const set = new Set(terms);
  return (term) => set.has(term);
}

/**
 * Returns a test of whole texts by a deterministic automaton: one step per code point, whatever
 * the pattern.
 */
export function automatonTest({ accepts, moves }: Automaton): (text: string) => boolean {
  return (text) => {
    let state: number | undefined = 0;
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at) ?? 0;
      if (0xffff < codePoint) at += 1;
      state = target(moves[state] ?? [], codePoint);
      if (state === undefined) return false;
    }
    return accepts[state] ?? false;
  };
}

function target(moves: readonly Move[], codePoint: number): number | undefined {
  let [from, past] = [0, moves.length];
  while (from < past) {
    const middle = (from + past) >> 1;
    const move = moves[middle];
    if (!move) return undefined;
    if (codePoint < move.min) past = middle;
    else if (move.max < codePoint) from = middle + 1;
    else return move.to;
  }
  return undefined;
}
