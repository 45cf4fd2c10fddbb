/** Operations on vectors of sixteen bytes. */

import { onesAddress, vectorLength } from './memory.ts';

const quote: i8 = 0x22;
const backslash: i8 = 0x5c;
const blank: i8 = 0x20;

/** Bit mask of quotes, backslashes and control characters. */
export function specialBytes(bytes: v128): i32 {
  const isQuote = i8x16.eq(bytes, i8x16.splat(quote));
  const isBackslash = i8x16.eq(bytes, i8x16.splat(backslash));
  return i8x16.bitmask(v128.or(v128.or(isQuote, isBackslash), i8x16.lt_u(bytes, i8x16.splat(blank))));
}

/** Returns the first bytes, followed by zeros. */
export function firstBytes(bytes: v128, count: i32): v128 {
  return v128.and(bytes, v128.load(onesAddress + vectorLength - count));
}

// Arbitrary odd numbers with well mixed bits.
const oneFactor: u64 = (0x9e3779b9 << 32) | 0x7f4a7c15;
const otherFactor: u64 = (0xc2b2ae3d << 32) | 0x27d4eb4f;

/** Extends a hash by a vector. */
export function mixHash(hash: u64, bytes: v128): u64 {
  const half = (hash ^ i64x2.extract_lane(bytes, 0)) * oneFactor;
  const whole = (half ^ (half >> 32) ^ i64x2.extract_lane(bytes, 1)) * otherFactor;
  return whole ^ (whole >> 29);
}

/** Reports if two byte ranges are equal. */
export function equalBytes(one: i32, other: i32, length: i32): bool {
  let at: i32 = 0;
  for (; at + vectorLength <= length; at += vectorLength)
    if (equalByteMask(one + at, other + at) !== 0xffff) return false;
  return (~equalByteMask(one + at, other + at) & ((1 << (length - at)) - 1)) === 0;
}

/** Bit mask of the equal bytes of two vectors. */
function equalByteMask(one: i32, other: i32): i32 {
  return i8x16.bitmask(i8x16.eq(v128.load(one), v128.load(other)));
}
