import type { Filter } from '../meaning/filter.ts';
import type { DiagramNode } from './diagram.ts';

/** A filter on one field. */
export type LeafFilter = Exclude<Filter, { kind: 'all' | 'none' | 'disMax' | 'bool' }>;

/** A Boolean variable: a property of a log. Variables are distinguished by object identity. */
export interface Variable {
  /**
   * The index of the first leaf that uses the variable. Variables of the same leaf should be
   * decided together.
   */
  readonly order: number;
  /** The growth of a log for which the variable is true. */
  readonly cost: number;
}

/** A variable or its negation. */
export interface VariableLiteral {
  readonly variable: Variable;
  readonly holds: boolean;
}

/** A disjunction that holds for every log. */
export type Constraint = readonly VariableLiteral[];

/** The known variables of a log; undefined for those that may have either value. */
export type Assignment = (variable: Variable) => boolean | undefined;

/** Boolean functions over variables. */
export interface Logic {
  readonly variable: (variable: Variable) => DiagramNode;
  readonly not: (function_: DiagramNode) => DiagramNode;
  readonly and: (functions: readonly DiagramNode[]) => DiagramNode;
  readonly or: (functions: readonly DiagramNode[]) => DiagramNode;
}

/** The constraint that the first variable implies one of the others. */
export function implicationOf(variable: Variable, ...others: readonly Variable[]): Constraint {
  return [{ variable, holds: false }, ...others.map((other) => ({ variable: other, holds: true }))];
}
