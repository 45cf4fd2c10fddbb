/** A set of numbers in ascending order: the first `size` of the list, which may be overwritten later. */
export interface NumberSet {
  readonly numbers: Int32Array;
  size: number;
}

/** Sets of numbers below a bound, one per row, as bits. */
export interface BitRows {
  readonly add: (row: number, number: number) => void;
  /** Returns the numbers of a row and empties it. The result is valid until the next call. */
  readonly take: (row: number) => NumberSet;
}

/** Empty rows for numbers below `bound`. */
export function bitRows(rows: number, bound: number): BitRows {
  const width = (bound + 31) >> 5;
  const words = new Int32Array(rows * width);
  const sizes = new Int32Array(rows);
  const taken: NumberSet = { numbers: new Int32Array(bound), size: 0 };

  function add(row: number, number: number): void {
    const at = row * width + (number >> 5);
    const bit = 1 << (number & 31);
    const word = words[at] ?? 0;
    if ((word & bit) !== 0) return;
    words[at] = word | bit;
    sizes[row] = (sizes[row] ?? 0) + 1;
  }

  function take(row: number): NumberSet {
    const wanted = sizes[row] ?? 0;
    let size = 0;
    for (let at = row * width; size < wanted; at += 1) {
      const first = (at - row * width) << 5;
      for (let word = words[at] ?? 0; word !== 0; word &= word - 1) {
        taken.numbers[size] = first + 31 - Math.clz32(word & -word);
        size += 1;
      }
      words[at] = 0;
    }
    sizes[row] = 0;
    taken.size = size;
    return taken;
  }

  return { add, take };
}

/** Distinct sets of numbers, numbered in the order of arrival. */
export interface SetNumbering {
  /** The sets so far. A loop over them also sees sets that are added meanwhile. */
  readonly sets: readonly Int32Array[];
  readonly numberOf: (set: NumberSet) => number;
}

/** An empty numbering. */
export function setNumbering(): SetNumbering {
  const sets: Int32Array[] = [];
  const byHash = new Map<number, number[]>();

  function numberOf(set: NumberSet): number {
    const hash = hashOf(set);
    const candidates = byHash.get(hash);
    const known = candidates?.find((number) => isSame(sets[number], set));
    if (known !== undefined) return known;
    const number = sets.push(set.numbers.slice(0, set.size)) - 1;
    if (candidates) candidates.push(number);
    else byHash.set(hash, [number]);
    return number;
  }

  return { sets, numberOf };
}

function hashOf({ numbers, size }: NumberSet): number {
  let hash = size;
  for (let at = 0; at < size; at += 1)
    hash = Math.imul(hash ^ (numbers[at] ?? 0), 0x01000193) ^ (hash >>> 15);
  return hash;
}

function isSame(known: Int32Array | undefined, { numbers, size }: NumberSet): boolean {
  if (known?.length !== size) return false;
  for (let at = 0; at < size; at += 1) if (known[at] !== numbers[at]) return false;
  return true;
}
