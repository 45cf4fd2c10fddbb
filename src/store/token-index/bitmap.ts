/**
 * A set of ids. Id `i` is the bit `7 - i % 8` of the byte `i / 8`, as a BIT of
 * the database has it, so that sets go in and out of it as they are.
 */
export interface Bitmap {
  /** All bits, 32 at a time, in the byte order of the machine. */
  readonly words: Uint32Array;
  /** The same memory as the value of a BIT: a byte that says how many bits pad it (none), then the bits. */
  readonly bit: Uint8Array;
}

/** The number of bits for ids up to one: a multiple of 64, so that nothing is padded, and always more than that id. */
export function bitsFor(lastId: number): number {
  return 64 * (Math.floor(lastId / 64) + 1);
}

/** The set of no ids, with room for so many bits: a multiple of 64. */
export function emptyBitmap(bits: number): Bitmap {
  // The padding byte stands before the words, which have to begin at a multiple of four.
  const buffer = new ArrayBuffer(8 + bits / 8);
  return { words: new Uint32Array(buffer, 8), bit: new Uint8Array(buffer, 7) };
}

/** The set that the value of a BIT says. */
export function fromBit(bit: Uint8Array, bits: number): Bitmap {
  const made = emptyBitmap(bits);
  made.bit.set(bit.subarray(0, made.bit.length));
  return made;
}

/** The set of all ids from one to another. */
export function idsBetween(first: number, last: number, bits: number): Bitmap {
  const made = emptyBitmap(bits);
  const { bit } = made;
  for (let id = first; id <= last; id++) {
    if (id % 8 === 0 && id + 7 <= last) {
      const end = Math.floor((last + 1) / 8);
      bit.fill(0xff, 1 + id / 8, 1 + end);
      id = 8 * end;
      if (last < id) break;
    }
    addId(made, id);
  }
  return made;
}

/** Puts an id into a set. */
export function addId({ bit }: Bitmap, id: number): void {
  const at = 1 + (id >>> 3);
  bit[at] = (bit[at] ?? 0) | (0x80 >>> (id & 7));
}

/** Takes out of a set what another does not have. */
export function keepOnly({ words }: Bitmap, { words: others }: Bitmap): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0);
}

/** Puts into a set what another has. */
export function addAll({ words }: Bitmap, { words: others }: Bitmap): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) | (others[at] ?? 0);
}

/** Puts into a set the ids of some bytes, whose first bit stands for an id that is a multiple of 8. */
export function addBytes({ words }: Bitmap, added: Uint8Array, base: number): void {
  const { buffer, byteOffset, length } = alignedToWords(added, (base % 32) / 8);
  const others = new Uint32Array(buffer, byteOffset, length / 4);
  const first = (base - (base % 32)) / 32;
  const count = Math.min(others.length, words.length - first);
  for (let at = 0; at < count; at++) words[first + at] = (words[first + at] ?? 0) | (others[at] ?? 0);
}

/** Bytes behind so many empty ones, so that they are read as whole words: mostly they can be as they are. */
function alignedToWords(bytes: Uint8Array, before: number): Uint8Array {
  const { byteOffset, length } = bytes;
  if (before === 0 && byteOffset % 4 === 0 && length % 4 === 0) return bytes;
  const moved = new Uint8Array(4 * Math.ceil((before + length) / 4));
  moved.set(bytes, before);
  return moved;
}

/** Takes out of a set what another has. */
export function removeAll({ words }: Bitmap, { words: others }: Bitmap): void {
  for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & ~(others[at] ?? 0);
}

/** A set of its own with the same ids. */
export function copyOf(bitmap: Bitmap): Bitmap {
  return fromBit(bitmap.bit, 32 * bitmap.words.length);
}

/** How many ids a set has, or a stretch of its words. */
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

/** Visits the ids of a set in their order, or those of a stretch of its words. */
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
        const place = Math.clz32(rest) - 24;
        visit(8 * byte + place);
        rest &= ~(0x80 >>> place);
      }
    }
  }
}

/** The ids of a set in their order. */
export function idsOf(bitmap: Bitmap): number[] {
  const ids: number[] = [];
  eachId(bitmap, (id) => ids.push(id));
  return ids;
}
