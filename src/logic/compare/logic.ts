import type { Filter } from '../../meaning/filter.ts';
import type { Node } from './diagram.ts';

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
export interface Literal {
  readonly variable: Variable;
  readonly holds: boolean;
}

/** Of these at least one holds, in every log. */
export type Clause = readonly Literal[];

/** What is known about a log: which variables hold, which do not; undefined where either will do. */
export type Assignment = (variable: Variable) => boolean | undefined;

/** Boolean functions over variables. */
export interface Logic {
  readonly variable: (variable: Variable) => Node;
  readonly not: (function_: Node) => Node;
  readonly and: (functions: readonly Node[]) => Node;
  readonly or: (functions: readonly Node[]) => Node;
}

/** A clause that says: where the first holds, one of the others does. */
export function implies(variable: Variable, ...others: readonly Variable[]): Clause {
  return [{ variable, holds: false }, ...others.map((other) => ({ variable: other, holds: true }))];
}
