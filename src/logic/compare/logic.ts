import type { Filter } from '../../meaning/filter.ts';
import type { DiagramNode } from './diagram.ts';

/** A filter that asks something of one field. */
export type Leaf = Exclude<Filter, { kind: 'all' | 'none' | 'disMax' | 'bool' }>;

/** Something that can be true of a log: a Boolean variable. Two are the same only when they are the same object. */
export interface Variable {
  /** Where in the filters it first matters. Variables that matter together should be decided together. */
  readonly order: number;
  /** How much a log grows when this is true of it. */
  readonly cost: number;
}

/** A variable, or its contrary. */
export interface VariableLiteral {
  readonly variable: Variable;
  readonly holds: boolean;
}

/** Of these at least one holds, in every log. */
export type Constraint = readonly VariableLiteral[];

/** What is known about a log: which variables hold, which do not; undefined where either will do. */
export type Assignment = (variable: Variable) => boolean | undefined;

/** Boolean functions over variables. */
export interface Logic {
  readonly variable: (variable: Variable) => DiagramNode;
  readonly not: (function_: DiagramNode) => DiagramNode;
  readonly and: (functions: readonly DiagramNode[]) => DiagramNode;
  readonly or: (functions: readonly DiagramNode[]) => DiagramNode;
}

/** A clause that says: where the first holds, one of the others does. */
export function implicationOf(variable: Variable, ...others: readonly Variable[]): Constraint {
  return [{ variable, holds: false }, ...others.map((other) => ({ variable: other, holds: true }))];
}
