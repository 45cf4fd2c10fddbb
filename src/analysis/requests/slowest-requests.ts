import { type Case, type RequestSpan, slowestRequests } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';

/** A request over all sources of its logs. */
export interface RankedRequest extends RequestSpan {
  /** Seconds from its first log to its last one, or its longest measured time, if that is longer. */
  readonly took: number;
}

/**
 * Ranks the requests in the logs that a filter selects, the longest first. A request with logs in several cases
 * is one. Rejects with a `StoreError`.
 *
 * ```ts
 * for (const { took } of await rankRequests([incident], { filter, limit: 10 })) console.log(took);
 * ```
 */
export async function rankRequests(
  cases: readonly Case[],
  { filter, limit }: { readonly filter: Filter; readonly limit: number },
): Promise<readonly RankedRequest[]> {
  // The slowest requests of all cases need not be the slowest of one.
  const most = cases.length === 1 ? limit : Number.POSITIVE_INFINITY;
  const found = await Promise.all(cases.map((from) => slowestRequests(from, filter, { limit: most })));
  const joined = new Map<string, RequestSpan>();
  for (const span of found.flat()) {
    const known = joined.get(span.request);
    joined.set(span.request, known ? join(known, span) : span);
  }
  return [...joined.values()]
    .map((span) => ({ ...span, took: secondsOf(span) }))
    .sort((a, b) => b.took - a.took || (a.request < b.request ? -1 : 1))
    .slice(0, limit);
}

function secondsOf({ first, last, elapsed = 0 }: RequestSpan): number {
  return Math.max(elapsed, first === undefined || last === undefined ? 0 : (last - first) / 1000);
}

function join(one: RequestSpan, other: RequestSpan): RequestSpan {
  const [chief, rest] = (one.elapsed ?? 0) < (other.elapsed ?? 0) ? [other, one] : [one, other];
  const { source, user, method } = chief;
  return {
    request: one.request,
    logs: one.logs + other.logs,
    errors: one.errors + other.errors,
    first: extreme(Math.min, one.first, other.first),
    last: extreme(Math.max, one.last, other.last),
    elapsed: extreme(Math.max, one.elapsed, other.elapsed),
    source: source ?? rest.source,
    user: user ?? rest.user,
    method: method ?? rest.method,
  };
}

function extreme(
  of: (...values: number[]) => number,
  one: number | undefined,
  other: number | undefined,
): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : of(one, other);
}
