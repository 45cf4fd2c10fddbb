/** An interval of time with both ends included, in milliseconds since the epoch. */
export interface Window {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Lower end of a window without a lower bound: the earliest time possible. It is
 * never sent to a deployment.
 */
export const openStart = -8_640_000_000_000_000;

/** No window is cut before this time: no such logs exist, and a deployment may reject such times. */
export const earliestCut = 0;

/** Length of a window in milliseconds. */
export function windowLength({ oldest, newest }: Window): number {
  return newest - oldest + 1;
}

/** Returns whether a window contains a time. */
export function containsTime({ oldest, newest }: Window, time: number): boolean {
  return oldest <= time && time <= newest;
}

/** Subtracts other windows from one; the remaining parts come newest first. */
export function subtractWindows(window: Window, others: readonly Window[]): readonly Window[] {
  let left: readonly Window[] = [window];
  for (const other of others) left = left.flatMap((each) => cut(each, other));
  return [...left].sort((a, b) => b.newest - a.newest);
}

function cut({ oldest, newest }: Window, other: Window): Window[] {
  if (other.newest < oldest || newest < other.oldest) return [{ oldest, newest }];
  return [
    { oldest, newest: other.oldest - 1 },
    { oldest: other.newest + 1, newest },
  ].filter((each) => each.oldest <= each.newest);
}
