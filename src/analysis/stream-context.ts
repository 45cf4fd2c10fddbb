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
