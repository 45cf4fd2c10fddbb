import type { PartProblem, ProblemCode } from '../file/parts.ts';

/** A failure to read an entry that concerns this entry alone: its part states it, and the others continue. */
export class EntryProblem extends Error {
  override readonly name = 'EntryProblem';
  readonly problem: PartProblem;

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = { code, message };
  }
}
