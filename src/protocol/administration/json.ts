import { ExactNumber, isObject, isSameNumber } from '../../records/index.ts';

export { isObject, type JsonObject } from '../../records/index.ts';

/**
 * True if two JSON values are equal, in any order of members and any spelling of a number. An absent member
 * equals an undefined one.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSameJson(item, b[at]));
  }
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSameJson(a[key], b[key]));
  }
  const [one, other] = [numeralOf(a), numeralOf(b)];
  return one !== undefined && other !== undefined ? isSameNumber(one, other) : a === b;
}

/** JSON text of a number; undefined for other values. */
function numeralOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}
