/** Buckets from `start` up to, not including, `end`. */
export interface BucketInterval {
  readonly start: number;
  readonly end: number;
}

/** An interval with its share of the probability of an error: all lengths have the same, and all of one length. */
export interface SeededInterval extends BucketInterval {
  readonly share: number;
}

/** Each layer of intervals is shorter than the one before by this factor. */
const decay = Math.SQRT1_2;

/**
 * Intervals of all lengths over a number of buckets, overlapping by half. Any change has some interval in which it
 * is the only one (Kovács et al., 2023). Their lengths add up to O(n log n).
 */
export function seededIntervals(length: number): readonly SeededInterval[] {
  const found = new Map<number, SeededInterval>();
  for (let size = length; 2 <= size; size *= decay) {
    const count = intervalsOf(length, size);
    const share = shareOf(length, size);
    const shift = count === 1 ? 0 : (length - size) / (count - 1);
    for (let at = 0; at < count; at++) {
      const [start, end] = [Math.floor(at * shift), Math.min(length, Math.ceil(at * shift + size))];
      const key = start * (length + 1) + end;
      if (!found.has(key)) found.set(key, { start, end, share });
    }
  }
  return [...found.values()];
}

/** The share of an interval of some size. */
export function shareOf(length: number, size: number): number {
  const sizes = Math.floor(Math.log(length / 2) / Math.log(1 / decay)) + 1;
  return 1 / (sizes * intervalsOf(length, size));
}

/** The number of intervals of some size. */
function intervalsOf(length: number, size: number): number {
  return 2 * Math.ceil(length / size) - 1;
}
