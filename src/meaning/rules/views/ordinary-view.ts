import { type Operators, operatorsOf, type Unit, unitsOf } from '../../clauses.ts';
import type { Level } from './level.ts';

/** A part of a level as a person reads it: a clause, or a run of plain words. */
export interface Operand extends Operators {
  readonly clauses: Unit;
}

/** The parts of a level as a person reads them; the very members of it unless a run is cut otherwise. */
export function operandsOn({ parts, members, runs }: Level): readonly Operand[] {
  // Only runs of words may be cut otherwise than the server cuts them.
  if (runs.length === 0) return members;
  return unitsOf(parts, 'ordinary').map((clauses): Operand => ({ ...operatorsOf(clauses[0]), clauses }));
}
