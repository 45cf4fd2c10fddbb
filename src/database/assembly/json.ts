/** Tokens of JSON. */

import { unescapedFrom, unescapedTo, unescapeText } from './escapes.ts';
import { notFound, vectorLength } from './memory.ts';
import { firstBytes, mixHash, specialBytes } from './vectors.ts';

const tab: i32 = 0x09;
const carriageReturn: i32 = 0x0d;
const blank: i32 = 0x20;
const point: i32 = 0x2e;
const zero: i32 = 0x30;
const nine: i32 = 0x39;
const quote: i32 = 0x22;

/** Skips JSON white space from an address. */
export function afterBlanks(from: i32): i32 {
  let at = from;
  for (
    let code = load<u8>(at);
    code === blank || code === tab || code === carriageReturn;
    code = load<u8>(at)
  )
    at++;
  return at;
}

// The last string read: range of its content, and its hash.
export let foundFrom: i32 = 0;
export let foundTo: i32 = 0;
export let foundHash: u32 = 0;

function setFound(from: i32, to: i32, hash: u64): void {
  foundFrom = from;
  foundTo = to;
  foundHash = <u32>(hash ^ (hash >> 32));
}

/** Reads the string at an address; returns its end. */
export function readString(from: i32): i32 {
  const to = readPlainString(from);
  return to < 0 ? readEscapedString(from) : to;
}

/** Reads the string at an address if it has no escapes, and hashes it; returns its end. */
export function readPlainString(from: i32): i32 {
  if (load<u8>(from) !== quote) return notFound;
  let at = from + 1;
  let bytes = v128.load(at);
  let hash: u64 = 0;
  let special = specialBytes(bytes);
  // Zeros follow the region, and count as special bytes.
  while (special === 0) {
    hash = mixHash(hash, bytes);
    at += vectorLength;
    bytes = v128.load(at);
    special = specialBytes(bytes);
  }
  const rest = ctz(special);
  bytes = firstBytes(bytes, rest);
  at += rest;
  if (load<u8>(at) !== quote) return notFound;
  setFound(from + 1, at, mixHash(hash, bytes));
  return at + 1;
}

function readEscapedString(from: i32): i32 {
  if (load<u8>(from) !== quote) return notFound;
  const to = unescapeText(from + 1);
  if (to < 0) return notFound;
  let hash: u64 = 0;
  let at = unescapedFrom;
  for (; at + vectorLength <= unescapedTo; at += vectorLength) hash = mixHash(hash, v128.load(at));
  const bytes = firstBytes(v128.load(at), unescapedTo - at);
  setFound(unescapedFrom, unescapedTo, mixHash(hash, bytes));
  return to + 1;
}

export function isDigit(code: i32): bool {
  return zero <= code && code <= nine;
}

/** Maximum digits of an exact number, with or without a fraction. */
const maxDigits: i32 = 15;

/** The last number read, and the length of its fraction. */
export let foundNumber: f64 = 0;
export let foundDecimals: i32 = 0;

/** Reads a number without sign and exponent; returns its end. */
export function readNumber(from: i32, mayHaveFraction: bool): i32 {
  let digits: i64 = 0;
  let power: f64 = 1;
  let pointAt = notFound;
  let at = from;
  for (; at - from <= maxDigits + 1; at++) {
    const code = <i32>load<u8>(at);
    if (isDigit(code)) {
      digits = 10 * digits + code - zero;
      if (0 <= pointAt) power *= 10;
    } else if (code === point && pointAt < 0 && mayHaveFraction) pointAt = at;
    else break;
  }
  const decimals = pointAt < 0 ? 0 : at - pointAt - 1;
  const whole = (pointAt < 0 ? at : pointAt) - from;
  if (whole === 0 || (1 < whole && load<u8>(from) === zero)) return notFound;
  if ((0 <= pointAt && decimals === 0) || maxDigits < whole + decimals) return notFound;
  // Both operands are exact, so the quotient is the double nearest to the source.
  foundNumber = <f64>digits / power;
  foundDecimals = decimals;
  return at;
}
