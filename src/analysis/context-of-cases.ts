import {
  compareCursors,
  type LogCursor,
  type LogInContext,
  type LogOrder,
  type StoredLog,
  type StreamOptions,
  streamContext as streamContextOfCase,
} from '../case/index.ts';
import { type Filter, match, matchAllFilter } from '../language/index.ts';
import { type Asked, isCase, type LogSource, streamLogs } from './log-source.ts';
import { type CursorInCases, cursorInCase, type LogOfCase, mergeLogs } from './several-cases.ts';

/** Selection of logs of several cases with their context. */
export interface ContextOfCasesOptions {
  /** Number of logs of the same case before and after each selected log. */
  readonly around: number;
  /** Maximum number of selected logs. */
  readonly limit?: number;
  readonly order: LogOrder;
  /** Only logs after this cursor. */
  readonly after?: CursorInCases;
  /** Aborts the stream, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A selected log, or a log in the context of one. */
export interface ListedInContext extends LogInContext {
  /** The log is selected on this page. Context logs may match too, and belong to the page before or after. */
  readonly isListed: boolean;
}

/**
 * Yields the logs of several cases that a filter selects, in one order, each with its context in
 * its case. `limit` counts the selected logs of all cases, so that a page that begins after the
 * last one skips nothing.
 *
 * ```ts
 * for await (const { log, isHit } of contextOfCases([incident], filter, { around: 2, limit: 10, order: 'newest' })) console.log(isHit, log.msg);
 * ```
 */
export async function* contextOfCases(
  cases: readonly Asked[],
  filter: Filter,
  { around, limit, order, after, signal }: ContextOfCasesOptions,
): AsyncGenerator<LogOfCase<ListedInContext>, void, undefined> {
  const optionsOf = (index: number, most = limit) => ({
    order,
    ...(signal && { signal }),
    ...(most !== undefined && { limit: most }),
    ...(after && { after: cursorInCase(after, index, order) }),
  });
  const hits = cases.map((each, index) => streamLogs(each, filter, optionsOf(index)));
  const first = limit === undefined ? undefined : await firstOf(mergeLogs(hits, order), limit);
  const streams = cases.map((each, index) =>
    streamContext(each, filter, { ...optionsOf(index, first && (first.counts.get(index) ?? 0)), around }),
  );
  for await (const log of mergeLogs(streams, order)) {
    const isBehind = (place: CursorInCases) =>
      0 < compareCursors(placeOf(log), cursorInCase(place, log.ofCase, order), order);
    const isOfPage = (!after || isBehind(after)) && !(first?.last && isBehind(first.last));
    yield { ...log, isListed: log.isHit && isOfPage };
  }
}

/** Counts the first logs by case, and returns the cursor of the last. */
async function firstOf(
  logs: AsyncIterable<LogOfCase>,
  limit: number,
): Promise<{ readonly counts: ReadonlyMap<number, number>; readonly last?: CursorInCases }> {
  const counts = new Map<number, number>();
  let last: CursorInCases | undefined;
  let count = 0;
  for await (const log of logs) {
    counts.set(log.ofCase, (counts.get(log.ofCase) ?? 0) + 1);
    last = placeOf(log);
    if (++count === limit) break;
  }
  return { counts, ...(last && { last }) };
}

function placeOf({ id, log: { time }, ofCase }: LogOfCase<StoredLog>): CursorInCases {
  return { ...(time !== undefined && { time }), id, ofCase };
}

/** Selection of logs with their neighbours. */
type ContextOptions = StreamOptions & { readonly around: number; readonly order: LogOrder };

/**
 * Streams the logs that a filter selects, each with its neighbours in time among all logs. It is that of a case
 * for any source.
 */
export function streamContext(
  of: Asked,
  filter: Filter,
  options: ContextOptions,
): AsyncGenerator<LogInContext, void, undefined> {
  return isCase(of) ? streamContextOfCase(of, filter, options) : contextOfSource(of, filter, options);
}

/** Asks for the neighbours of each selected log, as ranking all logs would take too long. */
async function* contextOfSource(
  of: LogSource,
  filter: Filter,
  options: ContextOptions,
): AsyncGenerator<LogInContext, void, undefined> {
  const { around, order, signal } = options;
  const abort = signal ? { signal } : {};
  const step = order === 'oldest' ? 1 : -1;
  let last: StoredLog | undefined;
  let rank = 0;
  // The neighbours of the previous hit that are still to come.
  let behind: readonly StoredLog[] = [];
  const listed = async (log: StoredLog, isNext: boolean): Promise<LogInContext> => {
    rank = isNext ? rank + step : await rankOf(of, log, { last, rank });
    last = log;
    const gap = log.log.time === undefined ? around + 1 : 0;
    return { ...log, isHit: match(filter, log.log), rank: rank + gap };
  };
  for await (const hit of streamLogs(of, filter, options)) {
    const [before, after] = await Promise.all([
      // One more shows if there are logs between this context and the previous one.
      neighbours(of, hit, { order: opposite[order], limit: around + 1, ...abort }),
      neighbours(of, hit, { order, limit: around, ...abort }),
    ]);
    for (const log of behind) if (isBefore(log, hit, order)) yield await listed(log, true);
    const near = [...before.slice(0, around).toReversed(), hit];
    let isNext = last !== undefined && before[around]?.id === last.id;
    for (const log of near) {
      if (last && !isBefore(last, log, order)) isNext = true;
      else {
        yield await listed(log, isNext);
        isNext = true;
      }
    }
    behind = after;
  }
  for (const log of behind) yield await listed(log, true);
}

/** Returns the rank of a log among all, from that of the last listed one: counting between two is faster. */
async function rankOf(
  of: LogSource,
  log: StoredLog,
  { last, rank }: { readonly last: StoredLog | undefined; readonly rank: number },
): Promise<number> {
  const here = cursorOf(log);
  if (!last) return await of.countUpTo(here);
  const there = cursorOf(last);
  return isBefore(last, log, 'oldest')
    ? rank + (await of.countUpTo(here, there))
    : rank - (await of.countUpTo(there, here));
}

const opposite = { oldest: 'newest', newest: 'oldest' } as const;

/** Returns the next logs after one in an order. Logs with and without a time are no neighbours. */
async function neighbours(
  of: LogSource,
  log: StoredLog,
  options: Omit<StreamOptions, 'after'>,
): Promise<readonly StoredLog[]> {
  const found: StoredLog[] = [];
  for await (const each of of.streamLogs(matchAllFilter, { ...options, after: cursorOf(log) }))
    if ((each.log.time === undefined) === (log.log.time === undefined)) found.push(each);
  return found;
}

function cursorOf({ id, log: { time } }: StoredLog): LogCursor {
  return { id, ...(time !== undefined && { time }) };
}

function isBefore(first: StoredLog, second: StoredLog, order: LogOrder): boolean {
  return compareCursors(cursorOf(first), cursorOf(second), order) < 0;
}
