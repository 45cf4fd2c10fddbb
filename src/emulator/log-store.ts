import {
  addLogs,
  type Case,
  countLogs,
  deleteLogs,
  findBest,
  findLogs,
  keepNewestLogs,
  openCase,
} from '../case/index.ts';
import { type Filter, logLevels, matchAllFilter, type Scored } from '../language/index.ts';
import type { Log } from '../records/index.ts';

/** The logs of a deployment: its initial ones and those of its own activity. */
export interface LogStore extends AsyncDisposable {
  /** Adds a log. Every later `find` sees it. */
  readonly record: (log: Log) => void;
  /** The logs that a filter selects, in order of time. */
  readonly find: (filter: Filter, options: LogFindOptions) => Promise<readonly Log[]>;
  /**
   * The logs that a filter selects, the most relevant for a search first; of equally relevant ones the newest.
   */
  readonly findBest: (filter: Filter, search: Scored, limit: number) => Promise<readonly Log[]>;
  /** Number of logs that a filter selects; without one, of all. */
  readonly count: (filter?: Filter) => Promise<number>;
  /** Deletes the logs that a filter selects, and returns their number. Undefined: a case in a file keeps all. */
  readonly remove: (filter: Filter) => Promise<number | undefined>;
}

/** Number and order of the selected logs. */
export interface LogFindOptions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
}

/** Most logs of the own activity that wait for the next flush. */
const batchSize = 1000;

/**
 * Most stored logs of the own activity; real deployments delete by age (field notes). The oldest fifth is
 * deleted at a time. A case in a file keeps all of them.
 */
const mostRecorded = 50_000;

const activityPart = 'activity';

/** Stores logs in a new case in memory, or in a given case, which stays open when this is closed. */
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
  // One flush runs at a time, so a reader waits for all logs before its own call.
  const flush = (): Promise<void> => {
    last = last.catch(() => undefined).then(write);
    return last;
  };
  const write = async () => {
    const batch = [...recorded];
    if (batch.length === 0) return;
    await addLogs(into, batch, { part: activityPart });
    // Removed only now: the next flush retries logs that could not be added, and reports the failure to its
    // caller.
    recorded.splice(0, batch.length);
    stored += batch.length;
    if (stored < keep * 1.2) return;
    await keepNewestLogs(into, { part: activityPart, count: keep });
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
    count: async (filter = matchAllFilter) => {
      await flush();
      return countLogs(into, filter);
    },
    remove: async (filter) => {
      await flush();
      // In the chain of flushes: a log that is being added is either deleted or kept whole.
      const removed = last.catch(() => undefined).then(() => deleteLogs(into, filter));
      last = removed.then(
        () => undefined,
        () => undefined,
      );
      return removed;
    },
    [Symbol.asyncDispose]: async () => {
      await flush();
      if (!isCase) await into[Symbol.asyncDispose]();
    },
  };
}

const levels: readonly string[] = logLevels;

/** The level and all more severe ones (field notes); none for an unknown level. */
export function levelsFrom(level: string): readonly string[] {
  return levels.slice(0, levels.indexOf(level) + 1);
}
