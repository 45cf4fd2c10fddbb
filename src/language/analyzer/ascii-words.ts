import { classTable } from './class-table.ts';
import { longestToken } from './scan.ts';
import { wordMoves } from './word.ts';

/**
 * A state machine for the tokens of ASCII text, for readers of bytes. At each position the longest
 * word is taken; where there is none, one character is skipped.
 */
export interface AsciiWords {
  /** For each state 128 entries: the next state for a character, or 0 where the word ends. */
  readonly moves: Uint8Array;
  /** The initial state. */
  readonly start: number;
  /** The last accepting state; text in a later state is a word only together with what follows. */
  readonly lastWord: number;
  /** The maximum length of a word, in characters. */
  readonly longest: number;
}

const characters = 128;

/** Returns the state machine of ASCII words that `analyze` implies. */
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
