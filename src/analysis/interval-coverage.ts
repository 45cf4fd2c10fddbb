/**
 * A time interval requested from a deployment, and the state of the result. Times are milliseconds
 * since the epoch, both inclusive.
 */
export interface RequestedInterval {
  readonly oldest: number;
  readonly newest: number;
  /** `open`: requested, but not received yet. */
  readonly state: 'complete' | 'capped' | 'open';
}

/**
 * Completeness of the logs of an interval. `complete`: all requested logs are there. `capped`: some
 * are missing for good. `open`: some are not there yet. `partly`: some of the interval was never
 * requested. `never`: none of it was requested, so that the absence of logs proves nothing.
 */
export type IntervalCoverage = RequestedInterval['state'] | 'partly' | 'never';

/**
 * Returns the coverage of `length` milliseconds from `start` by all requested intervals, in any
 * order: the worst state, so that even the smallest gap shows.
 */
export function coverageOf(
  asked: readonly RequestedInterval[],
  { start, length }: { readonly start: number; readonly length: number },
): IntervalCoverage {
  const within = asked.filter(({ oldest, newest }) => oldest < start + length && start <= newest);
  if (within.length === 0) return 'never';
  const worst = (['open', 'capped'] as const).find((state) => within.some((each) => each.state === state));
  return worst ?? (isCovered(within, start, length) ? 'complete' : 'partly');
}

/** Reports if the intervals cover every millisecond. */
function isCovered(intervals: readonly RequestedInterval[], start: number, length: number): boolean {
  let from = start;
  for (const { oldest, newest } of [...intervals].sort((a, b) => a.oldest - b.oldest)) {
    if (from < oldest) return false;
    from = Math.max(from, newest + 1);
  }
  return start + length <= from;
}
