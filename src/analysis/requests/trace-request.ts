import { type StoredLog, streamNumberLists } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { type Asked, countByTime, isCase, streamLogs } from '../log-source.ts';
import { type LogOfCase, mergeLogs } from '../several-cases.ts';

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
  cases: readonly Asked[],
  filter: Filter,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<TracedLog, void, undefined> {
  const longest = longestGap(await timesOf(cases, filter, signal));
  const streams = cases.map((each) => streamLogs(each, filter, signal ? { signal } : {}));
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

async function timesOf(
  cases: readonly Asked[],
  filter: Filter,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const from of cases) {
    if (!isCase(from)) {
      for (const { start } of await countByTime(from, filter, { every: 1 })) times.push(start);
      continue;
    }
    for await (const { numbers } of streamNumberLists(from, filter, { keys: [], numbers: ['time'], signal }))
      for (const time of numbers[0] ?? []) if (!Number.isNaN(time)) times.push(time);
  }
  return times;
}
