import { byte } from './json-bytes.ts';

/** Returns the opening bracket of a closing bracket. */
export function opening(code: number): number {
  return code === byte.closeObject ? byte.openObject : byte.openList;
}

/** Reports if a byte is a structural character of JSON (RFC 8259, section 2) or a quote. */
export function isSign(code: number): boolean {
  switch (code) {
    case byte.quote:
    case byte.comma:
    case byte.colon:
    case byte.openList:
    case byte.closeList:
    case byte.openObject:
    case byte.closeObject:
      return true;
    default:
      return false;
  }
}

/** Reports if a character may follow another in JSON. An approximation: the parser decides. */
export function mayFollow(code: number, previous: number, parent: number | undefined): boolean {
  const afterValue =
    previous === byte.quote ||
    previous === byte.closeObject ||
    previous === byte.closeList ||
    previous === byte.literal;
  switch (code) {
    case byte.comma:
      return afterValue;
    case byte.colon:
      return previous === byte.quote && parent === byte.openObject;
    case byte.closeObject:
    case byte.closeList:
      return parent === opening(code) && previous !== byte.colon;
    case byte.quote:
      return !afterValue;
    case byte.openObject:
    case byte.openList:
      return previous === byte.colon || (parent === byte.openList && !afterValue);
    default:
      return previous === byte.literal || !afterValue;
  }
}
