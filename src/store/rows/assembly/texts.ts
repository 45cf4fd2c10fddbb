/** The texts of a region that come again and again: each of them is noted once. */

import { known, knownCode, knownFrom, knownHash, knownLength, knownText, places, vector } from './memory.ts';
import { note, reserve, setTokens } from './rows.ts';
import { isSame } from './vectors.ts';
import { addTokens } from './words.ts';

/** Notes the text between two addresses, which is not ASCII, with its tokens, and gives its number. */
declare function addOther(from: i32, to: i32): i32;

/** As many places as it may take to find a text, or one for it: that bounds the time that a hostile file can make it take. */
const mostLooks: i32 = 8;

/** Longer texts hardly come again. Bytes. */
const longestRepeated: i32 = 200;

/** Forgets all texts. */
export function forgetTexts(): void {
  memory.fill(known, 0, places * knownText);
}

/** The number of the text between two addresses. */
export function codeOf(from: i32, to: i32, hash: u32, isAscii: bool): i32 {
  const length = to - from;
  const home = <i32>(hash ^ (hash >> 16));
  let free: i32 = 0;
  for (let look = 0; look < mostLooks && free === 0; look++) {
    const place = known + ((home + look) & (places - 1)) * knownText;
    const code = load<i32>(place, knownCode);
    if (code === 0) free = place;
    else if (load<u32>(place, knownHash) === hash && load<i32>(place, knownLength) === length) {
      if (isSame(from, load<i32>(place, knownFrom), length)) return code;
    }
  }
  const code = isAscii ? addAscii(from, length) : addOther(from, to);
  if (free !== 0 && length <= longestRepeated) {
    store<u32>(free, hash, knownHash);
    store<i32>(free, from, knownFrom);
    store<i32>(free, length, knownLength);
    store<i32>(free, code, knownCode);
  }
  return code;
}

function addAscii(from: i32, length: i32): i32 {
  const into = reserve(length);
  for (let at = 0; at < length; at += vector) v128.store(into + at, v128.load(from + at));
  const code = note(length);
  setTokens(code, addTokens(from, from + length));
  return code;
}
