import { startProgram } from '../database/index.ts';
import { chunkBytes, type PostingChunk, positionsOf } from './posting-chunks.ts';

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
