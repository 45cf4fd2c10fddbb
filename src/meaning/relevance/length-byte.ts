/**
 * The engine keeps the length of a field, in tokens, in one byte: lengths below
 * 24 as they are, and of what a longer one has beyond 24 the four highest bits.
 * Texts whose lengths share a byte are equally long to it.
 */
const exact = 24;

/** How many bits of a length are kept. */
const keptBits = 4;

/** The byte that stands for a length from 0 on. */
export function toLengthByte(length: number): number {
  if (length < exact) return length;
  const beyond = length - exact;
  const shift = Math.max(0, 32 - Math.clz32(beyond) - keptBits);
  // The highest bit is always set where bits were cut off, so it is not kept.
  return shift === 0 ? exact + beyond : exact + ((shift + 1) << 3) + ((beyond >>> shift) & 7);
}

/** The least length that a byte stands for. */
export function fromLengthByte(byte: number): number {
  if (byte < exact) return byte;
  const [bits, shift] = [(byte - exact) & 7, ((byte - exact) >>> 3) - 1];
  return shift < 0 ? exact + bits : exact + (bits + 8) * 2 ** shift;
}
