/** Layout of the terms and of the fixed memory of this program. Addresses and lengths are in bytes. */

/** Record of a term, followed by its text, padded with zeros to a multiple of eight bytes. */
export const textLength: i32 = 0;
/** Number of the field, and in the next byte the binary logarithm of the length of the last slice. */
export const fieldNumber: i32 = 4;
export const sliceBits: i32 = 5;
export const logCount: i32 = 8;
export const occurrenceCount: i32 = 12;
export const lastLog: i32 = 16;
export const lastPosition: i32 = 20;
/** Gap of the last log; -1 once it is written. */
export const waitingLog: i32 = 24;
export const waitingPosition: i32 = 28;
export const writeAt: i32 = 32;
export const sliceEnd: i32 = 36;
export const firstSlice: i32 = 40;
export const textAt: i32 = 44;

export const firstSliceBits: i32 = 3;
export const longestSliceBits: i32 = 15;
/** At the end of a slice: the address of the next. */
export const linkLength: i32 = 4;

/** See `posting-chunks.ts`. */
export const chunkBits: i32 = 12;
export const chunkIds: i32 = 4096;
export const chunkBytes: i32 = 512;
export const denseCount: i32 = 512;
export const fewLogs: i32 = 4;

/** See `dictionary.ts`. */
export const blockTerms: i32 = 32;
export const pageBlocks: i32 = 256;
export const blockHead: i32 = 4;
export const hexSuffix: i32 = 0x80;
export const sharedShift: i32 = 4;
export const mostShared: i32 = 7;
export const mostAdded: i32 = 15;

/** Bits of the id that the logs of one call share. */
export const batchBits: i32 = 9;
export const batchIds: i32 = 512;

export const blank: i32 = 0x20;
export const separator: i32 = 0x1f;
export const longestText: i32 = 0xffff;
/** U+0080 as UTF-8: begins a text whose words are cut already. */
export const cutMark: i32 = 0x80c2;
export const cutMarkLength: i32 = 2;
const maxFields: i32 = 32;

/** Addresses of fixed memory. */
export const placesAddress: i32 = 1024;
export const tokensAddress: i32 = placesAddress + batchIds * 4;
/** Sections of output, one behind the other, each with its start and its end. */
export const blockSection: i32 = tokensAddress + maxFields * 8;
export const sectionBytes: i32 = 8;
export const lowsAddress: i32 = blockSection + 64;
export const logsAddress: i32 = lowsAddress + chunkIds * 2;
export const wordsAddress: i32 = logsAddress + chunkIds * 3;
export const maxWords: i32 = 512;
/** Next state for each state of the word automaton and each ASCII character. */
export const transitionTable: i32 = wordsAddress + maxWords * 24;
const transitionBytes: i32 = 16 * 128;
/** Of each field, the number of words of each log of a batch. */
export const lengthsAddress: i32 = transitionTable + transitionBytes;
export const heapAddress: i32 = lengthsAddress + maxFields * batchIds * 4;

export const pageSection: i32 = blockSection + sectionBytes;
export const topSection: i32 = blockSection + 2 * sectionBytes;
export const postingSection: i32 = blockSection + 3 * sectionBytes;
export const positionSection: i32 = blockSection + 4 * sectionBytes;
export const sectionCount: i32 = 5;
export const sectionEnd: i32 = 4;
