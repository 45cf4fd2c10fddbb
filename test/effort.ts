import { drawn } from './run-seed.ts';

const effort = process.env.TEST_EFFORT;
if (effort !== undefined && effort !== 'full')
  throw new Error(`TEST_EFFORT must be "full" or not set, got "${effort}"`);

/** All rounds of all tests are done, the large ones (`*.large.test.ts`) included. */
export const isFull = effort === 'full';

/**
 * Rounds of a random or repeated test, or the size of its input: all where `TEST_EFFORT`
 * is `full`, else a twentieth, but no less than `fewest`. Nothing is left out, only repeated less often.
 */
export function rounds(full: number, fewest = 5): number {
  return isFull ? full : Math.min(full, Math.max(fewest, Math.ceil(full / 20)));
}

/**
 * Values to test in their order: all where `TEST_EFFORT` is `full`, else as many as {@link rounds} says, the same in each
 * run of a version.
 */
export function sampled<const T>(values: readonly T[], fewest?: number): readonly T[] {
  return drawn(values, rounds(values.length, fewest));
}
