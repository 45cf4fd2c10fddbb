import { maxRawLength } from './record.ts';
import { concat } from './utf8.ts';

/** One line of a text in UTF-8, without its line feed. */
export interface Line {
  readonly text: string;
  /** Bytes before it, from the beginning of the text. */
  readonly offset: number;
  /** Its bytes. */
  readonly length: number;
  /** The line is longer than the limit, and `text` is only its beginning. */
  readonly isCut: boolean;
}

/** A stretch of a text that begins where a line begins and ends where one ends, without the last line feed. */
export interface Region {
  /** What is held of it: all, unless it is cut. */
  readonly bytes: Uint8Array;
  /** Bytes before it, from the beginning of the text. */
  readonly offset: number;
  /** Its bytes. */
  readonly length: number;
  /** It is one line, longer than the limit, and `bytes` is only its beginning. */
  readonly isCut: boolean;
}

/** Cuts bytes into what ends with a line as they arrive. */
interface Cutter<Piece> {
  /** The pieces that these bytes complete. */
  readonly push: (chunk: Uint8Array) => Piece[];
  /** The last piece, when no line feed ends it. */
  readonly end: () => Piece[];
}

/** The byte that ends a line. */
export const lineFeed = 10;

/**
 * A cutter of regions: one for the lines that a chunk completes. It holds no
 * more than the line under way, and of a line longer than `maxLength` bytes no
 * more than that.
 */
export function regionCutter(maxLength: number): Cutter<Region> {
  /** The line under way; when it is too long, its beginning, and `dropped` counts what came after. */
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
    // Only the line under way is copied: what follows it stays where it is.
    if (0 < carry.length) {
      from = chunk.indexOf(lineFeed) + 1;
      regions.push(0 < dropped ? cutLine(from - 1) : whole(concat(carry, chunk.subarray(0, from - 1))));
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
      carry = concat(carry, bytes);
      return;
    }
    if (dropped === 0) {
      dropped = carry.length;
      // A unit comes of three bytes at most, so this much surely holds what is kept.
      carry = concat(carry, bytes).slice(0, Math.min(maxLength, maxRawLength * 3));
      dropped -= carry.length;
    }
    dropped += bytes.length;
  }

  function whole(bytes: Uint8Array): Region {
    const region = { bytes, offset, length: bytes.length, isCut: false };
    offset += bytes.length + 1;
    return region;
  }

  /** The line that was too long to hold, once its last bytes are known. */
  function cutLine(more: number): Region {
    const region = { bytes: carry, offset, length: carry.length + dropped + more, isCut: true };
    carry = new Uint8Array(0);
    dropped = 0;
    offset += region.length + 1;
    return region;
  }
}

/** Gives memory for so many bytes, whose only user is who asks. */
export type Allocate = (length: number) => Uint8Array;

/** Regions that follow one another, none of which is cut, as one in memory of its own; none where there are none. */
export function joined(regions: readonly Region[], allocate: Allocate): Region[] {
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

/** The lines of a region from one place in its bytes up to another. One that is cut is one line. */
export function regionWithin(region: Region, from: number, to: number): Region {
  if (region.isCut) return region;
  return {
    bytes: region.bytes.subarray(from, to),
    offset: region.offset + from,
    length: to - from,
    isCut: false,
  };
}

/** Where the line ends to which a place in bytes belongs. */
export function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(lineFeed, from);
  return end < 0 ? bytes.length : end;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The lines of a region, one at a time: those of a region of short lines would take many times its memory. */
export function* linesOf(region: Region, maxLength: number): Generator<Line, void, undefined> {
  const { bytes, offset, length, isCut } = region;
  const text = decoder.decode(bytes);
  if (isCut) yield { text: text.slice(0, maxRawLength), offset, length, isCut };
  // A byte gives at most one UTF-16 unit: where the lengths are equal, offsets are equal too.
  else if (text.length === bytes.length) yield* cutText(text, toLine);
  else yield* cutBytes(bytes, toLine);

  function toLine(text: string, from: number, length: number): Line {
    return { text, offset: offset + from, length, isCut: maxLength < length };
  }
}

/** Makes a line of its text, the bytes before it in its region, and its bytes. */
type ToLine = (text: string, from: number, length: number) => Line;

function* cutText(text: string, toLine: ToLine): Generator<Line, void, undefined> {
  for (let from = 0, to = 0; from <= text.length; from = to + 1) {
    const next = text.indexOf('\n', from);
    to = next < 0 ? text.length : next;
    yield toLine(text.slice(from, to), from, to - from);
  }
}

function* cutBytes(bytes: Uint8Array, toLine: ToLine): Generator<Line, void, undefined> {
  for (let from = 0, to = 0; from <= bytes.length; from = to + 1) {
    to = lineEnd(bytes, from);
    yield toLine(decoder.decode(bytes.subarray(from, to)), from, to - from);
  }
}

/** A cutter of lines. It holds no more than a cutter of regions does. */
export function lineCutter(maxLength: number): Cutter<Line> {
  const cutter = regionCutter(maxLength);
  const toLines = (regions: readonly Region[]) =>
    regions.flatMap((region) => [...linesOf(region, maxLength)]);
  return { push: (chunk) => toLines(cutter.push(chunk)), end: () => toLines(cutter.end()) };
}
