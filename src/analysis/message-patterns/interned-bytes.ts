const decoder = new TextDecoder();

/** Numbers for byte sequences: equal ones have the same number. */
export interface InternedBytes {
  /** The number of the bytes from `start` to `end`, from 0 in order of appearance. */
  readonly intern: (bytes: Uint8Array, start: number, end: number) => number;
  /** The number of different sequences. */
  readonly size: () => number;
  /** The text of a number. */
  readonly text: (number: number) => string;
}

/** Creates an empty table of byte sequences. */
export function internBytes(): InternedBytes {
  const sequences: Uint8Array[] = [];
  const hashes: number[] = [];
  // Open addressing over numbers + 1; 0 is free.
  let slots = new Int32Array(1024);

  function grow(): void {
    slots = new Int32Array(slots.length * 2);
    for (const [number, hash] of hashes.entries()) {
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
  }

  function intern(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const number = (slots[slot] ?? 0) - 1;
      if (number === -1) {
        slots[slot] = sequences.push(bytes.slice(start, end));
        hashes.push(hash);
        if (slots.length < 2 * sequences.length) grow();
        return sequences.length - 1;
      }
      const known = sequences[number];
      if (hashes[number] === hash && known && isEqual(known, bytes, start, end)) return number;
    }
  }

  return {
    intern,
    size: () => sequences.length,
    text: (number) => decoder.decode(sequences[number]),
  };
}

/** A 32-bit FNV-1a hash. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let position = start; position < end; position++)
    hash = Math.imul(hash ^ (bytes[position] ?? 0), 0x01000193);
  return hash >>> 0;
}

/** True if `known` equals the bytes from `start` to `end`. */
export function isEqual(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let index = 0; index < known.length; index++) if (known[index] !== bytes[start + index]) return false;
  return true;
}
