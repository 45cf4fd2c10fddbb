/**
 * How much work may still go into one pattern, or into one comparison. The
 * engine's own bound is on the states of a pattern; this one bounds the time as
 * well, for a few that would keep it busy for minutes or take all its memory.
 */
export interface Effort {
  left: number;
}

/** The engine gives up where determining an automaton leads to more states than this. */
export const maxStates = 10_000;

/** About as many elementary steps as half a second holds. Patterns that people write take a thousandth of them. */
const maxSteps = 20_000_000;

/** What a move is counted as: it is kept, which costs memory as well as time. */
export const costOfMove = 16;

/** What is said of a pattern that becomes larger. */
export const tooManyStates =
  'The pattern is too complex: the engine would need more than 10,000 states for it';

const tooMuchWork = 'The pattern is too complex: finding out what it matches would take too long';

/** Thrown inside `meaning` only: `compile` of this folder and `compare` turn it into a value. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/** The effort that one pattern is worth. */
export function newEffort(steps = maxSteps): Effort {
  return { left: steps };
}

/** Takes some of the effort, and gives up when there is none left. */
export function spendEffort(effort: Effort, steps: number): void {
  effort.left -= steps;
  if (effort.left < 0) throw new TooComplex(tooMuchWork);
}

/**
 * The patterns of a query share the effort that one may take; when it is
 * spent, each of them still gets so much, a millisecond or two. Most patterns
 * that people write need no more, so costly ones decide nothing about them.
 */
export const assuredSteps = 50_000;

/** Does some of the work of a shared effort: with what is left of it, at least so many steps, and takes off what it took. */
export function share<T>(shared: Effort, least: number, work: (effort: Effort) => T): T {
  const effort = newEffort(Math.max(shared.left, least));
  const before = effort.left;
  const result = work(effort);
  shared.left -= before - effort.left;
  return result;
}
