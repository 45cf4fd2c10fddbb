/** Above this number, sorting is faster than merging. */
const maxRuns = 8;

/**
 * Sorts numbers. DuckDB mostly lists the positions of a word in a few ascending runs; merging those takes a
 * fifth of the time of sorting.
 */
export function sortPositions(numbers: Float64Array): Float64Array {
  const starts = [0];
  for (let at = 1; at < numbers.length; at++)
    if ((numbers[at] ?? 0) < (numbers[at - 1] ?? 0)) starts.push(at);
  if (maxRuns < starts.length) return numbers.sort();
  return starts.map((from, index) => numbers.subarray(from, starts[index + 1])).reduce(merged);
}

function merged(some: Float64Array, others: Float64Array): Float64Array {
  const made = new Float64Array(some.length + others.length);
  let [one, other] = [0, 0];
  for (let at = 0; at < made.length; at++) {
    const next = some[one] ?? Number.POSITIVE_INFINITY;
    const nextOther = others[other] ?? Number.POSITIVE_INFINITY;
    made[at] = Math.min(next, nextOther);
    if (next <= nextOther) one++;
    else other++;
  }
  return made;
}
