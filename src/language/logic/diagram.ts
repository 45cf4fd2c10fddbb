import type { Filter } from '../meaning/filter.ts';

/**
 * Reduced ordered binary decision diagrams: Boolean functions over numbered variables. Two
 * functions are equal exactly when their nodes are.
 */

/** A Boolean function in a diagram: the number of its node. */
export type DiagramNode = number;

/** The function that is always false. */
export const falseNode: DiagramNode = 0;

/** The function that is always true. */
export const trueNode: DiagramNode = 1;

/** The result of every operation once the diagram exceeds its limit. */
export const tooLargeNode: DiagramNode = -1;

type Operation = 'and' | 'or' | 'xor';

/** The factor that combines two node numbers into one key; the limit of a diagram lies below it. */
const radix = 2 ** 22;

/** The level of the terminals, below every variable. */
const bottom = Number.MAX_SAFE_INTEGER;

/** A store of functions. Variables are numbered from 0; a lower one is decided first. */
export class Diagram {
  readonly #limit: number;
  #steps = 0;
  readonly #levels = [bottom, bottom];
  readonly #lows: DiagramNode[] = [falseNode, trueNode];
  readonly #highs: DiagramNode[] = [falseNode, trueNode];
  readonly #nodes = new Map<number, Map<number, DiagramNode>>();
  readonly #results = {
    and: new Map<number, DiagramNode>(),
    or: new Map<number, DiagramNode>(),
    xor: new Map<number, DiagramNode>(),
  };

  /** A diagram of at most `limit` nodes, which must be below four million. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of operations so far. */
  get steps(): number {
    return this.#steps;
  }

  /** The function that is true if the variable is. */
  variable(level: number): DiagramNode {
    return this.#node(level, falseNode, trueNode);
  }

  not(function_: DiagramNode): DiagramNode {
    return this.#apply('xor', function_, trueNode);
  }

  /** The function that is true if exactly one of the two is. */
  xor(a: DiagramNode, b: DiagramNode): DiagramNode {
    return this.#apply('xor', a, b);
  }

  /** The function that is true if all of these are. */
  and(functions: readonly DiagramNode[]): DiagramNode {
    return this.#join('and', functions);
  }

  /** The function that is true if any of these is. */
  or(functions: readonly DiagramNode[]): DiagramNode {
    return this.#join('or', functions);
  }

  /**
   * Returns the assignment that makes a function true at the least cost, where a true variable
   * costs `costOf`; undefined for `falseNode`. Variables outside the assignment may have either
   * value.
   */
  cheapest(root: DiagramNode, costOf: (level: number) => number): Map<number, boolean> | undefined {
    if (root <= falseNode) return undefined;
    const costs = this.#costs(root, costOf);
    const assignment = new Map<number, boolean>();
    for (let node = root; node !== trueNode; ) {
      const [level, low, high] = this.#parts(node);
      const costOfHigh = (costs[high] ?? 0) + costOf(level);
      const chosen = costOfHigh <= (costs[low] ?? 0);
      assignment.set(level, chosen);
      node = chosen ? high : low;
    }
    return assignment;
  }

  /**
   * The least cost of making each function up to the root true. A node has a higher number than
   * its successors.
   */
  #costs(root: DiagramNode, costOf: (level: number) => number): Float64Array {
    const costs = new Float64Array(root + 1);
    costs[falseNode] = Number.POSITIVE_INFINITY;
    for (let node = trueNode + 1; node <= root; node += 1) {
      const [level, low, high] = this.#parts(node);
      costs[node] = Math.min(costs[low] ?? 0, (costs[high] ?? 0) + costOf(level));
    }
    return costs;
  }

  /** Joins neighbours first, which keeps intermediate functions small. */
  #join(operation: 'and' | 'or', functions: readonly DiagramNode[]): DiagramNode {
    let joined = functions;
    while (1 < joined.length) {
      const pairs: DiagramNode[] = [];
      for (let at = 0; at < joined.length; at += 2) {
        const [first = falseNode, second] = joined.slice(at, at + 2);
        pairs.push(second === undefined ? first : this.#apply(operation, first, second));
      }
      joined = pairs;
    }
    return joined[0] ?? (operation === 'and' ? trueNode : falseNode);
  }

  #apply(operation: Operation, a: DiagramNode, b: DiagramNode): DiagramNode {
    const known = shortcut(operation, a, b);
    if (known !== undefined) return known;
    const key = a < b ? a * radix + b : b * radix + a;
    const results = this.#results[operation];
    const result = results.get(key);
    if (result !== undefined) return result;
    if (this.#isFull()) return tooLargeNode;
    this.#steps += 1;
    const [levelOfA, lowOfA, highOfA] = this.#parts(a);
    const [levelOfB, lowOfB, highOfB] = this.#parts(b);
    const level = Math.min(levelOfA, levelOfB);
    const low = this.#apply(operation, levelOfA === level ? lowOfA : a, levelOfB === level ? lowOfB : b);
    const high = this.#apply(operation, levelOfA === level ? highOfA : a, levelOfB === level ? highOfB : b);
    const joined = this.#node(level, low, high);
    results.set(key, joined);
    return joined;
  }

  #node(level: number, low: DiagramNode, high: DiagramNode): DiagramNode {
    if (low === tooLargeNode || high === tooLargeNode) return tooLargeNode;
    if (low === high) return low;
    let ofLevel = this.#nodes.get(level);
    if (!ofLevel) {
      ofLevel = new Map();
      this.#nodes.set(level, ofLevel);
    }
    const key = low * radix + high;
    const known = ofLevel.get(key);
    if (known !== undefined) return known;
    if (this.#isFull()) return tooLargeNode;
    const node = this.#levels.push(level) - 1;
    this.#lows.push(low);
    this.#highs.push(high);
    ofLevel.set(key, node);
    return node;
  }

  /**
   * Returns whether there is no space for another node, or soon will be none after the steps
   * so far.
   */
  #isFull(): boolean {
    return this.#limit <= this.#levels.length || 5 * this.#limit <= this.#steps;
  }

  #parts(node: DiagramNode): [level: number, low: DiagramNode, high: DiagramNode] {
    return [this.#levels[node] ?? bottom, this.#lows[node] ?? falseNode, this.#highs[node] ?? falseNode];
  }
}

/** The result of an operation that does not depend on variables. */
function shortcut(operation: Operation, a: DiagramNode, b: DiagramNode): DiagramNode | undefined {
  if (a === tooLargeNode || b === tooLargeNode) return tooLargeNode;
  if (operation === 'xor') {
    if (a === b) return falseNode;
    if (a === falseNode) return b;
    return b === falseNode ? a : undefined;
  }
  const [neutral, absorbing] = operation === 'and' ? [trueNode, falseNode] : [falseNode, trueNode];
  if (a === absorbing || b === absorbing) return absorbing;
  if (a === b || b === neutral) return a;
  return a === neutral ? b : undefined;
}

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
