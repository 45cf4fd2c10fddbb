/** The growth of the pauses between attempts. */
export interface BackOff {
  /** Milliseconds before the second attempt. */
  readonly first: number;
  /** Milliseconds that no pause exceeds. */
  readonly longest: number;
  /** By how much each pause is longer than the one before it. */
  readonly growth: number;
}

/**
 * The milliseconds to wait after this many attempts. Up to half of the pause is
 * left to chance, so that callers that failed together do not return together.
 */
export function pauseAfter(attempts: number, backOff: BackOff, random: () => number): number {
  const pause = Math.min(backOff.longest, backOff.first * backOff.growth ** (attempts - 1));
  return pause * (1 - random() / 2);
}
