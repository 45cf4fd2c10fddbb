import type { FieldValue } from '../../meaning/document.ts';
import type { Effort } from '../../patterns/effort.ts';
import type { DiagramNode } from './diagram.ts';
import type { Assignment, Constraint, Leaf, Logic, Variable } from './logic.ts';

/** A leaf of the filters, and which of them it is, counted from the first. */
export interface Occurrence {
  readonly leaf: Leaf;
  readonly order: number;
}

/**
 * What is known about the values of one field: everything that filters ask of
 * it, said with variables, and how the variables depend on each other.
 */
export interface FieldTheory {
  readonly variables: readonly Variable[];
  /** What holds for every value. Short clauses; all of them together need not be complete. */
  readonly constraints: readonly Constraint[];
  /** When a leaf matches. */
  readonly formula: (leaf: Leaf, logic: Logic) => DiagramNode;
  /** A value of which all of this is true, as small as possible. */
  readonly realise: (assignment: Assignment, effort: Effort) => Realised;
}

/** A value of a field, or none; `impossible` only when certainly no value exists, `unknown` when none was found. */
export type Realised =
  | { readonly kind: 'value'; readonly value: FieldValue | undefined }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'unknown' };
