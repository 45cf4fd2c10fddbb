import { startProgram } from '../database/index.ts';
import { ByteReader } from './bytes.ts';
import { addBytes, type Bitmap } from './log-set.ts';

/**
 * Postings of one term, in chunks of 4,096 consecutive ids: chunk `n` has the ids whose upper bits are `n`.
 * `assembly/postings.ts` writes a chunk as
 *
 *     head, [number of logs - 4,] [bytes of logs,] [bytes of positions,] logs
 *
 * The head is one number: the gap to the chunk before (of the first, to that of the first id of the segment), then in two
 * bits the number of logs less one, at most 3, and in two bits the kind of their positions. From four logs on the
 * next number has the rest. The logs of a dense chunk are a set of bits in the order of `Bitmap`, and those of any
 * other the gaps between their ids, whose bytes are stored unless they are few.
 *
 * Positions are elsewhere: for each log the gaps of its positions, doubled, plus one if another follows. Of kind 0
 * there are none, as the term is once in each log, its first word; of kind 1 there is one byte, which all logs share;
 * of kind 2 there is half a byte for each log, its one position; of kind 3 they are as they are, and their bytes are
 * stored.
 */
export const chunkBits = 12;

/** Ids of a chunk. */
export const chunkIds = 1 << chunkBits;

/** Bytes of the bits of a dense chunk. */
export const chunkBytes = chunkIds / 8;

/** From this number of logs on, bits take less space than gaps. */
export const denseCount = chunkIds / 8;

/** The bytes of the gaps of fewer logs are not stored. */
export const fewLogs = 4;

/** Bits of the head of a chunk: the kind of its positions, and the number of its logs less one, if they are few. */
export const [kindBits, countBits] = [2, 2];

/** Kinds of positions: half a byte each, and numbers whose bytes are stored. */
const halfBytes = 2;
export const asNumbers = 3;

/** Bits of the head of a chunk that are the kind of its positions. */
export const kindMask = (1 << kindBits) - 1;

/** One chunk of a term's postings. */
export interface PostingChunk {
  readonly chunk: number;
  readonly count: number;
  /** Bits if the chunk is dense, otherwise gaps. */
  readonly logs: Uint8Array;
  readonly isDense: boolean;
  /** Kind of its positions, and the bytes that are stored of them. */
  readonly positions: number;
  readonly positionBytes: number;
}

/** Yields the chunks of the postings of a term in a segment that begins with an id, in ascending order. */
export function* readPostings(
  postings: Uint8Array,
  firstId: number,
): Generator<PostingChunk, void, undefined> {
  const reader = new ByteReader(postings);
  for (let chunk = (firstId >>> chunkBits) - 1; !reader.isAtEnd; ) {
    const head = reader.varint();
    const few = 1 + ((head >>> kindBits) & (fewLogs - 1));
    const count = few < fewLogs ? few : fewLogs + reader.varint();
    if (chunkIds < count) throw new RangeError('A chunk of postings has too many logs');
    const isDense = denseCount <= count;
    const length = count < fewLogs || isDense ? chunkBytes : reader.varint();
    const positions = head & kindMask;
    const positionBytes =
      positions === asNumbers ? reader.varint() : positions === halfBytes ? (count + 1) >>> 1 : positions;
    chunk += 1 + (head >>> (kindBits + countBits));
    const logs = count < fewLogs ? reader.varints(count) : reader.bytes(length);
    yield { chunk, count, isDense, positions, positionBytes, logs };
  }
}

/** Returns the chunk of a single log, as if it were written. */
export function chunkOf(id: number, positionBytes: number): PostingChunk {
  const low = id % chunkIds;
  const logs = Uint8Array.from(low < 0x80 ? [low] : [(low & 0x7f) | 0x80, low >>> 7]);
  return { chunk: id >>> chunkBits, count: 1, isDense: false, positions: asNumbers, positionBytes, logs };
}

/** Writes the ascending lower bits of the ids of a chunk into an array; returns their number. */
export function lowBits({ count, isDense, logs }: PostingChunk, into: Uint16Array): number {
  if (isDense) return lowBitsOfDense(logs, into);
  let [at, low] = [0, -1];
  for (let index = 0; index < count; index++) {
    let [value, shift] = [0, 0];
    for (let byte = 0x80; byte & 0x80; shift += 7) {
      byte = logs[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    low += value + 1;
    into[index] = low;
  }
  return count;
}

/** Writes the lower bits of the ids of a chunk with a bit for each into an array; returns their number. */
export function lowBitsOfDense(bits: Uint8Array, into: Uint16Array): number {
  let count = 0;
  for (let at = 0; at < chunkBytes; at++)
    for (let byte = bits[at] ?? 0; byte !== 0; ) {
      const lead = Math.clz32(byte) - 24;
      into[count++] = 8 * at + lead;
      byte &= ~(0x80 >>> lead);
    }
  return count;
}

/** Returns the positions of a chunk as numbers, given the bytes that are stored of them. */
export function positionsOf({ positions, count }: PostingChunk, stored: Uint8Array): Uint8Array {
  if (positions === asNumbers) return stored;
  const bytes = new Uint8Array(count);
  if (positions !== halfBytes) return bytes.fill(stored[0] ?? 0);
  for (let index = 0; index < count; index += 2) {
    const byte = stored[index >>> 1] ?? 0;
    bytes[index] = (byte >>> 4) << 1;
    bytes[index + 1] = (byte & 15) << 1;
  }
  return bytes;
}

/** Skips the positions of one log from an offset; returns the offset after them. */
export function skipPositions(bytes: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    const first = bytes[at] ?? 0;
    let byte = first;
    while (byte & 0x80) byte = bytes[++at] ?? 0;
    at++;
    if ((first & 1) === 0) return at;
  }
}

/** The postings of a term of a segment within some bytes. */
interface PostingBytes {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** First id of the segment. */
  readonly firstId: number;
}

/** Adds the logs of the postings of a term to a set. Most terms have few logs, so nothing is made for a chunk. */
export function addPostings(bitmap: Bitmap, { bytes, from, to, firstId }: PostingBytes): void {
  const { bit } = bitmap;
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
      addBytes(bitmap, bytes.subarray(at, end), chunk * chunkIds);
      at = end;
      continue;
    }
    for (let left = count, id = chunk * chunkIds - 1; 0 < left; left--) {
      id += varint() + 1;
      const index = 1 + (id >>> 3);
      bit[index] = (bit[index] ?? 0) | (0x80 >>> (id & 7));
    }
  }
}

/** Returns the ids of the postings of a term in a segment that begins with an id. */
export function idsOfPostings(postings: Uint8Array, firstId: number): number[] {
  const ids: number[] = [];
  const lows = new Uint16Array(chunkIds);
  for (const chunk of readPostings(postings, firstId)) {
    const count = lowBits(chunk, lows);
    for (let at = 0; at < count; at++) ids.push(chunk.chunk * chunkIds + (lows[at] ?? 0));
  }
  return ids;
}

/** A word of a phrase in a chunk. */
export interface WordInChunk {
  /** Number of words before it in the phrase. */
  readonly offset: number;
  readonly chunk: PostingChunk;
  /** The bytes that are stored of its positions. */
  readonly positions: Uint8Array;
}

/** Exports of `assembly/phrase.ts`. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly layOut: (words: number, bytes: number) => number;
  readonly rowsAt: () => number;
  readonly resultAt: () => number;
  readonly markSequences: () => number;
}

let started: Program | undefined;

/**
 * Finds the logs of one chunk in which words follow each other as in their phrase. It is fastest if the word with the
 * fewest positions is first. Returns a bit for each log, valid until the next call; undefined if there are none.
 */
export function logsInSequence(words: readonly WordInChunk[]): Uint8Array | undefined {
  started ??= startProgram<Program>('phrase', ['layOut', 'rowsAt', 'resultAt', 'markSequences']);
  const { memory, layOut, rowsAt, resultAt, markSequences } = started;
  const whole = words.map((word) => ({ ...word, positions: positionsOf(word.chunk, word.positions) }));
  let length = 0;
  for (const { chunk, positions } of whole) length += chunk.logs.length + positions.length;
  let at = layOut(whole.length, length);
  const bytes = new Uint8Array(memory.buffer);
  const rows = new Int32Array(memory.buffer, rowsAt());
  let column = 0;
  for (const { offset, chunk, positions } of whole) {
    const positionsAt = at + chunk.logs.length;
    const end = positionsAt + positions.length;
    bytes.set(chunk.logs, at);
    bytes.set(positions, positionsAt);
    for (const value of [chunk.count, at, positionsAt, positionsAt, end, offset]) rows[column++] = value;
    at = end;
  }
  const logs = markSequences();
  if (logs < 0) throw new RangeError('The postings of a word are cut');
  return logs === 0 ? undefined : new Uint8Array(memory.buffer, resultAt(), chunkBytes);
}
