/**
 * The engine stores the length of a field, in tokens, in one byte. Lengths below 24 are exact,
 * longer ones have the four highest bits of the rest beyond 24. Texts whose lengths share a
 * byte have equal length for it.
 */
const exact = 24;

/** The number of bits of a length that are stored. */
const keptBits = 4;

/** The byte for a length of at least 0. */
export function toLengthByte(length: number): number {
  if (length < exact) return length;
  const beyond = length - exact;
  const shift = Math.max(0, 32 - Math.clz32(beyond) - keptBits);
  // The highest bit is always set where bits were cut off, so it is not stored.
  return shift === 0 ? exact + beyond : exact + ((shift + 1) << 3) + ((beyond >>> shift) & 7);
}

/** The least length of a byte. */
export function fromLengthByte(byte: number): number {
  if (byte < exact) return byte;
  const [bits, shift] = [(byte - exact) & 7, ((byte - exact) >>> 3) - 1];
  return shift < 0 ? exact + bits : exact + (bits + 8) * 2 ** shift;
}
