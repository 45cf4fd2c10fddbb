/** The tokens of texts in ASCII: `asciiWords` says what they are. */

import { characters, moves, vector } from './memory.ts';
import { note, reserve, textsEnd } from './rows.ts';
import { lowerCase } from './vectors.ts';

const blank: i32 = 0x20;
const underscore: i32 = 0x5f;

let start: i32 = 0;
let lastWord: i32 = 0;
let longest: i32 = 0;

/** Notes what a word is, whose moves are written. */
export function setWords(startState: i32, lastWordState: i32, longestWord: i32): void {
  start = startState;
  lastWord = lastWordState;
  longest = longestWord;
}

/** Notes the tokens of the text between two addresses as `toTokens` makes them, and gives their number. */
export function addTokens(from: i32, to: i32): i32 {
  // A token has one character at least, and a blank behind it.
  let end = reserve(2 * (to - from) + 1);
  for (let at = from; at < to; ) {
    const last = wordEnd(at, min(to, at + longest));
    if (last === at) {
      at = afterNoWord(at, to);
      continue;
    }
    store<u8>(end++, blank);
    for (let byte = at, next = end; byte < last; byte += vector, next += vector)
      v128.store(next, lowerCase(v128.load(byte)));
    end += last - at;
    at = last;
  }
  if (end === textsEnd) return 0;
  store<u8>(end++, blank);
  return note(end - textsEnd);
}

/** Where the longest word ends that begins at an address and fits before a limit; the address where there is none. */
function wordEnd(from: i32, limit: i32): i32 {
  let state = start;
  let last = from;
  for (let at = from; at < limit; ) {
    state = <i32>load<u8>(moves + state * characters + <i32>load<u8>(at));
    if (state === 0) break;
    at++;
    if (state <= lastWord) last = at;
  }
  return last;
}

/** Where to look for a word next when none begins at an address. A long run of joiners is looked through once, not from each of them again. */
function afterNoWord(from: i32, to: i32): i32 {
  if (load<u8>(from) !== underscore) return from + 1;
  let end = from;
  while (end < to && load<u8>(end) === underscore) end++;
  return end - from < longest ? end : end - longest + 1;
}
