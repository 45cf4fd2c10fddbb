const number = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

/**
 * The number that the engine reads after a `~`, as a 32-bit float, or
 * undefined. It takes what Java takes: an exponent, the letters `f` and `d` at
 * the end, `NaN` and `Infinity`. Java's hexadecimal numbers are not read here.
 */
export function parseFloat32(text: string): number | undefined {
  const trimmed = text.replace(/^[\0- ]+|[\0- ]+$/g, '');
  if (!number.test(trimmed)) return undefined;
  return Math.fround(Number(trimmed.replace(/(?<=[\d.])[fFdD]$/, '')));
}
