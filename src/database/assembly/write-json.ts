/** Writes tokens of JSON as `JSON.stringify` does. */

import { foundDecimals, foundFrom, foundNumber, foundTo, isDigit, readNumber } from './json.ts';
import { notFound, vectorLength } from './memory.ts';
import { specialBytes } from './vectors.ts';

/** Reports if JavaScript prints the number between two addresses as it is written. */
declare function isPrintedAlike(from: i32, to: i32): i32;

const quote: i32 = 0x22;
const plus: i32 = 0x2b;
const minus: i32 = 0x2d;
const point: i32 = 0x2e;
const zero: i32 = 0x30;
const backslash: i32 = 0x5c;
const letterA: i32 = 0x61;
const letterB: i32 = 0x62;
const letterE: i32 = 0x65;
const letterF: i32 = 0x66;
const letterN: i32 = 0x6e;
const letterR: i32 = 0x72;
const letterT: i32 = 0x74;
const letterU: i32 = 0x75;

/** Range of what is written. */
let start: i32 = 0;
let end: i32 = 0;

/** Begins to write at an address. */
export function beginWriting(at: i32): void {
  start = at;
  end = at;
}

export function writtenLength(): i32 {
  return end - start;
}

export function put(code: i32): void {
  store<u8>(end++, code);
}

export function copyBytes(from: i32, length: i32): void {
  for (let at = 0; at < length; at += vectorLength) v128.store(end + at, v128.load(from + at));
  end += length;
}

/** Writes the last string read. */
export function writeText(): void {
  put(quote);
  for (let at = foundFrom; at < foundTo; ) {
    const bytes = v128.load(at);
    v128.store(end, bytes);
    const special = specialBytes(bytes);
    const plain = min(special === 0 ? vectorLength : ctz(special), foundTo - at);
    at += plain;
    end += plain;
    if (special !== 0 && at < foundTo) writeEscape(load<u8>(at++));
  }
  put(quote);
}

function writeEscape(code: i32): void {
  put(backslash);
  const letter = escapeLetter(code);
  put(letter);
  if (letter !== letterU) return;
  put(zero);
  put(zero);
  put(hexDigit(code >> 4));
  put(hexDigit(code & 15));
}

/** Returns the character after the backslash of an escape. */
function escapeLetter(code: i32): i32 {
  switch (code) {
    case 0x08:
      return letterB;
    case 0x09:
      return letterT;
    case 0x0a:
      return letterN;
    case 0x0c:
      return letterF;
    case 0x0d:
      return letterR;
    case quote:
    case backslash:
      return code;
    default:
      return letterU;
  }
}

function hexDigit(value: i32): i32 {
  return value < 10 ? zero + value : letterA + value - 10;
}

/** JavaScript prints smaller numbers with an exponent. */
const leastDecimal: f64 = 1e-6;

/**
 * Writes the number at an address; returns its end. Under the key of a text field, only a number
 * that JavaScript prints as it is written.
 */
export function writeNumber(from: i32, isOfText: bool): i32 {
  const to = numberEnd(from);
  const hasSign = load<u8>(from) === minus;
  const isShort = readNumber(hasSign ? from + 1 : from, true) === to;
  const isTiny = foundNumber < leastDecimal && (hasSign || foundNumber !== 0);
  if (!isShort || isTiny) return writeOddNumber(from, to);
  // Up to 15 digits are those of the double; only zeros at the end are not printed.
  let last = to;
  if (0 < foundDecimals) {
    while (load<u8>(last - 1) === zero) last--;
    if (load<u8>(last - 1) === point) last--;
  }
  if (last !== to && isOfText) return notFound;
  copyBytes(from, last - from);
  return to;
}

function writeOddNumber(from: i32, to: i32): i32 {
  if (isPrintedAlike(from, to) === 0) return notFound;
  copyBytes(from, to - from);
  return to;
}

/** Returns the end of the characters from an address that a number may have. */
function numberEnd(from: i32): i32 {
  let at = from;
  while (isOfNumber(load<u8>(at))) at++;
  return at;
}

function isOfNumber(code: i32): bool {
  return isDigit(code) || code === point || code === minus || code === plus || (code | 0x20) === letterE;
}
