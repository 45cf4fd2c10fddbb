import type { Effort } from '../automata/effort.ts';
import type { FieldValue } from '../meaning/document.ts';
import type { Assignment, Constraint, LeafFilter, Logic, Variable } from './boolean-logic.ts';
import type { DiagramNode } from './diagram.ts';

/** A leaf of the filters and its index among them. */
export interface LeafOccurrence {
  readonly leaf: LeafFilter;
  readonly order: number;
}

/**
 * A theory of the values of one field: the conditions of the filters on it as variables, and the
 * constraints between these.
 */
export interface FieldTheory {
  readonly variables: readonly Variable[];
  /** Constraints that hold for every value. They are short, and may be incomplete. */
  readonly constraints: readonly Constraint[];
  /** The condition under which a leaf matches. */
  readonly formula: (leaf: LeafFilter, logic: Logic) => DiagramNode;
  /** Finds a value that fulfils an assignment, as small as possible. */
  readonly realise: (assignment: Assignment, effort: Effort) => Realised;
}

/**
 * A value of a field, or none. `impossible` means that certainly no value exists, `unknown` that
 * none was found.
 */
export type Realised =
  | { readonly kind: 'value'; readonly value: FieldValue | undefined }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'unknown' };
