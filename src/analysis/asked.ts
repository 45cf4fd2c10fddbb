/** A stretch of time that a deployment was asked for, and what came of that. Times are milliseconds since the epoch, both included. */
export interface AskedStretch {
  readonly oldest: number;
  readonly newest: number;
  /** `open`: it was asked for, but is not there yet. */
  readonly state: 'complete' | 'capped' | 'open';
}

/**
 * What is known of the logs of some time. `complete`: all that were asked for
 * are there. `capped`: some are missing for good. `open`: some are not there
 * yet. `partly`: part of it was never asked for. `never`: nor was any of it, so
 * that no log says nothing.
 */
export type Known = AskedStretch['state'] | 'partly' | 'never';

/**
 * What is known of the logs of a time of so many milliseconds, by all that was
 * asked for, in any order: the worst of it, so that no gap is too small to be
 * seen.
 */
export function knownOf(
  asked: readonly AskedStretch[],
  { start, length }: { readonly start: number; readonly length: number },
): Known {
  const within = asked.filter(({ oldest, newest }) => oldest < start + length && start <= newest);
  if (within.length === 0) return 'never';
  const worst = (['open', 'capped'] as const).find((state) => within.some((each) => each.state === state));
  return worst ?? (isCovered(within, start, length) ? 'complete' : 'partly');
}

/** Whether stretches leave no millisecond of a time out. */
function isCovered(stretches: readonly AskedStretch[], start: number, length: number): boolean {
  let from = start;
  for (const { oldest, newest } of [...stretches].sort((a, b) => a.oldest - b.oldest)) {
    if (from < oldest) return false;
    from = Math.max(from, newest + 1);
  }
  return start + length <= from;
}
