import { toLengthByte } from '../language/index.ts';
import { ByteWriter } from './byte-writer.ts';
import type { SegmentRange } from './page-cache.ts';
import { chunkBits, chunkIds } from './posting-chunks.ts';
import type { Segment, SegmentField } from './stored-segments.ts';

/**
 * The length of a field in each log, as the byte that the relevance takes of it; 0 without a token. In chunks of 4,096
 * ids, as postings are: first two bytes for each chunk, 0 and the length that all its logs share, or 1 and 0; then
 * the bytes of the others.
 */
const [shared, own] = [0, 1];

/** Bytes for each chunk at the start. */
const headBytes = 2;

/** Bits of the id that the logs of a batch differ in. */
export const batchBits = 9;

/** Ids of a batch. */
export const batchIds = 1 << batchBits;

/** The lengths of a field in some logs, and the number of those with a token. */
export interface CollectedLengths {
  readonly lengths: Uint8Array;
  readonly documents: number;
}

/** Collects the lengths of a field. */
export interface LengthCollector {
  /** Adds the lengths of the logs of a batch by the last bits of their ids. Batches must ascend. */
  readonly add: (batch: number, tokens: Int32Array) => void;
  readonly finish: () => CollectedLengths;
}

/** Starts to collect the lengths of a field, from the chunk of an id on. */
export function collectLengths(firstId: number): LengthCollector {
  const [head, others] = [new ByteWriter(), new ByteWriter()];
  const lengths = new Uint8Array(chunkIds);
  let [chunk, documents] = [firstId >>> chunkBits, 0];
  const endChunk = () => {
    const first = lengths[0] ?? 0;
    if (lengths.every((length) => length === first)) head.bytes(Uint8Array.of(shared, first));
    else {
      head.bytes(Uint8Array.of(own, 0));
      others.bytes(lengths);
    }
    lengths.fill(0);
    chunk++;
  };
  return {
    add: (batch, tokens) => {
      const from = batch << batchBits;
      while (chunk < from >>> chunkBits) endChunk();
      // Of all logs and fields: iterators take several times as long.
      for (let index = 0; index < tokens.length; index++) {
        const count = tokens[index] ?? 0;
        if (count === 0) continue;
        lengths[(from % chunkIds) + index] = toLengthByte(count);
        documents++;
      }
    },
    finish: () => {
      endChunk();
      head.bytes(others.view());
      return { lengths: head.view(), documents };
    },
  };
}

/** Chunks of the lengths of a field in one segment. */
export interface AskedLengths {
  readonly segment: Segment;
  readonly field: SegmentField;
  readonly chunks: readonly number[];
}

/** Lengths of a field in the logs of a chunk, by the last bits of their ids; a number if all are the same. */
export type ChunkLengths = Uint8Array | number;

/** Reads the lengths of some chunks by their numbers. Reads twice: where chunks are, and those that are needed. */
export async function readLengths(
  read: (ranges: readonly SegmentRange[]) => Promise<readonly Uint8Array[]>,
  asked: readonly AskedLengths[],
): Promise<readonly ReadonlyMap<number, ChunkLengths>[]> {
  const heads = await read(asked.map(headRange));
  const places = asked.map((each, index) => placesOf(each, heads[index] ?? new Uint8Array()));
  const bytes = await read(
    places.flatMap((chunks) => [...chunks.values()].filter((place) => typeof place !== 'number')),
  );
  let next = 0;
  return places.map(
    (chunks) =>
      new Map(
        [...chunks].map(([chunk, place]) => [
          chunk,
          typeof place === 'number' ? place : (bytes[next++] ?? new Uint8Array()),
        ]),
      ),
  );
}

function headRange({ segment, field: { lengths } }: AskedLengths): SegmentRange {
  const chunks = (segment.lastId >>> chunkBits) - (segment.firstId >>> chunkBits) + 1;
  if (lengths.length < headBytes * chunks) throw new RangeError('The lengths of a field are cut');
  return { segment, at: lengths.at, length: headBytes * chunks };
}

/** Returns where the lengths of each chunk are, or the length that its logs share. */
function placesOf(
  { segment, field, chunks }: AskedLengths,
  head: Uint8Array,
): ReadonlyMap<number, SegmentRange | number> {
  const first = segment.firstId >>> chunkBits;
  const wanted = new Set(chunks);
  const places = new Map<number, SegmentRange | number>();
  let at = field.lengths.at + head.length;
  for (let index = 0; index < head.length / headBytes; index++) {
    const isOwn = head[headBytes * index] === own;
    if (wanted.has(first + index))
      places.set(
        first + index,
        isOwn ? { segment, at, length: chunkIds } : (head[headBytes * index + 1] ?? 0),
      );
    if (isOwn) at += chunkIds;
  }
  if (field.lengths.at + field.lengths.length !== at) throw new RangeError('The lengths of a field are cut');
  return places;
}
