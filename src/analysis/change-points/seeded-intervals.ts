/** Buckets from `start` up to, not including, `end`. */
export interface BucketInterval {
  readonly start: number;
  readonly end: number;
}

/** Each layer of intervals is shorter than the one before by this factor. */
const decay = Math.SQRT1_2;

/**
 * Intervals of all lengths over a number of buckets, overlapping by half. Any change has some interval in which it
 * is the only one (Kovács et al., 2023). Their lengths add up to O(n log n).
 */
export function seededIntervals(length: number): readonly BucketInterval[] {
  const found = new Map<number, BucketInterval>();
  for (let size = length; 2 <= size; size *= decay) {
    const count = 2 * Math.ceil(length / size) - 1;
    const shift = count === 1 ? 0 : (length - size) / (count - 1);
    for (let at = 0; at < count; at++) {
      const [start, end] = [Math.floor(at * shift), Math.min(length, Math.ceil(at * shift + size))];
      found.set(start * (length + 1) + end, { start, end });
    }
  }
  return [...found.values()];
}
