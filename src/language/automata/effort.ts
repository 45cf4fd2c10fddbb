/**
 * The remaining work for one pattern or one comparison, in elementary steps. The engine limits the
 * states of a pattern only; this also limits time and memory for the few patterns that need
 * minutes or gigabytes.
 */
export interface Effort {
  left: number;
}

/** The maximum number of states of a determinized automaton in the engine. */
export const maxStates = 10_000;

/** About half a second of elementary steps. Patterns that people write take a thousandth of them. */
const maxSteps = 20_000_000;

/** The steps for one move, which costs memory as well as time. */
export const costOfMove = 16;

/** The refusal of a pattern with too many states. */
export const tooManyStates =
  'The pattern is too complex: the engine would need more than 10,000 states for it';

const tooMuchWork = 'The pattern is too complex: finding out what it matches would take too long';

/** Thrown inside the pure layers only: `compileAutomaton` and `compare` turn it into a value. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/** The effort for one pattern. */
export function newEffort(steps = maxSteps): Effort {
  return { left: steps };
}

/** Subtracts steps from an effort. Throws `TooComplex` when none are left. */
export function spendEffort(effort: Effort, steps: number): void {
  effort.left -= steps;
  if (effort.left < 0) throw new TooComplex(tooMuchWork);
}

/**
 * The steps that each pattern of a query gets when their shared effort is spent: a millisecond or
 * two. Most patterns that people write need no more, so costly ones do not decide about them.
 */
export const assuredSteps = 50_000;

/**
 * Runs `work` on the rest of a shared effort, with at least `least` steps, and subtracts the steps
 * it took.
 */
export function shareEffort<T>(shared: Effort, least: number, work: (effort: Effort) => T): T {
  const effort = newEffort(Math.max(shared.left, least));
  const before = effort.left;
  const result = work(effort);
  shared.left -= before - effort.left;
  return result;
}
