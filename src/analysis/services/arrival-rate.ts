import { type Arrivals, type Case, countArrivals } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';

/** Requests over time. */
export interface ArrivalRate {
  /** `measured`: requests with a measured time, by their begin. `logged`: logs of arrivals (code 9029). */
  readonly of: 'measured' | 'logged';
  readonly requests: number;
  /** Mean from the first to the last minute with a request, both included. */
  readonly perMinute: number;
  /** The first of the fullest minutes; `start` is in milliseconds since the epoch. */
  readonly busiest: Arrivals;
}

const minute = 60_000;

/**
 * Returns the rate at which requests arrive in the logs that a filter selects: of measured requests, else of
 * logged arrivals. Undefined if there is none with a time.
 */
export async function arrivalRate(
  cases: readonly Case[],
  filter: Filter,
  signal?: AbortSignal,
): Promise<ArrivalRate | undefined> {
  for (const of of ['measured', 'logged'] as const) {
    const counts = await Promise.all(cases.map((from) => countArrivals(from, filter, { of, signal })));
    const rate = rateOf(counts.flat());
    if (rate) return { of, ...rate };
  }
  return undefined;
}

function rateOf(arrivals: readonly Arrivals[]): Omit<ArrivalRate, 'of'> | undefined {
  const byMinute = new Map<number, number>();
  for (const { start, count } of arrivals) byMinute.set(start, (byMinute.get(start) ?? 0) + count);
  const minutes = [...byMinute].map(([start, count]) => ({ start, count })).sort((a, b) => a.start - b.start);
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (!first || !last) return undefined;
  const requests = minutes.reduce((sum, { count }) => sum + count, 0);
  const busiest = minutes.reduce((most, each) => (most.count < each.count ? each : most), first);
  return { requests, perMinute: requests / ((last.start - first.start) / minute + 1), busiest };
}
