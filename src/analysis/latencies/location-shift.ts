/** Steps of the bisection: enough for all digits of a double. */
const steps = 64;

/**
 * The Hodges-Lehmann estimate of a shift: the median of all differences between a value of `after` and one of
 * `before`, both sorted. Not a number if one of them is empty. Takes time in proportion to their lengths.
 */
export function locationShift(before: Float64Array, after: Float64Array): number {
  const pairs = before.length * after.length;
  if (pairs === 0) return Number.NaN;
  const lower = differenceOfRank(before, after, Math.ceil(pairs / 2));
  return pairs % 2 === 1 ? lower : (lower + differenceOfRank(before, after, pairs / 2 + 1)) / 2;
}

/** The difference of a rank, from 1, among all pairs: by bisection of its value. */
function differenceOfRank(before: Float64Array, after: Float64Array, rank: number): number {
  let low = (after[0] ?? 0) - (before.at(-1) ?? 0);
  let high = (after.at(-1) ?? 0) - (before[0] ?? 0);
  for (let step = 0; step < steps && low < high; step++) {
    const middle = low + (high - low) / 2;
    if (rank <= countUpTo(before, after, middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Counts the pairs whose difference is at most a limit. */
function countUpTo(before: Float64Array, after: Float64Array, limit: number): number {
  let [count, index] = [0, 0];
  for (const value of before) {
    while (index < after.length && (after[index] ?? 0) - value <= limit) index++;
    count += index;
  }
  return count;
}
