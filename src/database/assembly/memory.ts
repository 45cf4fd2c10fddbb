/**
 * Memory layout of this program: constant tables, then areas sized for the longest region so far,
 * and the texts at the end. Addresses and lengths are in bytes.
 */

/** Result of a failed search. */
export const notFound: i32 = -1;

/** Length of a vector. Memory is read in whole vectors, so this many bytes after every area are readable. */
export const vectorLength: i32 = 16;

/** Sixteen ones and sixteen zeros: masks for the first bytes of a vector are loaded from within. */
export const onesAddress: i32 = 1024;

/**
 * Keys by spelling: field, length with quotes and colon, the slot of the key that followed at last,
 * hash, and text. The slot before them stands for the start of a line.
 */
export const keyTable: i32 = onesAddress + 2 * vectorLength;
export const keyField: i32 = 0;
export const keyLength: i32 = 4;
export const keyNext: i32 = 8;
export const keyHash: i32 = 12;
export const keyText: i32 = 16;
/** Maximum length of a key: no field has a longer one. */
export const longestKey: i32 = 64;
export const keySlotLength: i32 = keyText + longestKey + 3 + vectorLength;
export const maxKeys: i32 = 200;

/** Hashes of the keys of objects that are still open. */
export const openKeyTable: i32 = keyTable + (1 + maxKeys) * keySlotLength;
export const maxOpenKeys: i32 = 200;

/** Counts of `logFields`: numeric fields precede text fields. */
export const numberFieldCount: i32 = 3;
export const textFieldCount: i32 = 12;
/** Field of an unknown key. */
export const noField: i32 = numberFieldCount + textFieldCount;

/** The current line: numbers of its fields, and for each text its range and its hash. */
export const lineNumbers: i32 = openKeyTable + maxOpenKeys * 4;
export const lineTexts: i32 = lineNumbers + numberFieldCount * 8;
export const lineTextLength: i32 = 16;
export const textFrom: i32 = 0;
export const textTo: i32 = 4;
export const textHash: i32 = 8;

/** Hash table of repeatable texts: hash, address, length and code of each. */
export const textTable: i32 = lineTexts + textFieldCount * lineTextLength;
export const slotHash: i32 = 0;
export const slotFrom: i32 = 4;
export const slotLength: i32 = 8;
export const slotCode: i32 = 12;
export const textSlotLength: i32 = 16;
/** A power of two. */
export const textSlots: i32 = 16384;

/** Bytes of the region. */
export const regionAddress: i32 = textTable + textSlots * textSlotLength;

/** Columns of `logBatchColumns`: five numbers precede the numeric fields, and `extra` the texts. */
export const numberColumnCount: i32 = 5 + numberFieldCount;
export const textColumnCount: i32 = 1 + textFieldCount;

/** Length of a text entry: its length, and its bytes or their location. */
export const entryLength: i32 = 16;

export let maxRows: i32 = 0;
export let maxTexts: i32 = 0;

/** Numbers of each row, by column. */
export let numbersAddress: i32 = 0;
/** Text codes of each row, by column. */
export let codesAddress: i32 = 0;
/** Text entries, in the layout that `text-heap.ts` describes. */
export let entriesAddress: i32 = 0;
/** Unescaped texts, which are never longer than their source. */
export let unescapedAddress: i32 = 0;
/** Bytes of the longer texts. */
export let textsAddress: i32 = 0;

let longestRegion: i32 = 0;

/** Lays out the memory after a region of a length. Untouched memory takes none. */
export function layOutMemory(length: i32): void {
  if (length <= longestRegion) return;
  longestRegion = length;
  // The shortest log is `{"msg":1}` with its line feed, and has one text.
  maxRows = length / 10 + 1;
  maxTexts = length / 4 + 3;
  numbersAddress = aligned(regionAddress + length + vectorLength);
  codesAddress = numbersAddress + maxRows * numberColumnCount * 8;
  entriesAddress = aligned(codesAddress + maxRows * textColumnCount * 4);
  unescapedAddress = entriesAddress + maxTexts * entryLength + vectorLength;
  textsAddress = aligned(unescapedAddress + length + vectorLength);
  growMemory(textsAddress);
  // The first entry is the empty text.
  v128.store(entriesAddress, i64x2.splat(0));
}

function aligned(address: i32): i32 {
  return (address + vectorLength) & -vectorLength;
}

/** Additional pages, so that memory rarely grows. */
const spare: i32 = 16;

/** Grows the memory beyond an address. */
export function growMemory(address: i32): void {
  const pages = (address + vectorLength + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size() + spare) < 0) unreachable();
}

growMemory(regionAddress);
memory.fill(onesAddress, 0xff, vectorLength);
