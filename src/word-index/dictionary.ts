import { ByteReader } from './bytes.ts';

/**
 * The sorted terms of a field, with the places of their postings. Terms are UTF-8 and sorted by their bytes, which is
 * the order of code points. Blocks of 32 terms share prefixes. Pages of 256 blocks list the first terms of
 * blocks, the top those of pages: a term is found by one page and one block. `assembly/postings.ts` writes
 *
 *     top, page:  (length of the first term, first term, offset, length, kinds of bytes in 4 bytes)…
 *     block:      its length in 4 bytes, offsets of its postings and positions, terms
 *     term:       head, [shared bytes - 7,] [other bytes - 15,] other bytes, then
 *       one log:  its id less the first id of the segment, doubled; its positions
 *       others:   4 × number of logs + 1, or + 3 with [occurrences but one for each log]; bytes of postings, of positions
 *
 * where numbers are varints: 7 bits in each byte, the lowest first. The head of a term is a byte: in three bits the number
 * of bytes that it shares with the term before, at most 7, and in the lowest four that of its other bytes, at most 15. If
 * the highest bit is set, these are hexadecimal digits, two to a byte: identifiers and numbers are most of all terms.
 * The kinds of bytes in the terms of a block or page are bits, as of `kindOf`: a pattern of words skips identifiers.
 */

const [zero, letterA] = [0x30, 0x61];

/** A range of bytes of a section. */
export interface ByteRange {
  readonly at: number;
  readonly length: number;
}

/** First terms of consecutive blocks or pages, their bytes, and the kinds of bytes in their terms. */
export interface FirstTerms {
  readonly terms: readonly Uint8Array[];
  readonly ranges: readonly ByteRange[];
  readonly kinds: readonly number[];
}

/** Returns the bit of the kind of a byte: of a small letter its own, then digits, bytes of other characters, and the rest. */
export function kindOf(byte: number): number {
  if (letterA <= byte && byte <= letterA + 25) return 1 << (byte - letterA);
  if (0x80 <= byte) return 1 << 27;
  return zero <= byte && byte <= zero + 9 ? 1 << 26 : 1 << 28;
}

/** A block or page: where its first term is, its own bytes, and the kinds of bytes in its terms. */
export interface FirstTerm extends ByteRange {
  readonly from: number;
  readonly to: number;
  readonly kinds: number;
}

/** Reads the next entry of a page, or of the top of a dictionary; undefined at the end. */
export function readFirstTerm(reader: ByteReader): FirstTerm | undefined {
  if (reader.isAtEnd) return undefined;
  const to = reader.varint() + reader.at;
  const from = reader.at;
  reader.at = to;
  return { from, to, at: reader.varint(), length: reader.varint(), kinds: reader.uint32() };
}

/** Reads a page, or the top of a dictionary. */
export function readFirstTerms(bytes: Uint8Array): FirstTerms {
  const reader = new ByteReader(bytes);
  const terms: Uint8Array[] = [];
  const ranges: ByteRange[] = [];
  const kinds: number[] = [];
  for (let first = readFirstTerm(reader); first; first = readFirstTerm(reader)) {
    terms.push(bytes.subarray(first.from, first.to));
    ranges.push({ at: first.at, length: first.length });
    kinds.push(first.kinds);
  }
  return { terms, ranges, kinds };
}

/** Returns the bytes of the block or page that has a term if any has. */
export function rangeWith({ terms, ranges }: FirstTerms, term: Uint8Array): ByteRange {
  return ranges[lastNotAfter(terms, term)] ?? { at: 0, length: 0 };
}

/** Returns the bytes of the block of a page that has a term if any has. */
export function blockWith(page: Uint8Array, term: Uint8Array): ByteRange {
  const reader = new ByteReader(page);
  let block: ByteRange = { at: 0, length: 0 };
  for (let next = readFirstTerm(reader); next; next = readFirstTerm(reader)) {
    if (0 < block.length && isAfter(page, next, term)) break;
    block = next;
  }
  return { at: block.at, length: block.length };
}

/** Reports if a part of some bytes sorts after a term. */
function isAfter(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  term: Uint8Array,
): boolean {
  const shared = Math.min(to - from, term.length);
  for (let at = 0; at < shared; at++) {
    const difference = (bytes[from + at] ?? 0) - (term[at] ?? 0);
    if (difference !== 0) return 0 < difference;
  }
  return term.length < to - from;
}

/** Returns the index of the last term that is not after another; 0 if all are. */
function lastNotAfter(terms: readonly Uint8Array[], term: Uint8Array): number {
  let [low, high] = [0, terms.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = terms[middle];
    if (found && Buffer.compare(found, term) <= 0) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** A term and the place of its postings. */
export interface TermEntry {
  /** Logs with the term. */
  readonly logs: number;
  /** If there is one log only: its id, and its positions. */
  readonly only?: { readonly id: number; readonly positions: Uint8Array };
  /** Otherwise its occurrences but one for each log, */
  readonly repeats: number;
  /** and ranges of the sections of the field. */
  readonly postings: ByteRange;
  readonly positions: ByteRange;
}

const blockHead = 4;

/** Bits of the head of a term: a flag, the place of a number, and the largest numbers that fit. */
const [hexSuffix, sharedShift, mostShared, mostAdded] = [0x80, 4, 7, 15];

/** Reads the terms of consecutive blocks one by one, without a copy of each. The last block may be cut. */
export class TermReader {
  /** The current term is the first `length` bytes. */
  term: Uint8Array = Buffer.alloc(256);
  length = 0;
  /** Bytes that it has in common with the term before, at least; 0 for the first one of a block. */
  shared = 0;
  logs = 0;
  /** Occurrences but one for each log; 0 if there is one log only. */
  repeats = 0;
  /** Id of the log if there is one only. */
  only = 0;
  postingsAt = 0;
  postingsLength = 0;
  positionsLength = 0;
  /** Bytes of complete blocks read so far. */
  read = 0;
  private positionsAt = 0;
  private at = 0;
  private end = 0;
  private onlyAt = 0;
  private readonly blocks: Uint8Array;
  private readonly firstId: number;

  /** Reads blocks of a segment that begins with an id. */
  constructor(blocks: Uint8Array, firstId: number) {
    this.blocks = blocks;
    this.firstId = firstId;
  }

  /** Reads the next term; false after the last one of a complete block. */
  next(): boolean {
    if (this.at === this.end && !this.startBlock()) return false;
    this.postingsAt += this.postingsLength;
    this.positionsAt += this.positionsLength;
    this.readTerm();
    [this.logs, this.postingsLength, this.positionsLength, this.repeats] = [1, 0, 0, 0];
    const number = this.varint();
    if (number % 2 === 0) this.readOnlyLog(number);
    else {
      this.logs = Math.floor(number / 4);
      if (number % 4 === 3) this.repeats = this.varint();
      this.postingsLength = this.varint();
      this.positionsLength = this.varint();
    }
    if (this.end < this.at) throw new RangeError('The terms of a block end within a term');
    return true;
  }

  /** Returns the current term as text. */
  text(): string {
    return Buffer.from(this.term.buffer, this.term.byteOffset, this.length).toString();
  }

  /** Compares the current term with another, as the dictionary is sorted. */
  compare(other: Uint8Array): number {
    const shared = Math.min(this.length, other.length);
    for (let at = 0; at < shared; at++) {
      const difference = (this.term[at] ?? 0) - (other[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return this.length - other.length;
  }

  /** Returns the places of the current term. */
  entry(): TermEntry {
    return {
      logs: this.logs,
      ...(this.logs === 1 && {
        only: { id: this.only, positions: this.blocks.subarray(this.onlyAt, this.at) },
      }),
      repeats: this.repeats,
      postings: { at: this.postingsAt, length: this.postingsLength },
      positions: { at: this.positionsAt, length: this.positionsLength },
    };
  }

  private startBlock(): boolean {
    const { blocks, end } = this;
    this.read = end;
    if (blocks.length < end + blockHead) return false;
    const length = new DataView(blocks.buffer, blocks.byteOffset + end).getUint32(0, true);
    if (length === 0 || blocks.length < end + blockHead + length) return false;
    this.at = end + blockHead;
    this.end = this.at + length;
    this.postingsAt = this.varint();
    this.positionsAt = this.varint();
    [this.postingsLength, this.positionsLength] = [0, 0];
    return true;
  }

  private readTerm(): void {
    const head = this.blocks[this.at++] ?? 0;
    let shared = (head >>> sharedShift) & mostShared;
    if (shared === mostShared) shared += this.varint();
    let added = head & mostAdded;
    if (added === mostAdded) added += this.varint();
    const isHex = (head & hexSuffix) !== 0;
    const bytes = isHex ? (added + 1) >>> 1 : added;
    const length = shared + added;
    if (this.length < shared || this.end < this.at + bytes) throw new RangeError('A term is cut');
    if (this.term.length < length) this.term = Buffer.concat([this.term, Buffer.alloc(length)]);
    const { term, blocks, at } = this;
    if (isHex)
      for (let index = 0; index < added; index++) {
        const byte = blocks[at + (index >>> 1)] ?? 0;
        const digit = index % 2 === 0 ? byte >>> 4 : byte & 15;
        term[shared + index] = digit + (digit < 10 ? zero : letterA - 10);
      }
    else for (let index = 0; index < added; index++) term[shared + index] = blocks[at + index] ?? 0;
    this.at += bytes;
    this.shared = shared;
    this.length = length;
  }

  private readOnlyLog(number: number): void {
    this.only = this.firstId + number / 2;
    this.onlyAt = this.at;
    for (let isFollowed = true; isFollowed && this.at < this.end; ) isFollowed = this.varint() % 2 === 1;
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.blocks[this.at++] ?? 0;
      if (byte < 0x80) return value + byte * factor;
      value += (byte - 0x80) * factor;
    }
  }
}

/** Finds a term in the block that may have it, of a segment that begins with an id. */
export function findInBlock(block: Uint8Array, term: Uint8Array, firstId: number): TermEntry | undefined {
  const reader = new TermReader(block, firstId);
  while (reader.next()) {
    const order = reader.compare(term);
    if (order === 0) return reader.entry();
    if (0 < order) return undefined;
  }
  return undefined;
}
