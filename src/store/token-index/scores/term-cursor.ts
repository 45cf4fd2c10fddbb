import { type ChunkLengths, readLengths } from '../../segments/lengths.ts';
import { type FoundTerm, type IndexReader, positionsRange, readPostingsOf } from '../../segments/look-up.ts';
import { chunkIds, chunkOf, lowsOf, type PostingChunk, readPostings } from '../../segments/posting-chunks.ts';

/** Reads the occurrences of a term in one segment, chunk by chunk. */
export interface TermCursor {
  /** Moves to a chunk after the one before; false if the term is not in it. */
  readonly moveTo: (chunk: number) => boolean;
  /** Number of logs in the chunk, and the last bits of their ids. */
  readonly count: () => number;
  readonly lows: Uint16Array;
  /** Positions of the term in the segment, and where those of the chunk are; absent if it occurs once in each log. */
  readonly positions: Uint8Array | undefined;
  readonly positionsAt: () => number;
  /** Lengths of the field in the logs of the chunk. */
  readonly lengths: () => ChunkLengths;
}

/** Opens cursors on terms of one segment; reads all that they need at once. */
export async function openTerms(
  reader: IndexReader,
  terms: readonly FoundTerm[],
): Promise<readonly TermCursor[]> {
  const postings = (await readPostingsOf(reader, terms)).map((bytes, index) => {
    const only = terms[index]?.entry.only;
    return only ? [chunkOf(only.id, only.positions.length)] : [...readPostings(bytes)];
  });
  const positions = await readPositions(reader, terms);
  const lengths = await readLengths(
    (ranges) => reader.cache.read(reader.connection, ranges),
    terms.map(({ segment, field }, index) => ({
      ...{ segment, field },
      chunks: (postings[index] ?? []).map(({ chunk }) => chunk),
    })),
  );
  return postings.map((chunks, index) =>
    toCursor(chunks, positions[index], lengths[index] ?? new Map<number, ChunkLengths>()),
  );
}

/** Reads the positions of the terms that occur more than once in a log. */
async function readPositions(
  { cache, connection }: IndexReader,
  terms: readonly FoundTerm[],
): Promise<readonly (Uint8Array | undefined)[]> {
  const repeated = terms.filter(({ entry }) => 0 < entry.repeats);
  const bytes = await cache.read(connection, repeated.map(positionsRange));
  const byTerm = new Map(repeated.map((term, index) => [term, bytes[index]]));
  return terms.map((term) => term.entry.only?.positions ?? byTerm.get(term));
}

function toCursor(
  chunks: readonly PostingChunk[],
  positions: Uint8Array | undefined,
  lengths: ReadonlyMap<number, ChunkLengths>,
): TermCursor {
  const lows = new Uint16Array(chunkIds);
  let [next, positionsAt, nextPositions, count] = [0, 0, 0, 0];
  let length: ChunkLengths = 0;
  return {
    moveTo: (chunk) => {
      for (let found = chunks[next]; found && found.chunk <= chunk; found = chunks[++next]) {
        positionsAt = nextPositions;
        nextPositions += found.positionBytes;
        if (found.chunk < chunk) continue;
        count = lowsOf(found, lows);
        length = lengths.get(chunk) ?? 0;
        next++;
        return true;
      }
      return false;
    },
    ...{ lows, positions, count: () => count, positionsAt: () => positionsAt, lengths: () => length },
  };
}
