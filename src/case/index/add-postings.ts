import {
  asNumbers,
  chunkBits,
  chunkBytes,
  chunkIds,
  countBits,
  denseCount,
  fewLogs,
  kindBits,
  kindMask,
  lowsOf,
  readPostings,
} from '../../word-index/index.ts';
import { addBytes, type Bitmap } from './bitmap.ts';

/** The postings of a term of a segment within some bytes. */
export interface PostingBytes {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** First id of the segment. */
  readonly firstId: number;
}

/** Adds the logs of the postings of a term to a set. Most terms have few logs, so nothing is made for a chunk. */
export function addPostings(made: Bitmap, { bytes, from, to, firstId }: PostingBytes): void {
  const { bit } = made;
  let at = from;
  const varint = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (let chunk = (firstId >>> chunkBits) - 1; at < to; ) {
    const head = varint();
    chunk += 1 + (head >>> (kindBits + countBits));
    const few = 1 + ((head >>> kindBits) & (fewLogs - 1));
    const count = few < fewLogs ? few : fewLogs + varint();
    const isDense = denseCount <= count;
    if (!isDense && fewLogs <= count) varint();
    if ((head & kindMask) === asNumbers) varint();
    const end = at + (isDense ? chunkBytes : count);
    if (to < end || chunkIds < count) throw new RangeError('The postings of a term are cut');
    if (isDense) {
      addBytes(made, bytes.subarray(at, end), chunk * chunkIds);
      at = end;
      continue;
    }
    for (let left = count, id = chunk * chunkIds - 1; 0 < left; left--) {
      id += varint() + 1;
      const place = 1 + (id >>> 3);
      bit[place] = (bit[place] ?? 0) | (0x80 >>> (id & 7));
    }
  }
}

/** Returns the ids of the postings of a term in a segment that begins with an id. */
export function idsOfPostings(postings: Uint8Array, firstId: number): number[] {
  const ids: number[] = [];
  const lows = new Uint16Array(chunkIds);
  for (const chunk of readPostings(postings, firstId)) {
    const count = lowsOf(chunk, lows);
    for (let at = 0; at < count; at++) ids.push(chunk.chunk * chunkIds + (lows[at] ?? 0));
  }
  return ids;
}
