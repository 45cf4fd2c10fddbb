/** Words of ASCII texts, by the automaton of `asciiWords`. */

import { transitionTable } from './layout.ts';

const asciiCharacters: i32 = 128;
const underscore: i32 = 0x5f;

let start: i32 = 0;
let lastWord: i32 = 0;
let longest: i32 = 0;

/** Sets the parameters of the word automaton, whose transitions are in memory. */
export function setWords(startState: i32, lastWordState: i32, longestWord: i32): void {
  start = startState;
  lastWord = lastWordState;
  longest = longestWord;
}

/**
 * Returns the end of the longest word at an address; the address itself if there is none. A separator follows the
 * text, which is in no word.
 */
export function wordEnd(from: i32): i32 {
  const limit = from + longest;
  let state = start;
  let last = from;
  for (let at = from; at < limit; ) {
    state = <i32>load<u8>(transitionTable + state * asciiCharacters + <i32>load<u8>(at));
    if (state === 0) break;
    at++;
    if (state <= lastWord) last = at;
  }
  return last;
}

/** Returns the next start of a word. A run of underscores is scanned once, not again from each of them. */
export function afterNoWord(from: i32): i32 {
  if (load<u8>(from) !== underscore) return from + 1;
  let end = from;
  while (load<u8>(end) === underscore) end++;
  return end - from < longest ? end : end - longest + 1;
}

const firstLetter: i8 = 0x41;
const lastLetter: i8 = 0x5a;

/** Converts ASCII bytes to lower case. */
export function toLowerCase(bytes: v128): v128 {
  const isLetter = v128.and(
    i8x16.ge_s(bytes, i8x16.splat(firstLetter)),
    i8x16.le_s(bytes, i8x16.splat(lastLetter)),
  );
  return v128.or(bytes, v128.and(isLetter, i8x16.splat(0x20)));
}
