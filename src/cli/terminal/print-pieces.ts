import type { Terminal } from './terminal.ts';

/** Buffer size in UTF-16 units: a write for each line would take most of the time. */
const writeLength = 65_536;

/** Prints pieces of text as they arrive, no faster than the reader takes them. */
export async function printPieces(pieces: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < writeLength) continue;
    await terminal.print(waiting.join(''));
    waiting = [];
    length = 0;
  }
  if (0 < length) await terminal.print(waiting.join(''));
}
