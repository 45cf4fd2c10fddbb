/**
 * The shortest length of prefixes, at least `least`, that keeps different values apart; the length in
 * UTF-16 units.
 */
export function uniquePrefixLength(values: readonly string[], least: number): number {
  const sorted = [...new Set(values)].sort();
  return sorted.slice(1).reduce((length, value, index) => {
    const common = commonLength(value, sorted[index] ?? '');
    return Math.max(length, common + 1);
  }, least);
}

/** The number of equal units at the beginning of two texts. */
function commonLength(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return length;
}
