/** Returns whether two plain values, for example filters, are deeply equal. */
export function isEqual(a: unknown, b: unknown): boolean {
  // A bound of -0 differs from one of 0.
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((part, place) => isEqual(part, b[place]));
  }
  const [own, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return own.size === other.size && [...own].every(([key, value]) => isEqual(value, other.get(key)));
}
