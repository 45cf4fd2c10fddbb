import type { Problem, ProblemCode } from '../case/parts.ts';

/** Reading an entry failed in a way that concerns this entry alone: it is told with its part, and the others go on. */
export class EntryProblem extends Error {
  override readonly name = 'EntryProblem';
  readonly problem: Problem;

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = { code, message };
  }
}
