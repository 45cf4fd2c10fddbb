import type { Automaton } from './automaton.ts';
import { type Effort, TooComplex } from './effort.ts';
import { toRunnable } from './engine-limits.ts';
import type { Refusal } from './refusal.ts';

/** An automaton to run, or why the engine runs none. */
export type Compiled = { readonly automaton: Automaton } | { readonly refusal: Refusal };

/** Makes the automaton of a pattern within the bounds of the engine. */
export function compile(build: () => Automaton, effort: Effort): Compiled {
  try {
    const runnable = toRunnable(build(), effort);
    return 'tooLong' in runnable ? { refusal: { message: tooLong } } : runnable;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { refusal: { message: tooComplex } };
  }
}

/** What is said of a pattern that the engine finds too long. */
export const tooLong = 'The pattern is too long: the engine follows 1,000 characters of one';

const tooComplex = 'The pattern is too complex: the engine needs more than 10,000 states for it';
