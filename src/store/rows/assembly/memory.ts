/**
 * What is where in the one memory of this program: first what never changes,
 * then what is made for the longest region so far, and the texts at its end.
 * Addresses and lengths are in bytes.
 */

/** No address, where something was not found. */
export const none: i32 = -1;

/**
 * Bytes are read sixteen at a time, also where only some of them are meant: so
 * many more can be read behind everything.
 */
export const vector: i32 = 16;

/** Sixteen bytes of ones and sixteen of zeros: what stands so far before the zeros keeps so many bytes of a vector. */
export const ones: i32 = 1024;

/** For each state of a word and each ASCII character the next state. */
export const moves: i32 = ones + 2 * vector;
export const mostStates: i32 = 16;
export const characters: i32 = 128;

/** For each field, and behind them for none, the number of the key that came next when it was last looked up. */
export const following: i32 = moves + mostStates * characters;

/** The keys as they were spelt: the field of each, its bytes with its quotes and its colon, and those. */
export const keys: i32 = following + 32;
export const keyField: i32 = 0;
export const keyLength: i32 = 4;
export const keyText: i32 = 8;
/** Longer keys are no field's, as far as is known. */
export const longestKey: i32 = 64;
export const keyRoom: i32 = keyText + longestKey + 3 + vector;
export const mostKeys: i32 = 100;

/** `logFields`: those that are numbers come first. */
export const numberFields: i32 = 3;
export const textFields: i32 = 12;

/** The line under way: the numbers of its fields, and for each text where it begins and ends, its hash, and whether it is ASCII. */
export const lineNumbers: i32 = keys + mostKeys * keyRoom;
export const lineTexts: i32 = lineNumbers + numberFields * 8;
export const lineText: i32 = 16;
export const textFrom: i32 = 0;
export const textTo: i32 = 4;
export const textHash: i32 = 8;
export const textIsAscii: i32 = 12;

/** The texts that may come again, at places that their hashes say: the hash of each, where it stands, and its number. */
export const known: i32 = lineTexts + textFields * lineText;
export const knownHash: i32 = 0;
export const knownFrom: i32 = 4;
export const knownLength: i32 = 8;
export const knownCode: i32 = 12;
export const knownText: i32 = 16;
/** A power of two. */
export const places: i32 = 16384;

/** The bytes of the region. */
export const region: i32 = known + places * knownText;

/** `logColumns`: five numbers stand before those that are fields, and `extra` before the texts and their tokens. */
export const numberColumns: i32 = 5 + numberFields;
export const textColumns: i32 = 1 + 2 * textFields;

/** As long as an entry of a text is: its length, and its bytes or where they are. */
export const entryLength: i32 = 16;

export let mostRows: i32 = 0;
export let mostTexts: i32 = 0;

/** For each number of a text the number of its tokens. */
export let tokensOf: i32 = 0;
/** Row by row, the number of each column. */
export let numbers: i32 = 0;
/** Row by row, the number of the text of each column. */
export let codes: i32 = 0;
/** The entries of the texts: `text-heap.ts` says what they are. */
export let entries: i32 = 0;
/** What texts with escapes say, which is not longer than they are. */
export let unescaped: i32 = 0;
/** The bytes of the longer texts. */
export let texts: i32 = 0;

let longestRegion: i32 = 0;

/** Decides what is where behind a region of so many bytes. Memory that is never written to takes none. */
export function layOut(length: i32): void {
  if (length <= longestRegion) return;
  longestRegion = length;
  // The shortest log is `{"msg":1}` with its line feed, and has two texts.
  mostRows = length / 10 + 1;
  mostTexts = length / 4 + 3;
  tokensOf = aligned(region + length + vector);
  numbers = aligned(tokensOf + mostTexts * 4);
  codes = numbers + mostRows * numberColumns * 8;
  entries = aligned(codes + mostRows * textColumns * 4);
  unescaped = entries + mostTexts * entryLength + vector;
  texts = aligned(unescaped + length + vector);
  reach(texts);
  // The first entry is the empty text.
  v128.store(entries, i64x2.splat(0));
}

function aligned(address: i32): i32 {
  return (address + vector) & -vector;
}

/** More pages than it needs: then memory seldom has to grow. */
const spare: i32 = 16;

/** Makes the memory reach beyond an address. */
export function reach(address: i32): void {
  const pages = (address + vector + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size() + spare) < 0) unreachable();
}

reach(region);
memory.fill(ones, 0xff, vector);
memory.fill(following, 0xff, numberFields + textFields + 1);
