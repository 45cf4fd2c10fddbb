/** Cache for a value that is made on first use. */
export interface Lazy<T> {
  made?: Promise<T>;
}

/**
 * Returns the cached value, or makes it. A failure is not cached: the search that started it may have been
 * interrupted, which does not concern others.
 */
export async function getOrMake<T>(cache: Lazy<T>, make: () => Promise<T>): Promise<T> {
  for (let pending = cache.made; pending; pending = cache.made) {
    try {
      return await pending;
    } catch {
      if (cache.made === pending) delete cache.made;
    }
  }
  cache.made = make();
  return cache.made;
}
