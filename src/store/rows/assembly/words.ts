/** Tokens of ASCII texts, by the automaton of `asciiWords`. */

import { asciiCharacters, transitionTable, vectorLength } from './memory.ts';
import { addReservedText, reserveText, textsEnd } from './rows.ts';
import { toLowerCase } from './vectors.ts';

const blank: i32 = 0x20;
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

/** Adds the tokens of the text between two addresses, in the format of `toTokens`; returns their code. */
export function addTokens(from: i32, to: i32): i32 {
  // A token takes at least one character and the blank after it.
  let end = reserveText(2 * (to - from) + 1);
  for (let at = from; at < to; ) {
    const last = wordEnd(at, min(to, at + longest));
    if (last === at) {
      at = afterNoWord(at, to);
      continue;
    }
    store<u8>(end++, blank);
    for (let byte = at, next = end; byte < last; byte += vectorLength, next += vectorLength)
      v128.store(next, toLowerCase(v128.load(byte)));
    end += last - at;
    at = last;
  }
  if (end === textsEnd) return 0;
  store<u8>(end++, blank);
  return addReservedText(end - textsEnd);
}

/** Returns the end of the longest word at an address before a limit; the address itself if there is none. */
function wordEnd(from: i32, limit: i32): i32 {
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
function afterNoWord(from: i32, to: i32): i32 {
  if (load<u8>(from) !== underscore) return from + 1;
  let end = from;
  while (end < to && load<u8>(end) === underscore) end++;
  return end - from < longest ? end : end - longest + 1;
}
