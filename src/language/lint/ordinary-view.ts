import { type Operators, operatorsOf, type Unit, unitsOf } from '../meaning/clauses.ts';
import type { QueryLevel } from './level.ts';
import type { SearchTargets } from './target-lookup.ts';

/** A part of a level as a person reads it: a clause, or a run of plain words. */
export interface LevelOperand extends Operators {
  readonly clauses: Unit;
  readonly searchTargets: SearchTargets;
  /** True if analysis leaves something of it. */
  readonly kept: boolean;
}

/** The parts of a level as a person reads them: the members themselves, unless a run is cut otherwise. */
export function operandsOn({ parts, members, runs }: QueryLevel): readonly LevelOperand[] {
  // Only runs of words may be cut otherwise than the server cuts them.
  if (runs.length === 0) return members;
  let at = -1;
  return unitsOf(parts, 'ordinary').flatMap((clauses): readonly LevelOperand[] => {
    if (members[at + 1]?.clauses[0] === clauses[0]) at += 1;
    const member = members[at];
    return member ? [{ ...member, ...operatorsOf(clauses[0]), clauses }] : [];
  });
}
