import { maxRawLength } from './log.ts';

/** One line of a UTF-8 text, without its line feed. */
export interface TextLine {
  readonly text: string;
  /** Offset from the beginning of the text, in bytes. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
  /** The line exceeds the limit, and `text` is only its beginning. */
  readonly isCut: boolean;
}

/** A block of whole lines, without the last line feed. */
export interface Region {
  /** Held bytes: all, unless it is cut. */
  readonly bytes: Uint8Array;
  /** Offset from the beginning of the text, in bytes. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
  /** The region is one line that exceeds the limit, and `bytes` is only its beginning. */
  readonly isCut: boolean;
}

/** Cuts arriving bytes at line ends. */
interface Cutter<Piece> {
  /** Returns the pieces completed by these bytes. */
  readonly push: (chunk: Uint8Array) => Piece[];
  /** Returns the last piece if no line feed ends it. */
  readonly end: () => Piece[];
}

/** The byte that ends a line. */
export const lineFeed = 10;

/**
 * Creates a cutter that yields one region for the lines completed by a chunk. It holds only the
 * unfinished line, and at most `maxLength` bytes of that.
 */
export function regionCutter(maxLength: number): Cutter<Region> {
  /** The unfinished line; if too long, its beginning, and `dropped` counts the remaining bytes. */
  let carry: Uint8Array = new Uint8Array(0);
  let dropped = 0;
  let offset = 0;

  return { push, end };

  function push(chunk: Uint8Array): Region[] {
    const last = chunk.lastIndexOf(lineFeed);
    if (last < 0) {
      hold(chunk);
      return [];
    }
    const regions: Region[] = [];
    let from = 0;
    // Only the unfinished line is copied: the lines after it remain in the chunk.
    if (0 < carry.length) {
      from = chunk.indexOf(lineFeed) + 1;
      regions.push(0 < dropped ? cutLine(from - 1) : whole(concatBytes(carry, chunk.subarray(0, from - 1))));
    }
    if (from <= last) regions.push(whole(chunk.subarray(from, last)));
    carry = new Uint8Array(0);
    hold(chunk.subarray(last + 1));
    return regions;
  }

  function end(): Region[] {
    if (0 < dropped) return [cutLine(0)];
    const regions = 0 < carry.length ? [whole(carry)] : [];
    carry = new Uint8Array(0);
    return regions;
  }

  function hold(bytes: Uint8Array): void {
    if (dropped === 0 && carry.length + bytes.length <= maxLength) {
      carry = concatBytes(carry, bytes);
      return;
    }
    if (dropped === 0) {
      dropped = carry.length;
      // A UTF-16 unit takes at most three bytes, so this many bytes hold the stored text.
      carry = concatBytes(carry, bytes).slice(0, Math.min(maxLength, maxRawLength * 3));
      dropped -= carry.length;
    }
    dropped += bytes.length;
  }

  function whole(bytes: Uint8Array): Region {
    const region = { bytes, offset, length: bytes.length, isCut: false };
    offset += bytes.length + 1;
    return region;
  }

  /** Returns the line that was too long to hold, once its last bytes are known. */
  function cutLine(more: number): Region {
    const region = { bytes: carry, offset, length: carry.length + dropped + more, isCut: true };
    carry = new Uint8Array(0);
    dropped = 0;
    offset += region.length + 1;
    return region;
  }
}

/** Allocates exclusively owned memory of a given length in bytes. */
export type Allocate = (length: number) => Uint8Array;

/** Joins consecutive regions, none of them cut, into one with its own memory; returns at most one. */
export function joinRegions(regions: readonly Region[], allocate: Allocate): Region[] {
  const [first, last] = [regions[0], regions.at(-1)];
  if (!first || !last) return [];
  const length = last.offset + last.length - first.offset;
  const bytes = allocate(length);
  for (const region of regions) {
    const from = region.offset - first.offset;
    if (0 < from) bytes[from - 1] = lineFeed;
    bytes.set(region.bytes, from);
  }
  return [{ bytes, offset: first.offset, length, isCut: false }];
}

/** Returns the lines of a region between two offsets in its bytes. A cut region is one line. */
export function sliceRegion(region: Region, from: number, to: number): Region {
  if (region.isCut) return region;
  return {
    bytes: region.bytes.subarray(from, to),
    offset: region.offset + from,
    length: to - from,
    isCut: false,
  };
}

/** Returns the offset of the end of the line that contains an offset. */
export function findLineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(lineFeed, from);
  return end < 0 ? bytes.length : end;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Yields the lines of a region one at a time: an array of short lines would take many times its memory. */
export function* linesOf(region: Region, maxLength: number): Generator<TextLine, void, undefined> {
  const { bytes, offset, length, isCut } = region;
  const text = decoder.decode(bytes);
  if (isCut) yield { text: text.slice(0, maxRawLength), offset, length, isCut };
  // A byte yields at most one UTF-16 unit: if the lengths are equal, so are the offsets.
  else if (text.length === bytes.length) yield* cutText(text, toLine);
  else yield* cutBytes(bytes, toLine);

  function toLine(text: string, from: number, length: number): TextLine {
    return { text, offset: offset + from, length, isCut: maxLength < length };
  }
}

/** Creates a line from its text, its offset in the region, and its length in bytes. */
type ToLine = (text: string, from: number, length: number) => TextLine;

function* cutText(text: string, toLine: ToLine): Generator<TextLine, void, undefined> {
  for (let from = 0, to = 0; from <= text.length; from = to + 1) {
    const next = text.indexOf('\n', from);
    to = next < 0 ? text.length : next;
    yield toLine(text.slice(from, to), from, to - from);
  }
}

function* cutBytes(bytes: Uint8Array, toLine: ToLine): Generator<TextLine, void, undefined> {
  for (let from = 0, to = 0; from <= bytes.length; from = to + 1) {
    to = findLineEnd(bytes, from);
    yield toLine(decoder.decode(bytes.subarray(from, to)), from, to - from);
  }
}

/** Creates a cutter of lines, with the memory bound of `regionCutter`. */
export function lineCutter(maxLength: number): Cutter<TextLine> {
  const cutter = regionCutter(maxLength);
  const toLines = (regions: readonly Region[]) =>
    regions.flatMap((region) => [...linesOf(region, maxLength)]);
  return { push: (chunk) => toLines(cutter.push(chunk)), end: () => toLines(cutter.end()) };
}

/** Yields the same bytes; the first chunk has at least `length` bytes unless the whole is shorter. */
export async function* withFullStart(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (!start) {
      yield chunk;
      continue;
    }
    start = concatBytes(start, chunk);
    if (start.length < length) continue;
    yield start;
    start = undefined;
  }
  if (start && 0 < start.length) yield start;
}

/** Concatenates two byte arrays. */
export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
