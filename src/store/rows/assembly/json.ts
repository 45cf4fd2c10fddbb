/** The parts of JSON, and their bytes. */

import { unescapedFrom, unescapedTo, unescapeText } from './escapes.ts';
import { none, vector } from './memory.ts';
import { firstBytes, isAscii, mixed, specialBytes } from './vectors.ts';

const tab: i32 = 0x09;
const carriageReturn: i32 = 0x0d;
const blank: i32 = 0x20;
const point: i32 = 0x2e;
const zero: i32 = 0x30;
const nine: i32 = 0x39;
const quote: i32 = 0x22;

/** Where the blanks end that begin at an address. */
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

// The string that was read last: where what it says is, its hash, and whether it is ASCII.
export let foundFrom: i32 = 0;
export let foundTo: i32 = 0;
export let foundHash: u32 = 0;
export let foundIsAscii: bool = true;

function noteFound(from: i32, to: i32, hash: u64, all: v128): void {
  foundFrom = from;
  foundTo = to;
  foundHash = <u32>(hash ^ (hash >> 32));
  foundIsAscii = isAscii(all);
}

/** Reads the string that begins at an address, and gives where it ends. */
export function readString(from: i32): i32 {
  const to = readPlainString(from);
  return to < 0 ? readEscapedString(from) : to;
}

/** Reads the string that begins at an address, when it has no escapes, and gives where it ends. Its hash is made on the way. */
export function readPlainString(from: i32): i32 {
  if (load<u8>(from) !== quote) return none;
  let at = from + 1;
  let bytes = v128.load(at);
  let all = i64x2.splat(0);
  let hash: u64 = 0;
  let special = specialBytes(bytes);
  // Behind the region stand zeros, which are special.
  while (special === 0) {
    hash = mixed(hash, bytes);
    all = v128.or(all, bytes);
    at += vector;
    bytes = v128.load(at);
    special = specialBytes(bytes);
  }
  const rest = ctz(special);
  bytes = firstBytes(bytes, rest);
  at += rest;
  if (load<u8>(at) !== quote) return none;
  noteFound(from + 1, at, mixed(hash, bytes), v128.or(all, bytes));
  return at + 1;
}

function readEscapedString(from: i32): i32 {
  if (load<u8>(from) !== quote) return none;
  const to = unescapeText(from + 1);
  if (to < 0) return none;
  let hash: u64 = 0;
  let all = i64x2.splat(0);
  let at = unescapedFrom;
  for (; at + vector <= unescapedTo; at += vector) {
    const bytes = v128.load(at);
    hash = mixed(hash, bytes);
    all = v128.or(all, bytes);
  }
  const bytes = firstBytes(v128.load(at), unescapedTo - at);
  noteFound(unescapedFrom, unescapedTo, mixed(hash, bytes), v128.or(all, bytes));
  return to + 1;
}

/** Numbers of so few digits are exact, with and without a fraction. */
const mostDigits: i32 = 15;

/** The number that was read last. */
export let foundNumber: f64 = 0;

/** Reads a number without a sign and an exponent, and gives where it ends. */
export function readNumber(from: i32, mayHaveFraction: bool): i32 {
  let digits: i64 = 0;
  let power: f64 = 1;
  let pointAt = none;
  let at = from;
  for (; at - from <= mostDigits + 1; at++) {
    const code = <i32>load<u8>(at);
    if (zero <= code && code <= nine) {
      digits = 10 * digits + code - zero;
      if (0 <= pointAt) power *= 10;
    } else if (code === point && pointAt < 0 && mayHaveFraction) pointAt = at;
    else break;
  }
  const decimals = pointAt < 0 ? 0 : at - pointAt - 1;
  const whole = (pointAt < 0 ? at : pointAt) - from;
  if (whole === 0 || (1 < whole && load<u8>(from) === zero)) return none;
  if ((0 <= pointAt && decimals === 0) || mostDigits < whole + decimals) return none;
  // Both are exact, so their quotient is the number nearest to what is written.
  foundNumber = <f64>digits / power;
  return at;
}
