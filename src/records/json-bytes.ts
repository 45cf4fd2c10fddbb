/** Structural and white space characters of JSON, as bytes. */
export const byte = {
  tab: 0x09,
  lineFeed: 0x0a,
  return: 0x0d,
  blank: 0x20,
  quote: 0x22,
  comma: 0x2c,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  /** Stands for any number, `true`, `false` or `null`. */
  literal: 0x76,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Reports if a byte is JSON white space. */
export function isBlank(code: number | undefined): boolean {
  return code === byte.blank || code === byte.lineFeed || code === byte.return || code === byte.tab;
}

/** Returns the offset of the closing quote of the string whose content begins at `from`, or -1. */
export function closingQuote(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(byte.quote, from); 0 <= at; at = bytes.indexOf(byte.quote, at + 1)) {
    let before = at - 1;
    while (from <= before && bytes[before] === byte.backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/**
 * Finds the next object from an offset that looks like a record of a list: `{` followed by a key,
 * and preceded by a comma, a bracket or a line feed. `found` is -1 if there is none; `undecided` is
 * the offset to search again with more bytes.
 */
export function nextRecord(bytes: Uint8Array, from: number): { found: number; undecided: number } {
  for (let at = bytes.indexOf(byte.openObject, from); 0 <= at; at = bytes.indexOf(byte.openObject, at + 1)) {
    let after = at + 1;
    while (isBlank(bytes[after])) after++;
    if (after === bytes.length) return { found: -1, undecided: at };
    if ((bytes[after] === byte.quote || bytes[after] === byte.closeObject) && mayBeginAfter(bytes, at - 1))
      return { found: at, undecided: at };
  }
  return { found: -1, undecided: bytes.length };
}

function mayBeginAfter(bytes: Uint8Array, before: number): boolean {
  for (let at = before; 0 <= at; at--) {
    const code = bytes[at];
    if (code === byte.lineFeed || code === byte.comma || code === byte.openList) return true;
    if (!isBlank(code)) return false;
  }
  return true;
}
