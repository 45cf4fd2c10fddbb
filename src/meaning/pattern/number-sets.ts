/** Sets of numbers below a bound, one in each row, as bits. */
export interface BitRows {
  readonly add: (row: number, number: number) => void;
  /** The numbers of a row in ascending order; the row is empty then. */
  readonly take: (row: number) => Int32Array;
}

/** Empty rows for numbers below `bound`. */
export function bitRows(rows: number, bound: number): BitRows {
  const width = (bound + 31) >> 5;
  const words = new Int32Array(rows * width);
  const sizes = new Int32Array(rows);

  function add(row: number, number: number): void {
    const at = row * width + (number >> 5);
    const bit = 1 << (number & 31);
    const word = words[at] ?? 0;
    if ((word & bit) !== 0) return;
    words[at] = word | bit;
    sizes[row] = (sizes[row] ?? 0) + 1;
  }

  function take(row: number): Int32Array {
    const numbers = new Int32Array(sizes[row] ?? 0);
    let size = 0;
    for (let at = row * width; size < numbers.length; at += 1) {
      for (let word = words[at] ?? 0; word !== 0; word &= word - 1) {
        numbers[size] = ((at - row * width) << 5) + 31 - Math.clz32(word & -word);
        size += 1;
      }
      words[at] = 0;
    }
    sizes[row] = 0;
    return numbers;
  }

  return { add, take };
}

/** Different sets of numbers, numbered in the order in which they come. */
export interface SetNumbers {
  /** The sets so far. More may be added while they are gone through. */
  readonly sets: readonly Int32Array[];
  readonly numberOf: (set: Int32Array) => number;
}

/** No sets yet. */
export function setNumbers(): SetNumbers {
  const sets: Int32Array[] = [];
  const byHash = new Map<number, number[]>();

  function numberOf(set: Int32Array): number {
    const hash = hashOf(set);
    const candidates = byHash.get(hash) ?? [];
    const known = candidates.find((number) => isSame(sets[number], set));
    if (known !== undefined) return known;
    const number = sets.push(set) - 1;
    if (candidates.push(number) === 1) byHash.set(hash, candidates);
    return number;
  }

  return { sets, numberOf };
}

function hashOf(set: Int32Array): number {
  let hash = set.length;
  for (let at = 0; at < set.length; at += 1)
    hash = Math.imul(hash ^ (set[at] ?? 0), 0x01000193) ^ (hash >>> 15);
  return hash;
}

function isSame(a: Int32Array | undefined, b: Int32Array): boolean {
  return a !== undefined && a.length === b.length && b.every((number, at) => a[at] === number);
}
