import { fieldSeparators } from '../case/index.ts';

/** A row of a block of fields. */
export interface FieldRow {
  /** Begin of each field in the block, and behind the last field the position at which another one would begin. */
  readonly starts: Int32Array;
}

/** More fields than any log has. */
const mostFields = 64;

/**
 * Calls a function for each row of a block of `streamGroupBlocks`. The row is one object, which
 * the next row overwrites: a million rows would be as many objects.
 */
export function forEachRow(block: Uint8Array, visit: (row: FieldRow) => void): void {
  const starts = new Int32Array(mostFields);
  const row = { starts };
  let fields = 0;
  for (let position = 0; position < block.length; position++) {
    const byte = block[position] ?? 0;
    if (fieldSeparators.field < byte) continue;
    if (byte !== fieldSeparators.field && byte !== fieldSeparators.row) continue;
    starts[++fields] = position + 1;
    if (byte === fieldSeparators.field) continue;
    visit(row);
    starts[0] = position + 1;
    fields = 0;
  }
}

/** The begin of a field. */
export function fieldStart({ starts }: FieldRow, field: number): number {
  return starts[field] ?? 0;
}

/** The end of a field, behind its last byte. */
export function fieldEnd({ starts }: FieldRow, field: number): number {
  return (starts[field + 1] ?? 1) - 1;
}

/** A field that holds a whole number in decimal digits; undefined where it is empty. */
export function integerIn(block: Uint8Array, row: FieldRow, field: number): number | undefined {
  const [start, end] = [fieldStart(row, field), fieldEnd(row, field)];
  if (start === end) return undefined;
  const isNegative = block[start] === 0x2d;
  let value = 0;
  for (let position = isNegative ? start + 1 : start; position < end; position++)
    value = value * 10 + (block[position] ?? 0) - 0x30;
  return isNegative ? -value : value;
}

/** Joins lists of numbers in their order. */
export function joinNumbers(lists: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(lists.reduce((length, list) => length + list.length, 0));
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
}

/** Compares texts by their code units, for orders that depend on no language. */
export function compareTexts(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

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

/** Creates an empty table of byte sequences. They are in one buffer: as many small ones would keep the collector busy. */
export function internBytes(): InternedBytes {
  let [buffer, hashes, ends] = [new Uint8Array(4096), new Uint32Array(256), new Float64Array(256)];
  let size = 0;
  // Open addressing over numbers + 1; 0 is free.
  let slots = new Int32Array(1024);

  const startOf = (number: number) => (number === 0 ? 0 : (ends[number - 1] ?? 0));

  function growSlots(): void {
    slots = new Int32Array(slots.length * 2);
    for (let number = 0; number < size; number++) {
      let slot = (hashes[number] ?? 0) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = number + 1;
    }
  }

  function add(bytes: Uint8Array, { start, end, hash }: HashedRange): number {
    const from = startOf(size);
    const to = from + end - start;
    if (buffer.length < to) buffer = enlarged(buffer, new Uint8Array(2 * to));
    if (size === ends.length) {
      hashes = enlarged(hashes, new Uint32Array(2 * size));
      ends = enlarged(ends, new Float64Array(2 * size));
    }
    for (let position = start; position < end; position++)
      buffer[from + position - start] = bytes[position] ?? 0;
    [hashes[size], ends[size]] = [hash, to];
    return size++;
  }

  function isKnown(number: number, bytes: Uint8Array, { start, end, hash }: HashedRange): boolean {
    if (hashes[number] !== hash) return false;
    const from = startOf(number);
    if ((ends[number] ?? 0) - from !== end - start) return false;
    for (let position = start; position < end; position++)
      if (buffer[from + position - start] !== bytes[position]) return false;
    return true;
  }

  function intern(bytes: Uint8Array, start: number, end: number): number {
    const range = { start, end, hash: hashOf(bytes, start, end) };
    for (let slot = range.hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const number = (slots[slot] ?? 0) - 1;
      if (number === -1) {
        slots[slot] = size + 1;
        const added = add(bytes, range);
        if (slots.length < 2 * size) growSlots();
        return added;
      }
      if (isKnown(number, bytes, range)) return number;
    }
  }

  return {
    intern,
    size: () => size,
    text: (number) => decoder.decode(buffer.subarray(startOf(number), number < size ? ends[number] : 0)),
  };
}

/** Bytes from `start` to `end` with their hash. */
interface HashedRange {
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

/** Copies the items into a longer array. */
function enlarged<A extends Uint8Array | Uint32Array | Float64Array>(items: A, longer: A): A {
  longer.set(items);
  return longer;
}

/** A 32-bit FNV-1a hash. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let position = start; position < end; position++)
    hash = Math.imul(hash ^ (bytes[position] ?? 0), 0x01000193);
  return hash >>> 0;
}

/** True if `known` equals the bytes from `start` to `end`. */
export function equalsBytes(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let index = 0; index < known.length; index++) if (known[index] !== bytes[start + index]) return false;
  return true;
}
