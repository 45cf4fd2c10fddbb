import { ExactNumber, isSameNumber } from '../json/index.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True if a JSON value is an object; a list is none. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/**
 * True if two JSON values are equal, in any order of members and any spelling of a number. An absent member
 * equals an undefined one.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  }
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(a[key], b[key]));
  }
  const [one, other] = [numeralOf(a), numeralOf(b)];
  return one !== undefined && other !== undefined ? isSameNumber(one, other) : a === b;
}

/** JSON text of a number; undefined for other values. */
function numeralOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}
