import { classTable } from './class-table.ts';
import { longestToken } from './scan.ts';
import { wordMoves } from './word.ts';

/**
 * What the tokens of a text in ASCII are, for those who look for them in
 * bytes: they are its words. From each place the longest word is taken; where
 * there is none, one character is passed over.
 */
export interface AsciiWords {
  /** For each state of a word 128 places: the state that a character leads to, or 0 where it ends the word. */
  readonly moves: Uint8Array;
  /** The state in which a word begins. */
  readonly start: number;
  /** Up to this state, what was read is a word; from the next on, only together with what follows. */
  readonly lastWord: number;
  /** Characters of the longest word. */
  readonly longest: number;
}

const characters = 128;

/** What `analyze` takes for words of ASCII. */
export function asciiWords(): AsciiWords {
  const { table, rowLength, start, lastWord } = wordMoves;
  const classes = classTable();
  const states = table.length / rowLength;
  const moves = Uint8Array.from({ length: states * characters }, (_, place) => {
    const row = Math.floor(place / characters) * rowLength;
    return (table[row + (classes[place % characters] ?? 0)] ?? 0) / rowLength;
  });
  return { moves, start: start / rowLength, lastWord: lastWord / rowLength, longest: longestToken };
}
