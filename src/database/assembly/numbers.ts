/** Numbers and texts as they are written: numbers with seven bits a byte, the lowest first. */

/** Writes a number; returns the address after it. */
export function putNumber(to: i32, number: u32): i32 {
  let at = to;
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) store<u8>(at++, <u8>((rest & 0x7f) | 0x80));
  store<u8>(at++, <u8>rest);
  return at;
}

/** Writes text of some bytes, and up to seven bytes of any value after it. */
export function putText(to: i32, from: i32, length: i32): i32 {
  for (let at = 0; at < length; at += 8) store<u64>(to + at, load<u64>(from + at));
  return to + length;
}
