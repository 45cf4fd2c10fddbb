/** Cache for a value that is made on first use. */
export interface Kept<T> {
  made?: Promise<T>;
}

/**
 * Returns the cached value, or makes it. A failure is not cached: the search that started it may have been
 * interrupted, which does not concern others.
 */
export async function keptOrMade<T>(kept: Kept<T>, make: () => Promise<T>): Promise<T> {
  for (let begun = kept.made; begun; begun = kept.made) {
    try {
      return await begun;
    } catch {
      if (kept.made === begun) delete kept.made;
    }
  }
  kept.made = make();
  return kept.made;
}
