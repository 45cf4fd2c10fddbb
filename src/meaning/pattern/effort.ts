/**
 * How much work may still go into one pattern. The engine's own bound is on
 * states; this one bounds the time as well, for a few patterns that would keep
 * it busy for minutes or take all its memory.
 */
export interface Effort {
  left: number;
}

/** The engine gives up where determining an automaton leads to more states than this. */
export const maxStates = 10_000;

/** About as many elementary steps as a second holds; what the engine accepts in practice takes a hundredth of them. */
const maxSteps = 50_000_000;

/** Thrown inside this folder only: whoever starts the work turns it into a value. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

/** The effort that one pattern is worth. */
export function newEffort(): Effort {
  return { left: maxSteps };
}

/** Takes some of the effort, and gives up when there is none left. */
export function spend(effort: Effort, steps: number): void {
  effort.left -= steps;
  if (effort.left < 0) throw new TooComplex();
}
