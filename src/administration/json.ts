/** A value of JSON that has members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, which a list is not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values of JSON say the same: the order of members does not matter, and an absent member is an undefined one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  }
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(a[key], b[key]));
  }
  return a === b;
}
