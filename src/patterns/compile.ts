import type { Automaton } from './automaton.ts';
import { type Effort, TooComplex } from './effort.ts';
import { toRunnable } from './engine-limits.ts';
import type { Refusal } from './refusal.ts';

/** An automaton to run, or why the engine runs none. */
export type CompiledPattern = { readonly automaton: Automaton } | { readonly refusal: Refusal };

/** Makes the automaton of a pattern, and gives up where the engine does or the effort is spent. */
export function compileAutomaton(build: () => Automaton, effort: Effort): CompiledPattern {
  try {
    const runnable = toRunnable(build(), effort);
    return 'tooLong' in runnable ? { refusal: { message: patternTooLong } } : runnable;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { refusal: { message: error.message } };
  }
}

/** What is said of a pattern that the engine finds too long. */
export const patternTooLong = 'The pattern is too long: the engine follows 1,000 characters of one';
