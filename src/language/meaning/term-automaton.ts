import {
  type Automaton,
  type Effort,
  emptyAutomaton,
  maxCodePoint,
  newEffort,
  TooComplex,
  withoutDeadStates,
} from '../automata/automaton.ts';
import { determinize, toByteAutomaton } from '../automata/determinize.ts';
import { fuzzyAutomaton } from '../automata/fuzzy.ts';
import { compileRegexp } from '../automata/regexp.ts';
import { compileWildcard } from '../automata/wildcard.ts';
import type { TermPattern } from './match.ts';

/** About a twentieth of a second. Patterns that people write take a hundredth of it. */
const automatonSteps = 2_000_000;

/**
 * Returns the deterministic automaton over bytes of UTF-8 that accepts the terms that pass `termTest`. Each of its states
 * leads to an accepting one. Undefined for a list of terms, for a prefix that ends within a surrogate pair, and where it
 * would be large or take long to make.
 */
export function termAutomaton(filter: TermPattern): Automaton | undefined {
  const effort = newEffort(automatonSteps);
  try {
    const automaton = codePointAutomaton(filter, effort);
    return automaton && withoutDeadStates(determinize(toByteAutomaton(automaton, effort), effort));
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return undefined;
  }
}

function codePointAutomaton(filter: TermPattern, effort: Effort): Automaton | undefined {
  switch (filter.kind) {
    case 'prefix':
      return filter.prefix.isWellFormed() ? textAutomaton(filter.prefix, 'anything') : undefined;
    case 'wildcard': {
      const compiled = compileWildcard(filter.pattern, effort);
      return 'refusal' in compiled ? undefined : compiled.automaton;
    }
    case 'regexp': {
      const compiled = compileRegexp(filter.pattern);
      return 'refusal' in compiled ? emptyAutomaton : compiled.automaton;
    }
    case 'fuzzy': {
      const { term, edits, expansion } = filter;
      if (expansion) return undefined;
      return edits === 0 || term === '' ? textAutomaton(term) : fuzzyAutomaton(term, edits, effort);
    }
  }
}

/** Returns the automaton of one text, or of all texts that begin with it. */
function textAutomaton(text: string, rest?: 'anything'): Automaton {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const moves = codes.map((code, state) => [{ min: code, max: code, to: state + 1 }]);
  const last = rest ? [{ min: 0, max: maxCodePoint, to: codes.length }] : [];
  return { accepts: [...codes.map(() => false), true], moves: [...moves, last] };
}
