import { automatonTest } from '../automata/automaton-test.ts';
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
