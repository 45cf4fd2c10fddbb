/** Unescapes JSON strings. */

import { notFound, unescapedAddress, vectorLength } from './memory.ts';
import { specialBytes } from './vectors.ts';

/** Result for an invalid escape, and for one left to the reference reader. */
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

/** Address at which the next unescaped text is written. */
let end: i32 = 0;

/** Bytes after this address belong to a line that is not a row yet. */
let committedEnd: i32 = 0;

/** Drops all unescaped texts. */
export function clearUnescaped(): void {
  committedEnd = unescapedAddress;
  end = unescapedAddress;
}

/** Drops the unescaped texts of a line that became no row. */
export function dropUnescaped(): void {
  end = committedEnd;
}

/** Retains the unescaped texts of a line until all are dropped. */
export function commitUnescaped(): void {
  committedEnd = end;
}

/** Start of the last unescaped text, which ends at `unescapedTo`. */
export let unescapedFrom: i32 = 0;
export let unescapedTo: i32 = 0;

/**
 * Unescapes the string content at an address; returns the address of the closing quote, or
 * `notFound` if the reference reader must read it. The result is never longer than the source.
 */
export function unescapeText(from: i32): i32 {
  unescapedFrom = end;
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    v128.store(end, bytes);
    const special = specialBytes(bytes);
    const plain = special === 0 ? vectorLength : ctz(special);
    at += plain;
    end += plain;
    if (special === 0) continue;
    const code = <i32>load<u8>(at);
    if (code === quote) break;
    if (code !== backslash) return notFound;
    const letter = <i32>load<u8>(at + 1);
    const character = letter === letterU ? characterOf(at + 2) : escaped(letter);
    if (character < 0) return notFound;
    write(character);
    at += letter === letterU ? 6 : 2;
  }
  unescapedTo = end;
  return at;
}

/** Returns the character denoted by a backslash and a letter. */
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

/**
 * Surrogates, and the replacement character: both are left to the reference reader, which remarks
 * on them.
 */
const firstHalf: i32 = 0xd800;
const lastHalf: i32 = 0xdfff;
const lost: i32 = 0xfffd;

/** Returns the character whose code is the four hexadecimal digits at an address. */
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

/** Returns the value of a hexadecimal digit. */
function digitOf(code: i32): i32 {
  const decimal = code - 0x30;
  if (0 <= decimal && decimal <= 9) return decimal;
  const letter = (code | 0x20) - 0x61;
  return 0 <= letter && letter <= 5 ? letter + 10 : noCharacter;
}

/** Appends a character in UTF-8. */
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
