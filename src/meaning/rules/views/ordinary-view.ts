import { type Operators, operatorsOf, type Unit, unitsOf } from '../../clauses.ts';
import { alternativesOf } from '../../ordinary.ts';
import type { Level } from './level.ts';

/** Clauses of a level that AND joins for a person. */
export type Alternative = readonly Operand[];

interface Operand extends Pick<Operators, 'conjunction' | 'modifier'> {
  readonly clauses: Unit;
}

/** A level as a person reads it: the lists of what AND joins, which OR joins. */
export function alternativesOn({ parts, members, runs }: Level): readonly Alternative[] {
  // Only runs of words may be cut otherwise than the server cuts them.
  if (runs.length === 0) return alternativesOf<Operand>(members, 'or');
  const operands = unitsOf(parts, 'ordinary').map(
    (clauses): Operand => ({ ...operatorsOf(clauses[0]), clauses }),
  );
  return alternativesOf(operands, 'or');
}
