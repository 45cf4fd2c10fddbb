import {
  type Case,
  type RequestSpan,
  type StoredLog,
  slowestRequests,
  sourceOf,
  type ValueCount,
} from '../case/index.ts';
import { boolFilter, type Filter } from '../language/index.ts';
import { facets } from './facets.ts';
import type { AnyLogSource } from './log-source.ts';
import { type LogOfCase, mergeLogs } from './several-cases.ts';

/** A log of a request with its place in time. Absent for a log without a time. */
export interface TracedLog extends LogOfCase<StoredLog> {
  /** Milliseconds since the first log. */
  readonly offset?: number;
  /** Milliseconds since the previous log, of any source; absent for the first one. */
  readonly gap?: number;
  /** True if no gap is longer; the first of equal ones. */
  readonly isSlowest?: true;
}

/**
 * Yields the logs that a filter selects in some cases, oldest first, with their offsets and gaps. Reads the times
 * twice: the longest gap is known before the first log comes. Rejects with a `StoreError`, or the signal's reason.
 *
 * ```ts
 * const request = requestFilter('faec5611-5258-436f-a528-61b55112ddb7');
 * for await (const { offset, gap, log } of traceRequest([incident], request)) console.log(offset, gap, log.msg);
 * ```
 */
export async function* traceRequest(
  cases: readonly AnyLogSource[],
  filter: Filter,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<TracedLog, void, undefined> {
  const longest = longestGap(
    (await Promise.all(cases.map((source) => sourceOf(source).times(filter, { signal })))).flat(),
  );
  const streams = cases.map((source) => sourceOf(source).streamLogs(filter, signal ? { signal } : {}));
  let first: number | undefined;
  let previous: number | undefined;
  let isMarked = false;
  for await (const log of mergeLogs<StoredLog>(streams, 'oldest')) {
    const { time } = log.log;
    if (time === undefined) {
      yield log;
      continue;
    }
    first ??= time;
    const gap = previous === undefined ? undefined : time - previous;
    previous = time;
    const isSlowest: boolean = !isMarked && gap !== undefined && gap === longest;
    isMarked ||= isSlowest;
    yield {
      ...log,
      offset: time - first,
      ...(gap !== undefined && { gap }),
      ...(isSlowest && { isSlowest: true }),
    };
  }
}

/** The longest time between two logs; undefined if all are at one time. */
function longestGap(times: readonly number[]): number | undefined {
  const sorted = Float64Array.from(times).sort();
  let longest = 0;
  for (const [index, time] of sorted.entries())
    longest = Math.max(longest, time - (sorted[index - 1] ?? time));
  return 0 < longest ? longest : undefined;
}

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
  const max = cases.length === 1 ? limit : Number.POSITIVE_INFINITY;
  const found = await Promise.all(cases.map((from) => slowestRequests(from, filter, { limit: max })));
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

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/**
 * Selects the logs of one request; compares the whole id, not its words.
 *
 * ```ts
 * const request = requestFilter('faec5611-5258-436f-a528-61b55112ddb7');
 * for await (const { log } of streamLogs(incident, request)) console.log(log.msg);
 * ```
 */
export function requestFilter(id: string): Filter {
  return { kind: 'term', field: requestId, term: id };
}

/** Requests with their numbers of logs, the most frequent first, and the number of logs of others. */
export interface MatchingRequests {
  readonly requests: readonly (ValueCount & { readonly value: string })[];
  readonly others: number;
}

/**
 * Returns the requests of an id, or of its beginning, in the logs that a filter selects. A request
 * with exactly this id is the only one; else at most `limit` begin with it.
 */
export async function matchingRequests(
  cases: readonly AnyLogSource[],
  id: string,
  { filter, limit }: { readonly filter: Filter; readonly limit: number },
): Promise<MatchingRequests> {
  const exact = boolFilter({ must: [requestFilter(id), filter] });
  const counts = await Promise.all(cases.map((source) => sourceOf(source).countLogs(exact)));
  const count = counts.reduce((sum, logs) => sum + logs, 0);
  if (0 < count || id === '') return { requests: count === 0 ? [] : [{ value: id, count }], others: 0 };
  const prefix: Filter = { kind: 'prefix', field: requestId, prefix: id };
  const found = await facets(cases, 'requestID', { filter: boolFilter({ must: [prefix, filter] }), limit });
  const requests = found.values.flatMap(({ value, count }) =>
    value === undefined ? [] : [{ value: String(value), count }],
  );
  return { requests, others: found.others };
}
