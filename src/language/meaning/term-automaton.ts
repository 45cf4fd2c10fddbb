import { type Automaton, type Effort, newEffort } from '../automata/automaton.ts';
import { toBytes } from '../automata/fuzzy.ts';
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
  const source = sourceOf(filter, effort);
  try {
    return source && toBytes(source, effort);
  } catch (error) {
    // By its name: one more export would take every start of a command above its size.
    if (!(error instanceof Error && error.name === 'TooComplex')) throw error;
    return undefined;
  }
}

function sourceOf(filter: TermPattern, effort: Effort): Parameters<typeof toBytes>[0] | undefined {
  switch (filter.kind) {
    case 'prefix':
      return filter.prefix.isWellFormed()
        ? wildcardAutomaton(`${escaped(filter.prefix)}*`, effort)
        : undefined;
    case 'wildcard':
      return wildcardAutomaton(filter.pattern, effort);
    case 'regexp': {
      const compiled = compileRegexp(filter.pattern);
      return 'refusal' in compiled ? { accepts: [], moves: [] } : compiled.automaton;
    }
    case 'fuzzy': {
      const { term, edits, expansion } = filter;
      if (expansion) return undefined;
      if (edits === 0 || term === '') return wildcardAutomaton(escaped(term), effort);
      return { term, edits };
    }
  }
}

function wildcardAutomaton(pattern: string, effort: Effort): Automaton | undefined {
  const compiled = compileWildcard(pattern, effort);
  return 'refusal' in compiled ? undefined : compiled.automaton;
}

function escaped(text: string): string {
  return text.replace(/[\\*?]/g, String.raw`\$&`);
}
