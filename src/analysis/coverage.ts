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
  requested: readonly RequestedInterval[],
  { start, length }: { readonly start: number; readonly length: number },
): IntervalCoverage {
  const within = requested.filter(({ oldest, newest }) => oldest < start + length && start <= newest);
  if (within.length === 0) return 'never';
  const worst = (['open', 'capped'] as const).find((state) =>
    within.some((interval) => interval.state === state),
  );
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

/** An interval whose logs are incomplete. Times are milliseconds since the epoch, both inclusive. */
export interface CoverageGap {
  readonly oldest: number;
  readonly newest: number;
  /** `capped`: some logs are missing for good. `open`: not received yet. `never`: never requested. */
  readonly state: 'capped' | 'open' | 'never';
}

type State = RequestedInterval['state'] | 'never';

/**
 * Returns the gaps from the first log or requested time to the last requested time, ordered by time.
 * Overlapping intervals have their worst state, as in `coverageOf`. For what is behind them see {@link laterLogs}.
 */
export function coverageGaps(
  requested: readonly RequestedInterval[],
  first: number | undefined,
): readonly CoverageGap[] {
  const gaps: CoverageGap[] = [];
  for (const { oldest, newest, state } of segments(requested, first)) {
    const last = gaps.at(-1);
    if (state === 'complete') continue;
    if (last?.state === state && last.newest + 1 === oldest) gaps[gaps.length - 1] = { ...last, newest };
    else gaps.push({ oldest, newest, state });
  }
  return gaps;
}

/**
 * Returns the time from the last requested one to the last log, if there is any: logs that came while the last export
 * ran, or from files. Not all of that time's logs need be there; the next export continues there.
 */
export function laterLogs(
  requested: readonly RequestedInterval[],
  last: number | undefined,
): CoverageGap | undefined {
  const end = endOf(requested);
  return last === undefined || last <= end ? undefined : { oldest: end + 1, newest: last, state: 'never' };
}

/** The newest requested time. */
function endOf(requested: readonly RequestedInterval[]): number {
  return requested.reduce((end, { newest }) => Math.max(end, newest), Number.NEGATIVE_INFINITY);
}

/** Yields the intervals between all ends and the first log, each with its state. */
function* segments(
  requested: readonly RequestedInterval[],
  first: number | undefined,
): Generator<{ readonly oldest: number; readonly newest: number; readonly state: State }> {
  const changes = changesOf(requested);
  if (first !== undefined && first <= endOf(requested) && !changes.has(first)) changes.set(first, []);
  const edges = [...changes].sort(([a], [b]) => a - b);
  const active = { complete: 0, capped: 0, open: 0 };
  for (const [index, [oldest, here]] of edges.entries()) {
    for (const { state, by } of here) active[state] += by;
    const next = edges[index + 1];
    if (next) yield { oldest, newest: next[0] - 1, state: worstOf(active) };
  }
}

interface Change {
  readonly state: RequestedInterval['state'];
  readonly by: 1 | -1;
}

/** Starts and ends of intervals by time. */
function changesOf(requested: readonly RequestedInterval[]): Map<number, Change[]> {
  const changes = new Map<number, Change[]>();
  const add = (time: number, change: Change) => {
    const there = changes.get(time);
    if (there) there.push(change);
    else changes.set(time, [change]);
  };
  for (const { oldest, newest, state } of requested) {
    add(oldest, { state, by: 1 });
    add(newest + 1, { state, by: -1 });
  }
  return changes;
}

function worstOf({ complete, capped, open }: Record<RequestedInterval['state'], number>): State {
  if (0 < open) return 'open';
  if (0 < capped) return 'capped';
  return 0 < complete ? 'complete' : 'never';
}
