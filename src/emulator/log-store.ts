import { all, type Filter } from '../meaning/filter.ts';
import type { Scored } from '../meaning/relevance/scored.ts';
import type { Log } from '../records/log.ts';
import { type Case, openCase } from '../store/case/case.ts';
import { addLogs } from '../store/loading/add-logs.ts';
import { keepNewest } from '../store/loading/keep-newest.ts';
import { findBest } from '../store/searching/best-logs.ts';
import { countLogs, findLogs } from '../store/searching/find-logs.ts';

/** The logs of a deployment: those it was given and those of its own activity. */
export interface LogStore extends AsyncDisposable {
  /** Adds a log. It is found by every later `find`. */
  readonly record: (log: Log) => void;
  /** The logs that a filter selects, in order of time. */
  readonly find: (filter: Filter, options: FindOptions) => Promise<readonly Log[]>;
  /** The logs that a filter selects, the most relevant for a search first; those that are as relevant come newest first. */
  readonly findBest: (filter: Filter, search: Scored, limit: number) => Promise<readonly Log[]>;
  /** How many logs a filter selects; without one, how many there are. */
  readonly count: (filter?: Filter) => Promise<number>;
}

/** Which of the selected logs are wanted. */
export interface FindOptions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
}

/** So many logs of the own activity are kept back at most until someone asks for logs. */
const batchSize = 1000;

/**
 * Logs of the own activity that are kept; real deployments delete by age (field notes). The oldest go a fifth at a
 * time. A case in a file keeps all of them.
 */
const mostRecorded = 50_000;

const activityPart = 'activity';

/** Keeps logs in a case of its own in memory, or in a case that was given, which stays open when this is closed. */
export async function openLogStore(
  logs: Iterable<Log> | Case,
  { keep = mostRecorded }: { readonly keep?: number } = {},
): Promise<LogStore> {
  const isCase = 'access' in logs;
  const into = isCase ? logs : await openCase(':memory:', { access: 'write' });
  if (!isCase) await addLogs(into, [...logs], { part: 'logs' });

  const recorded: Log[] = [];
  let stored = 0;
  let last: Promise<void> = Promise.resolve();
  // One flush after the other, so that a reader who waits for his own has waited for those before it.
  const flush = (): Promise<void> => {
    last = last.catch(() => undefined).then(write);
    return last;
  };
  const write = async () => {
    const batch = [...recorded];
    if (batch.length === 0) return;
    await addLogs(into, batch, { part: activityPart });
    // Only now: what could not be added is tried again by the next flush, whose caller then hears of it.
    recorded.splice(0, batch.length);
    stored += batch.length;
    if (stored < keep * 1.2) return;
    await keepNewest(into, { part: activityPart, count: keep });
    stored = keep;
  };

  return {
    record: (log) => {
      recorded.push(log);
      if (recorded.length % batchSize === 0) flush().catch(() => undefined);
    },
    find: async (filter, options) => {
      await flush();
      return (await findLogs(into, filter, options)).map(({ log }) => log);
    },
    findBest: async (filter, search, limit) => {
      await flush();
      return (await findBest(into, search, { filter, limit })).map(({ log }) => log);
    },
    count: async (filter = all) => {
      await flush();
      return countLogs(into, filter);
    },
    [Symbol.asyncDispose]: async () => {
      await flush();
      if (!isCase) await into[Symbol.asyncDispose]();
    },
  };
}
