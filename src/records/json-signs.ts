import { byte } from './json-bytes.ts';

/** What opens what a sign closes. */
export function opening(code: number): number {
  return code === byte.closeObject ? byte.openObject : byte.openList;
}

/** Whether a byte is a sign that gives JSON its structure, and not part of a value. */
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

/** Whether a sign may stand behind another in JSON. It need not be exact: the parser has the last word. */
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
