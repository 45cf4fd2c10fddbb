import { type FoundTerm, type IndexReader, positionsRange, readPostingsOf } from './look-up.ts';
import {
  chunkBits,
  chunkIds,
  chunkOf,
  lowBits,
  type PostingChunk,
  positionsOf,
  readPostings,
} from './postings.ts';
import { headBytes, ownLengths } from './segment-maker.ts';
import type { Segment, SegmentField, SegmentRange } from './stored-segments.ts';

/** Reads the occurrences of a term or phrase in one segment, chunk by chunk. */
export interface FrequencyCursor {
  /** Moves to a chunk after the one before; false if no log in it has the term. */
  readonly moveTo: (chunk: number) => boolean;
  /** Number of logs in the chunk, */
  readonly count: () => number;
  /** the last bits of their ids in ascending order, */
  readonly lows: Uint16Array;
  /** their occurrences, */
  readonly frequencies: Uint32Array;
  /** and the lengths of the field in all logs of the chunk. */
  readonly lengths: () => ChunkLengths;
}

/** A cursor on a term whose positions were read. */
export interface TermCursor extends FrequencyCursor {
  /** Returns the positions in the logs of the chunk, as `posting-chunks.ts` has them. */
  readonly positions: () => Uint8Array;
}

/** A term to open. */
export interface OpenedTerm {
  readonly found: FoundTerm;
  /** Reads the positions even if none is needed for the frequencies. */
  readonly needsPositions: boolean;
}

/** Opens cursors on terms of one segment; reads all that they need at once. */
export async function openTerms(
  reader: IndexReader,
  terms: readonly OpenedTerm[],
): Promise<readonly TermCursor[]> {
  const found = terms.map((term) => term.found);
  const postings = (await readPostingsOf(reader, found)).map((bytes, index) => {
    const { only } = found[index]?.entry ?? {};
    const firstId = found[index]?.segment.firstId ?? 0;
    return only ? [chunkOf(only.id, only.positions.length)] : [...readPostings(bytes, firstId)];
  });
  const positions = await readPositions(reader, terms);
  const lengths = await readLengths(
    (ranges) => reader.cache.read(reader.connection, ranges),
    found.map(({ segment, field }, index) => ({
      segment,
      field,
      chunks: (postings[index] ?? []).map(({ chunk }) => chunk),
    })),
  );
  return postings.map((chunks, index) =>
    toCursor(chunks, positions[index], lengths[index] ?? new Map<number, ChunkLengths>()),
  );
}

/** Reads the positions of terms; none of those that occur once in each log, unless they are needed. */
async function readPositions(
  { cache, connection }: IndexReader,
  terms: readonly OpenedTerm[],
): Promise<readonly (Uint8Array | undefined)[]> {
  const read = terms.filter(
    ({ found: { entry }, needsPositions }) => !entry.only && (needsPositions || 0 < entry.repeats),
  );
  const bytes = await cache.read(
    connection,
    read.map(({ found }) => positionsRange(found, { at: 0, length: found.entry.positions.length })),
  );
  const byTerm = new Map(read.map((term, index) => [term, bytes[index]]));
  return terms.map((term) => term.found.entry.only?.positions ?? byTerm.get(term));
}

function toCursor(
  chunks: readonly PostingChunk[],
  positions: Uint8Array | undefined,
  lengths: ReadonlyMap<number, ChunkLengths>,
): TermCursor {
  const lows = new Uint16Array(chunkIds);
  const frequencies = new Uint32Array(chunkIds).fill(1);
  let [next, positionsAt, count] = [0, 0, 0];
  let ofChunk: Uint8Array = new Uint8Array();
  let length: ChunkLengths = 0;
  return {
    moveTo: (chunk) => {
      for (let found = chunks[next]; found && found.chunk <= chunk; found = chunks[++next]) {
        const from = positionsAt;
        positionsAt += found.positionBytes;
        if (found.chunk < chunk) continue;
        count = lowBits(found, lows);
        if (positions) {
          ofChunk = positionsOf(found, positions.subarray(from, positionsAt));
          countPositions(ofChunk, frequencies.subarray(0, count));
        }
        length = lengths.get(chunk) ?? 0;
        next++;
        return true;
      }
      return false;
    },
    lows,
    frequencies,
    positions: () => ofChunk,
    count: () => count,
    lengths: () => length,
  };
}

/** Counts the positions of consecutive logs. */
function countPositions(positions: Uint8Array, frequencies: Uint32Array): void {
  let at = 0;
  for (let index = 0; index < frequencies.length; index++) {
    let frequency = 1;
    for (; ((positions[at] ?? 0) & 1) === 1; frequency++) at = afterNumber(positions, at);
    at = afterNumber(positions, at);
    frequencies[index] = frequency;
  }
}

function afterNumber(bytes: Uint8Array, from: number): number {
  let at = from;
  while (0x80 <= (bytes[at] ?? 0)) at++;
  return at + 1;
}

/** Chunks of the lengths of a field in one segment. */
export interface FieldChunks {
  readonly segment: Segment;
  readonly field: SegmentField;
  readonly chunks: readonly number[];
}

/** Lengths of a field in the logs of a chunk, by the last bits of their ids; a number if all are the same. */
export type ChunkLengths = Uint8Array | number;

/** Reads the lengths of some chunks by their numbers. Reads twice: where chunks are, and those that are needed. */
export async function readLengths(
  read: (ranges: readonly SegmentRange[]) => Promise<readonly Uint8Array[]>,
  fields: readonly FieldChunks[],
): Promise<readonly ReadonlyMap<number, ChunkLengths>[]> {
  const heads = await read(fields.map(headRange));
  const locations = fields.map((field, index) => locationsOf(field, heads[index] ?? new Uint8Array()));
  const bytes = await read(
    locations.flatMap((chunks) => [...chunks.values()].filter((location) => typeof location !== 'number')),
  );
  let next = 0;
  return locations.map(
    (chunks) =>
      new Map(
        [...chunks].map(([chunk, location]) => [
          chunk,
          typeof location === 'number' ? location : (bytes[next++] ?? new Uint8Array()),
        ]),
      ),
  );
}

function headRange({ segment, field: { lengths } }: FieldChunks): SegmentRange {
  const chunks = (segment.lastId >>> chunkBits) - (segment.firstId >>> chunkBits) + 1;
  if (lengths.length < headBytes * chunks) throw new RangeError('The lengths of a field are cut');
  return { segment, at: lengths.at, length: headBytes * chunks };
}

/** Returns where the lengths of each chunk are, or the length that its logs share. */
function locationsOf(
  { segment, field, chunks }: FieldChunks,
  head: Uint8Array,
): ReadonlyMap<number, SegmentRange | number> {
  const first = segment.firstId >>> chunkBits;
  const requested = new Set(chunks);
  const locations = new Map<number, SegmentRange | number>();
  let at = field.lengths.at + head.length;
  for (let index = 0; index < head.length / headBytes; index++) {
    const isOwn = head[headBytes * index] === ownLengths;
    if (requested.has(first + index))
      locations.set(
        first + index,
        isOwn ? { segment, at, length: chunkIds } : (head[headBytes * index + 1] ?? 0),
      );
    if (isOwn) at += chunkIds;
  }
  if (field.lengths.at + field.lengths.length !== at) throw new RangeError('The lengths of a field are cut');
  return locations;
}
