/** Room for what is made when it is first needed. */
export interface Kept<T> {
  made?: Promise<T>;
}

/**
 * What is kept; it is made now where it is not there. What failed is made anew: the search that began to make it may have
 * been interrupted, which is no reason for others to fail.
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
