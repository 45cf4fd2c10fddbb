/**
 * A partition of the numbers below `size` into blocks that can only be refined (Antti Valmari,
 * "Fast brief practical DFA minimization", 2012).
 */
export interface Partition {
  /** The number of blocks. */
  readonly count: () => number;
  /** The block of an element. */
  readonly blockOf: (element: number) => number;
  /** The elements of a block. */
  readonly elements: (block: number) => Int32Array;
  /** Marks an element for the next `split`. */
  readonly mark: (element: number) => void;
  /** Separates the marked elements of each block from the others; the smaller part becomes a new block. */
  readonly split: () => void;
}

/** Numbers in the order of their keys. */
export interface Grouped {
  readonly order: Int32Array;
  /** The numbers with a key. */
  readonly withKey: (key: number) => Int32Array;
}

/** Sorts the indices of `keys` by key; keys are below `bound`. */
export function groupBy(keys: Int32Array, bound: number): Grouped {
  const starts = new Int32Array(bound + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < bound; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const order = new Int32Array(keys.length);
  for (const [number, key] of keys.entries()) {
    const at = next[key] ?? 0;
    order[at] = number;
    next[key] = at + 1;
  }
  return { order, withKey: (key) => order.subarray(starts[key], starts[key + 1]) };
}

/** The partition whose blocks have equal keys below `bound`. */
export function partitionBy(keys: Int32Array, bound: number): Partition {
  const size = keys.length;
  const { order } = groupBy(keys, bound);
  const place = new Int32Array(size);
  const blockAt = new Int32Array(size);
  const first: number[] = [];
  const past: number[] = [];
  const marked: number[] = [];
  const touched: number[] = [];
  for (const [at, element] of order.entries()) {
    if (at === 0 || keys[element] !== keys[order[at - 1] ?? 0]) {
      first.push(at);
      past.push(at);
      marked.push(0);
    }
    past[past.length - 1] = at + 1;
    place[element] = at;
    blockAt[element] = first.length - 1;
  }

  function mark(element: number): void {
    const block = blockAt[element] ?? 0;
    const from = place[element] ?? 0;
    const to = (first[block] ?? 0) + (marked[block] ?? 0);
    if (from < to) return;
    const other = order[to] ?? 0;
    order[from] = other;
    place[other] = from;
    order[to] = element;
    place[element] = to;
    if (marked[block] === 0) touched.push(block);
    marked[block] = (marked[block] ?? 0) + 1;
  }

  function split(): void {
    for (const block of touched.splice(0)) {
      const [from, to] = [first[block] ?? 0, past[block] ?? 0];
      const middle = from + (marked[block] ?? 0);
      marked[block] = 0;
      if (middle === to) continue;
      const markedIsSmaller = middle - from <= to - middle;
      if (markedIsSmaller) first[block] = middle;
      else past[block] = middle;
      const [newFrom, newPast] = markedIsSmaller ? [from, middle] : [middle, to];
      for (let at = newFrom; at < newPast; at += 1) blockAt[order[at] ?? 0] = first.length;
      first.push(newFrom);
      past.push(newPast);
      marked.push(0);
    }
  }

  return {
    count: () => first.length,
    blockOf: (element) => blockAt[element] ?? 0,
    elements: (block) => order.slice(first[block], past[block]),
    mark,
    split,
  };
}
