/**
 * Reduced ordered binary decision diagrams: Boolean functions over numbered
 * variables, of which two are the same function exactly when they are the same
 * node.
 */

/** A Boolean function in a diagram: the number of its node. */
export type Node = number;

/** The function that is never true. */
export const never: Node = 0;

/** The function that is always true. */
export const always: Node = 1;

/** What every operation gives back once the diagram has outgrown its limit, whatever it is asked for. */
export const tooLarge: Node = -1;

type Operation = 'and' | 'or' | 'xor';

/** Room for the number of a node beside another in one key; the limit of a diagram lies below it. */
const radix = 2 ** 22;

/** The terminals lie below every variable. */
const bottom = Number.MAX_SAFE_INTEGER;

/** A store of functions. Numbers of variables count from 0; a lower one is decided first. */
export class Diagram {
  readonly #limit: number;
  #steps = 0;
  readonly #levels = [bottom, bottom];
  readonly #lows: Node[] = [never, always];
  readonly #highs: Node[] = [never, always];
  readonly #nodes = new Map<number, Map<number, Node>>();
  readonly #results = {
    and: new Map<number, Node>(),
    or: new Map<number, Node>(),
    xor: new Map<number, Node>(),
  };

  /** A diagram of at most `limit` nodes, which must be below four million. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The function that is true where the variable is. */
  variable(level: number): Node {
    return this.#node(level, never, always);
  }

  not(function_: Node): Node {
    return this.#apply('xor', function_, always);
  }

  /** The function that is true where exactly one of the two is. */
  xor(a: Node, b: Node): Node {
    return this.#apply('xor', a, b);
  }

  /** The function that is true where all of these are. */
  and(functions: readonly Node[]): Node {
    return this.#join('and', functions);
  }

  /** The function that is true where any of these is. */
  or(functions: readonly Node[]): Node {
    return this.#join('or', functions);
  }

  /**
   * The assignment that makes a function true at the least cost, where each
   * variable has the cost of being true; undefined for `never`. A variable that
   * is not in the assignment may be either.
   */
  cheapest(root: Node, costOf: (level: number) => number): Map<number, boolean> | undefined {
    if (root <= never) return undefined;
    const costs = this.#costs(root, costOf);
    const assignment = new Map<number, boolean>();
    for (let node = root; node !== always; ) {
      const [level, low, high] = this.#parts(node);
      const costOfHigh = (costs[high] ?? 0) + costOf(level);
      const chosen = costOfHigh <= (costs[low] ?? 0);
      assignment.set(level, chosen);
      node = chosen ? high : low;
    }
    return assignment;
  }

  /** The least cost of making each function up to the root true. A node is always younger than what it leads to. */
  #costs(root: Node, costOf: (level: number) => number): Float64Array {
    const costs = new Float64Array(root + 1);
    costs[never] = Number.POSITIVE_INFINITY;
    for (let node = always + 1; node <= root; node += 1) {
      const [level, low, high] = this.#parts(node);
      costs[node] = Math.min(costs[low] ?? 0, (costs[high] ?? 0) + costOf(level));
    }
    return costs;
  }

  /** Joins neighbours first, so that the functions in between stay small. */
  #join(operation: 'and' | 'or', functions: readonly Node[]): Node {
    let joined = functions;
    while (1 < joined.length) {
      const pairs: Node[] = [];
      for (let at = 0; at < joined.length; at += 2) {
        const [first = never, second] = joined.slice(at, at + 2);
        pairs.push(second === undefined ? first : this.#apply(operation, first, second));
      }
      joined = pairs;
    }
    return joined[0] ?? (operation === 'and' ? always : never);
  }

  #apply(operation: Operation, a: Node, b: Node): Node {
    const known = shortcut(operation, a, b);
    if (known !== undefined) return known;
    const key = a < b ? a * radix + b : b * radix + a;
    const results = this.#results[operation];
    const result = results.get(key);
    if (result !== undefined) return result;
    if (this.#isFull()) return tooLarge;
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

  #node(level: number, low: Node, high: Node): Node {
    if (low === tooLarge || high === tooLarge) return tooLarge;
    if (low === high) return low;
    let ofLevel = this.#nodes.get(level);
    if (!ofLevel) {
      ofLevel = new Map();
      this.#nodes.set(level, ofLevel);
    }
    const key = low * radix + high;
    const known = ofLevel.get(key);
    if (known !== undefined) return known;
    if (this.#isFull()) return tooLarge;
    const node = this.#levels.push(level) - 1;
    this.#lows.push(low);
    this.#highs.push(high);
    ofLevel.set(key, node);
    return node;
  }

  /** Whether there is no room for another node, or so much has been tried that there soon will be none. */
  #isFull(): boolean {
    return this.#limit <= this.#levels.length || 5 * this.#limit <= this.#steps;
  }

  #parts(node: Node): [level: number, low: Node, high: Node] {
    return [this.#levels[node] ?? bottom, this.#lows[node] ?? never, this.#highs[node] ?? never];
  }
}

/** The result where it needs no look at the variables. */
function shortcut(operation: Operation, a: Node, b: Node): Node | undefined {
  if (a === tooLarge || b === tooLarge) return tooLarge;
  if (operation === 'xor') {
    if (a === b) return never;
    if (a === never) return b;
    return b === never ? a : undefined;
  }
  const [neutral, absorbing] = operation === 'and' ? [always, never] : [never, always];
  if (a === absorbing || b === absorbing) return absorbing;
  if (a === b || b === neutral) return a;
  return a === neutral ? b : undefined;
}
