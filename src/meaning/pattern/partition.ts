/**
 * A partition of the numbers below `size` into blocks that can only be made
 * smaller (Antti Valmari, "Fast brief practical DFA minimization", 2012).
 */
export interface Partition {
  /** How many blocks there are. */
  readonly count: () => number;
  /** The block of an element. */
  readonly blockOf: (element: number) => number;
  /** The elements of a block. */
  readonly elements: (block: number) => Int32Array;
  /** Marks an element for the next `split`. */
  readonly mark: (element: number) => void;
  /** Parts the marked elements of each block from the others of it; the smaller part becomes a new block. */
  readonly split: () => void;
}

/** The partition in which elements are together when they have the same key. The keys are from 0 on. */
export function partitionBy(keys: Int32Array): Partition {
  const size = keys.length;
  const order = Int32Array.from(keys.keys()).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
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
