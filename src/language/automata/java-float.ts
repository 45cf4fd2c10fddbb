const number = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

/**
 * The number after a `~` as the engine reads it, a 32-bit float, or undefined. The syntax is
 * Java's: an exponent, a final `f` or `d`, `NaN` and `Infinity`. Hexadecimal numbers are not
 * supported.
 */
export function parseFloat32(text: string): number | undefined {
  const trimmed = text.replace(/^[\0- ]+|[\0- ]+$/g, '');
  if (!number.test(trimmed)) return undefined;
  return Math.fround(Number(trimmed.replace(/(?<=[\d.])[fFdD]$/, '')));
}
