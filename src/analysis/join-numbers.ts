/** Joins lists of numbers in their order. */
export function joinNumbers(lists: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(lists.reduce((length, list) => length + list.length, 0));
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
}
