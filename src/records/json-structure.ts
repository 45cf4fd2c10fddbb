import { jsonByte } from './json-bytes.ts';

/** Returns the opening bracket of a closing bracket. */
export function openingBracketOf(code: number): number {
  return code === jsonByte.closeObject ? jsonByte.openObject : jsonByte.openList;
}

/** Reports if a byte is a structural character of JSON (RFC 8259, section 2) or a quote. */
export function isStructural(code: number): boolean {
  switch (code) {
    case jsonByte.quote:
    case jsonByte.comma:
    case jsonByte.colon:
    case jsonByte.openList:
    case jsonByte.closeList:
    case jsonByte.openObject:
    case jsonByte.closeObject:
      return true;
    default:
      return false;
  }
}

/** Reports if a character may follow another in JSON. An approximation: the parser decides. */
export function mayFollow(code: number, previous: number, parent: number | undefined): boolean {
  const afterValue =
    previous === jsonByte.quote ||
    previous === jsonByte.closeObject ||
    previous === jsonByte.closeList ||
    previous === jsonByte.literal;
  switch (code) {
    case jsonByte.comma:
      return afterValue;
    case jsonByte.colon:
      return previous === jsonByte.quote && parent === jsonByte.openObject;
    case jsonByte.closeObject:
    case jsonByte.closeList:
      return parent === openingBracketOf(code) && previous !== jsonByte.colon;
    case jsonByte.quote:
      return !afterValue;
    case jsonByte.openObject:
    case jsonByte.openList:
      return previous === jsonByte.colon || (parent === jsonByte.openList && !afterValue);
    default:
      return previous === jsonByte.literal || !afterValue;
  }
}
