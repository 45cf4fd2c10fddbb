/** Structural and white space characters of JSON, as bytes. */
export const jsonByte = {
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
export function isJsonWhiteSpace(code: number | undefined): boolean {
  return (
    code === jsonByte.blank || code === jsonByte.lineFeed || code === jsonByte.return || code === jsonByte.tab
  );
}

/** Returns the offset of the closing quote of the string whose content begins at `from`, or -1. */
export function findClosingQuote(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(jsonByte.quote, from); 0 <= at; at = bytes.indexOf(jsonByte.quote, at + 1)) {
    let before = at - 1;
    while (from <= before && bytes[before] === jsonByte.backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/**
 * Finds the next object from an offset that looks like a record of a list: `{` followed by a key,
 * and preceded by a comma, a bracket or a line feed. `found` is -1 if there is none; `undecided` is
 * the offset to search again with more bytes.
 */
export function findNextRecord(bytes: Uint8Array, from: number): { found: number; undecided: number } {
  for (
    let at = bytes.indexOf(jsonByte.openObject, from);
    0 <= at;
    at = bytes.indexOf(jsonByte.openObject, at + 1)
  ) {
    let after = at + 1;
    while (isJsonWhiteSpace(bytes[after])) after++;
    if (after === bytes.length) return { found: -1, undecided: at };
    if (
      (bytes[after] === jsonByte.quote || bytes[after] === jsonByte.closeObject) &&
      mayBeginAfter(bytes, at - 1)
    )
      return { found: at, undecided: at };
  }
  return { found: -1, undecided: bytes.length };
}

function mayBeginAfter(bytes: Uint8Array, before: number): boolean {
  for (let at = before; 0 <= at; at--) {
    const code = bytes[at];
    if (code === jsonByte.lineFeed || code === jsonByte.comma || code === jsonByte.openList) return true;
    if (!isJsonWhiteSpace(code)) return false;
  }
  return true;
}
