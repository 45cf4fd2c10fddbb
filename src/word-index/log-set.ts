/** An immutable set of logs. */
export interface LogSet {
  readonly count: () => number;
  /** Their ids: not to be modified. */
  readonly bitmap: () => Bitmap;
  /** Their ids in ascending order, made anew. */
  readonly ids: () => number[];
  /** The ids if they are few, possibly with duplicates. */
  readonly few?: Uint32Array;
}

/** Up to this number, ids are kept as a list. */
export const maxListed = 1000;

/** Returns the set of a bitmap, counted once. */
export function setOfBits(bitmap: Bitmap): LogSet {
  let count: number | undefined;
  return {
    count: () => {
      count ??= countIds(bitmap);
      return count;
    },
    bitmap: () => bitmap,
    ids: () => idsOf(bitmap),
  };
}

/**
 * Returns a set of few ids, possibly with duplicates. Its bitmap, as large as the case, is made on demand:
 * counting needs none.
 */
export function setOfFew(ids: Uint32Array, bits: number): LogSet {
  let count: number | undefined;
  let bitmap: Bitmap | undefined;
  return {
    count: () => {
      count ??= new Set(ids).size;
      return count;
    },
    bitmap: () => {
      bitmap ??= withIds(ids, bits);
      return bitmap;
    },
    ids: () => [...new Set(ids)].sort((first, second) => first - second),
    few: ids,
  };
}

/** Returns a set without logs. */
export function emptySet(bits: number): LogSet {
  return setOfFew(new Uint32Array(), bits);
}

/** Returns the logs of any of some sets. No bitmap is made for few of them. */
export function unionOf(sets: readonly LogSet[], bits: number): LogSet {
  const filled = sets.filter(({ few }) => few?.length !== 0);
  const [first, ...others] = filled;
  if (first && others.length === 0) return first;
  const listed = filled.flatMap(({ few }) => few ?? []);
  if (listed.length === filled.length) return setOfFew(concatenated(listed), bits);
  const union = emptyBitmap(bits);
  for (const { few, bitmap } of filled) {
    if (few) for (const id of few) addId(union, id);
    else addAll(union, bitmap());
  }
  return setOfBits(union);
}

/** Returns the logs of all of some sets, at least one, that are in none of others. No bitmap is made for few. */
export function logsInAll(sets: readonly LogSet[], excluded: readonly LogSet[], bits: number): LogSet {
  const [rarest, ...others] = [...sets].sort((first, second) => sizeOf(first) - sizeOf(second));
  if (!rarest) return emptySet(bits);
  if (rarest.few)
    return setOfFew(
      rarest.few.filter(
        (id) =>
          others.every(({ bitmap }) => hasId(bitmap(), id)) &&
          !excluded.some(({ bitmap }) => hasId(bitmap(), id)),
      ),
      bits,
    );
  const result = copyOf(rarest.bitmap());
  for (const { bitmap } of others) keepOnly(result, bitmap());
  for (const { bitmap } of excluded) removeAll(result, bitmap());
  return setOfBits(result);
}

function sizeOf({ few }: LogSet): number {
  return few?.length ?? Number.POSITIVE_INFINITY;
}

function concatenated(lists: readonly Uint32Array[]): Uint32Array {
  const numbers = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    numbers.set(list, at);
    at += list.length;
  }
  return numbers;
}

function withIds(ids: Uint32Array, bits: number): Bitmap {
  const bitmap = emptyBitmap(bits);
  for (const id of ids) addId(bitmap, id);
  return bitmap;
}

/**
 * A set of ids. Id `i` is bit `7 - i % 8` of byte `i / 8`, as in a BIT of DuckDB, so that sets are passed
 * without conversion.
 */
export interface Bitmap {
  /** All bits, 32 in each word, in the byte order of the machine. */
  readonly words: Uint32Array;
  /** The same memory as the value of a BIT: a byte with the number of padding bits (0), then the bits. */
  readonly bit: Uint8Array;
}

/**
 * Returns the number of bits for ids up to this one: greater than the id, and a multiple of 64, so that nothing
 * is padded.
 */
export function bitsFor(lastId: number): number {
  return 64 * (Math.floor(lastId / 64) + 1);
}

/** Creates an empty set of this many bits, a multiple of 64. */
export function emptyBitmap(bits: number): Bitmap {
  // The padding byte precedes the words, which must be aligned to four bytes.
  const buffer = new ArrayBuffer(8 + bits / 8);
  return { words: new Uint32Array(buffer, 8), bit: new Uint8Array(buffer, 7) };
}

/** Creates a set from the value of a BIT. */
export function fromBit(bit: Uint8Array, bits: number): Bitmap {
  const bitmap = emptyBitmap(bits);
  bitmap.bit.set(bit.subarray(0, bitmap.bit.length));
  return bitmap;
}

/** Creates the set of all ids from `first` to `last`. */
export function idsBetween(first: number, last: number, bits: number): Bitmap {
  const bitmap = emptyBitmap(bits);
  const { bit } = bitmap;
  for (let id = first; id <= last; id++) {
    if (id % 8 === 0 && id + 7 <= last) {
      const end = Math.floor((last + 1) / 8);
      bit.fill(0xff, 1 + id / 8, 1 + end);
      id = 8 * end;
      if (last < id) break;
    }
    addId(bitmap, id);
  }
  return bitmap;
}

/** Adds an id to a set. */
export function addId({ bit }: Bitmap, id: number): void {
  const at = 1 + (id >>> 3);
  bit[at] = (bit[at] ?? 0) | (0x80 >>> (id & 7));
}

/** Reports if an id is in a set. */
export function hasId({ bit }: Bitmap, id: number): boolean {
  return ((bit[1 + (id >>> 3)] ?? 0) & (0x80 >>> (id & 7))) !== 0;
}

/** Removes the ids from a set that another lacks. */
export function keepOnly({ words }: Bitmap, { words: others }: Bitmap): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0);
}

/** Adds all ids of another set. */
export function addAll({ words }: Bitmap, { words: others }: Bitmap): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) | (others[at] ?? 0);
}

/** Adds the ids of some bytes, whose first bit is the id `base`, a multiple of 8. */
export function addBytes({ words }: Bitmap, added: Uint8Array, base: number): void {
  const { buffer, byteOffset, length } = alignedToWords(added, (base % 32) / 8);
  const others = new Uint32Array(buffer, byteOffset, length / 4);
  const first = (base - (base % 32)) / 32;
  const count = Math.min(others.length, words.length - first);
  for (let at = 0; at < count; at++) words[first + at] = (words[first + at] ?? 0) | (others[at] ?? 0);
}

/** Returns bytes after `before` empty ones, aligned to words. Mostly they already are. */
function alignedToWords(bytes: Uint8Array, before: number): Uint8Array {
  const { byteOffset, length } = bytes;
  if (before === 0 && byteOffset % 4 === 0 && length % 4 === 0) return bytes;
  const moved = new Uint8Array(4 * Math.ceil((before + length) / 4));
  moved.set(bytes, before);
  return moved;
}

/** Removes the ids of another set. */
export function removeAll({ words }: Bitmap, { words: others }: Bitmap): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & ~(others[at] ?? 0);
}

/** Returns a copy of a set. */
export function copyOf(bitmap: Bitmap): Bitmap {
  return fromBit(bitmap.bit, 32 * bitmap.words.length);
}

/** Counts the ids of a set, or of a range of its words. */
export function countIds({ words }: Bitmap, fromWord = 0, toWord = words.length): number {
  let count = 0;
  for (let at = fromWord; at < toWord; at++) {
    let word = words[at] ?? 0;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Visits the ids of a set, or of a range of its words, in order. */
export function eachId(
  { words, bit }: Bitmap,
  visit: (id: number) => void,
  { fromWord = 0, toWord = words.length }: { readonly fromWord?: number; readonly toWord?: number } = {},
): void {
  for (let at = fromWord; at < toWord; at++) {
    if (words[at] === 0) continue;
    for (let byte = 4 * at; byte < 4 * at + 4; byte++) {
      let rest = bit[1 + byte] ?? 0;
      while (rest !== 0) {
        const bitIndex = Math.clz32(rest) - 24;
        visit(8 * byte + bitIndex);
        rest &= ~(0x80 >>> bitIndex);
      }
    }
  }
}

/** Returns the ids of a set in order. */
export function idsOf(bitmap: Bitmap): number[] {
  const ids: number[] = [];
  eachId(bitmap, (id) => ids.push(id));
  return ids;
}
