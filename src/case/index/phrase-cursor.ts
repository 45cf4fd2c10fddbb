import { chunkIds, skipPositions } from '../../word-index/index.ts';
import type { FrequencyCursor, TermCursor } from './term-cursor.ts';

/** A word of a phrase. */
export interface PhraseWord {
  readonly cursor: TermCursor;
  /** Its offsets in the phrase. */
  readonly offsets: readonly number[];
}

/** Positions are smaller: log and position are one number. */
const logStep = 2 ** 33;

/** Opens a cursor on a phrase, at least one word, by cursors on its different words, whose positions were read. */
export function openPhrase(words: readonly PhraseWord[]): FrequencyCursor {
  const lows = new Uint16Array(chunkIds);
  const frequencies = new Uint32Array(chunkIds);
  const wordsOf = new Uint16Array(chunkIds);
  let count = 0;
  return {
    moveTo: (chunk) => {
      // All move, so that they stay together.
      if (!words.map(({ cursor }) => cursor.moveTo(chunk)).every((isThere) => isThere)) return false;
      wordsOf.fill(0);
      for (const { cursor } of words) countLogs(wordsOf, cursor);
      const hasAll = (low: number) => wordsOf[low] === words.length;
      let starts: readonly number[] | undefined;
      for (const { cursor, offsets } of words) {
        const places = placesOf(cursor, hasAll);
        for (const offset of offsets) starts = intersect(starts, places, offset);
      }
      count = 0;
      for (const start of starts ?? []) {
        const low = Math.floor(start / logStep);
        if (count === 0 || lows[count - 1] !== low) {
          lows[count] = low;
          frequencies[count++] = 0;
        }
        frequencies[count - 1] = (frequencies[count - 1] ?? 0) + 1;
      }
      return 0 < count;
    },
    ...{ lows, frequencies, count: () => count },
    lengths: () => words[0]?.cursor.lengths() ?? 0,
  };
}

function countLogs(wordsOf: Uint16Array, cursor: TermCursor): void {
  for (let index = 0; index < cursor.count(); index++) {
    const low = cursor.lows[index] ?? 0;
    wordsOf[low] = (wordsOf[low] ?? 0) + 1;
  }
}

/** Returns the occurrences of a word in the selected logs of a chunk, ascending. */
function placesOf(cursor: TermCursor, isSelected: (low: number) => boolean): readonly number[] {
  const places: number[] = [];
  const bytes = cursor.positions();
  for (let index = 0, at = 0; index < cursor.count(); index++) {
    const low = cursor.lows[index] ?? 0;
    if (!isSelected(low)) {
      at = skipPositions(bytes, at);
      continue;
    }
    let position = -1;
    for (let isLast = false; !isLast; ) {
      let number = 0;
      let factor = 1;
      for (let byte = 0x80; 0x80 <= byte; factor *= 0x80) {
        byte = bytes[at++] ?? 0;
        number += (byte % 0x80) * factor;
      }
      position += 1 + Math.floor(number / 2);
      isLast = number % 2 === 0;
      places.push(low * logStep + position);
    }
  }
  return places;
}

/** Returns the starts of the phrase that a word at an offset allows. */
function intersect(
  starts: readonly number[] | undefined,
  places: readonly number[],
  offset: number,
): readonly number[] {
  const shared: number[] = [];
  let at = 0;
  for (const place of places) {
    // A word before its offset in the phrase would be in the log before.
    if (place % logStep < offset) continue;
    const start = place - offset;
    if (!starts) {
      shared.push(start);
      continue;
    }
    while ((starts[at] ?? start) < start) at++;
    if (starts[at] === start) shared.push(start);
  }
  return shared;
}
