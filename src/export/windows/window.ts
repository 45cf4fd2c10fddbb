/** A stretch of time, both ends included: milliseconds since the epoch. */
export interface Window {
  readonly oldest: number;
  readonly newest: number;
}

/** The oldest time of a window without a lower bound: the earliest there is. It is never sent to a deployment. */
export const openStart = -8_640_000_000_000_000;

/** No window is cut before this time: there are no such logs, and a deployment may not take such times. */
export const earliestCut = 0;

/** How many milliseconds a window holds. */
export function lengthOf({ oldest, newest }: Window): number {
  return newest - oldest + 1;
}

/** Whether a time is in a window. */
export function holds({ oldest, newest }: Window, time: number): boolean {
  return oldest <= time && time <= newest;
}

/** What is left of a window when others are taken out of it, the newest first. */
export function without(window: Window, others: readonly Window[]): readonly Window[] {
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
