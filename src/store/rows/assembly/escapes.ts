/** Texts with escapes, and what they say. */

import { none, unescaped, vector } from './memory.ts';
import { specialBytes } from './vectors.ts';

/** Where an escape is none, or is left to others. */
const noCharacter: i32 = -1;

const quote: i32 = 0x22;
const slash: i32 = 0x2f;
const backslash: i32 = 0x5c;
const letterB: i32 = 0x62;
const letterF: i32 = 0x66;
const letterN: i32 = 0x6e;
const letterR: i32 = 0x72;
const letterT: i32 = 0x74;
const letterU: i32 = 0x75;

/** Where what the next text says is written: behind that of those before. */
let end: i32 = 0;

/** What is behind this is of a line that is not a row yet. */
let keptEnd: i32 = 0;

/** Forgets what texts say. */
export function forgetUnescaped(): void {
  keptEnd = unescaped;
  end = unescaped;
}

/** Forgets what the texts of a line say that became no row. */
export function dropUnescaped(): void {
  end = keptEnd;
}

/** Keeps what the texts of a line say until all is forgotten. */
export function keepUnescaped(): void {
  keptEnd = end;
}

/** Where the text that was read last is written, up to `unescapedTo`. */
export let unescapedFrom: i32 = 0;
export let unescapedTo: i32 = 0;

/**
 * Writes what the text says that begins at an address, and gives where its
 * quote is; `none` where it is not for this reader. What it says is not longer
 * than it is.
 */
export function unescapeText(from: i32): i32 {
  unescapedFrom = end;
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    v128.store(end, bytes);
    const special = specialBytes(bytes);
    const usual = special === 0 ? vector : ctz(special);
    at += usual;
    end += usual;
    if (special === 0) continue;
    const code = <i32>load<u8>(at);
    if (code === quote) break;
    if (code !== backslash) return none;
    const letter = <i32>load<u8>(at + 1);
    const character = letter === letterU ? characterOf(at + 2) : escaped(letter);
    if (character < 0) return none;
    write(character);
    at += letter === letterU ? 6 : 2;
  }
  unescapedTo = end;
  return at;
}

/** The character that is written as a backslash and a letter. */
function escaped(letter: i32): i32 {
  switch (letter) {
    case letterN:
      return 0x0a;
    case letterT:
      return 0x09;
    case letterR:
      return 0x0d;
    case letterB:
      return 0x08;
    case letterF:
      return 0x0c;
    case quote:
    case slash:
    case backslash:
      return letter;
    default:
      return noCharacter;
  }
}

/** Halves of a character, and what stands for a lost one, of which others have to tell. */
const firstHalf: i32 = 0xd800;
const lastHalf: i32 = 0xdfff;
const lost: i32 = 0xfffd;

/** The character whose number the four digits at an address are. */
function characterOf(from: i32): i32 {
  let character: i32 = 0;
  for (let at = from; at < from + 4; at++) {
    const digit = digitOf(load<u8>(at));
    if (digit < 0) return noCharacter;
    character = character * 16 + digit;
  }
  const isHalf = firstHalf <= character && character <= lastHalf;
  return isHalf || character === lost ? noCharacter : character;
}

/** What a digit of a hexadecimal number stands for. */
function digitOf(code: i32): i32 {
  const decimal = code - 0x30;
  if (0 <= decimal && decimal <= 9) return decimal;
  const letter = (code | 0x20) - 0x61;
  return 0 <= letter && letter <= 5 ? letter + 10 : noCharacter;
}

/** Writes a character in UTF-8. */
function write(character: i32): void {
  if (character < 0x80) {
    store<u8>(end++, character);
    return;
  }
  if (character < 0x800) store<u8>(end++, 0xc0 | (character >> 6));
  else {
    store<u8>(end++, 0xe0 | (character >> 12));
    store<u8>(end++, 0x80 | ((character >> 6) & 0x3f));
  }
  store<u8>(end++, 0x80 | (character & 0x3f));
}
