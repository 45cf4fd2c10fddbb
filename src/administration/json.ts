import { ExactNumber, isSameNumber } from '../json/index.ts';

/** A value of JSON that has members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, which a list is not. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** Tells whether two values of JSON are equal: in any order of members and any spelling of a number; an absent member equals an undefined one. */
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

/** JSON text of a number; undefined where the value is no number. */
function numeralOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}
