import {
  addLogs,
  type Case,
  countLogs,
  deleteLogs,
  findBest,
  findLogs,
  keepNewestLogs,
  openCase,
  readLog,
  type StoredLog,
  streamLogs,
} from '../case/index.ts';
import { boolFilter, type Filter, logLevels, matchAllFilter, type Scored } from '../language/index.ts';
import type { Log } from '../records/index.ts';
import type { SearchEngine } from './search-engine.ts';

/** The logs of a deployment: its initial ones and those of its own activity. */
export interface LogStore extends AsyncDisposable {
  /** Adds a log. Every later `find` sees it. */
  readonly record: (log: Log) => void;
  /** The selected logs in their order. Rejects with a `SearchRefused` if a search server refuses the query. */
  readonly find: (selection: LogSelection, options: LogFindOptions) => Promise<readonly Log[]>;
  /** Number of selected logs; without a selection, of all. Rejects as `find` does. */
  readonly count: (selection?: LogSelection) => Promise<number>;
  /** Deletes the logs that a filter selects, and returns their number. Undefined: a case in a file keeps all. */
  readonly remove: (filter: Filter) => Promise<number | undefined>;
}

/** Logs that a filter and a query select. */
export interface LogSelection {
  readonly filter: Filter;
  readonly search?: Search | undefined;
}

/** A query as it was sent and as it is read here. */
export interface Search {
  readonly text: string;
  readonly scored: Scored;
}

/** Number and order of the selected logs. */
export interface LogFindOptions {
  readonly limit: number;
  /** `best`: the most relevant for the query first; of equally relevant ones, or without a query, the newest. */
  readonly order: 'newest' | 'oldest' | 'best';
}

/** Most logs of the own activity that wait for the next flush. */
const batchSize = 1000;

/**
 * Most stored logs of the own activity; real deployments delete by age (field notes). The oldest fifth is
 * deleted at a time. A case in a file keeps all of them.
 */
const mostRecorded = 50_000;

const activityPart = 'activity';

/**
 * Stores logs in a new case in memory, or in a given case, which stays open when this is closed. Queries are answered here,
 * or by a search server, which gets all logs then.
 */
export async function openLogStore(
  logs: Iterable<Log> | Case,
  {
    keep = mostRecorded,
    engine,
  }: { readonly keep?: number; readonly engine?: SearchEngine | undefined } = {},
): Promise<LogStore> {
  const isCase = 'access' in logs;
  const into = isCase ? logs : await openCase(':memory:', { access: 'write' });
  if (!isCase) await addLogs(into, [...logs], { part: 'logs' });
  // The last id that the search server has, and the number of logs that it lacks.
  let [lastIndexed, waiting] = [0, 0];
  if (engine)
    await indexAll(engine).catch(async (error: unknown) => {
      if (!isCase) await into[Symbol.asyncDispose]();
      throw error;
    });

  const recorded: Log[] = [];
  let stored = 0;
  let last: Promise<void> = Promise.resolve();
  let indexing: Promise<void> = Promise.resolve();
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
    waiting += batch.length;
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
    find: async (selection, options) => {
      await flush();
      return (await find(selection, options)).map(({ log }) => log);
    },
    count: async (selection = { filter: matchAllFilter }) => {
      await flush();
      if (engine && selection.search)
        return (await find(selection, { limit: Number.POSITIVE_INFINITY, order: 'newest' })).length;
      return countLogs(into, joined(selection));
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

  /** Sends all logs to the search server: one that it has is replaced by itself. Those that were deleted are not asked for. */
  async function indexAll(engine: SearchEngine): Promise<void> {
    let batch: StoredLog[] = [];
    let newest = 0;
    for await (const log of streamLogs(into, matchAllFilter)) {
      newest = Math.max(newest, log.id);
      batch.push(log);
      if (batch.length < batchSize) continue;
      await engine.add(batch);
      batch = [];
    }
    await engine.add(batch);
    lastIndexed = newest;
    waiting = 0;
  }

  /** Sends the logs that came since, whose ids are the next ones unless others were deleted. */
  async function indexNew(engine: SearchEngine): Promise<void> {
    const [count, next]: [number, StoredLog[]] = [waiting, []];
    for (let id = lastIndexed + 1; id <= lastIndexed + count; id += 1) {
      const log = await readLog(into, id);
      if (!log) return await indexAll(engine);
      next.push(log);
    }
    await engine.add(next);
    // Only now: a server that was away gets them with the next search.
    lastIndexed += count;
    waiting -= count;
  }

  async function find(
    selection: LogSelection,
    { limit, order }: LogFindOptions,
  ): Promise<readonly StoredLog[]> {
    const { filter, search } = selection;
    const timeOrder = order === 'best' ? 'newest' : order;
    if (engine && search) {
      indexing = indexing.catch(() => undefined).then(() => indexNew(engine));
      await indexing;
      const scores = await engine.search(search.text);
      const all = await findLogs(into, filter, { limit: Number.POSITIVE_INFINITY, order: timeOrder });
      const found = all.filter(({ id }) => scores.has(id));
      const scoreOf = ({ id }: StoredLog) => scores.get(id) ?? 0;
      const ranked = order === 'best' ? found.sort((a, b) => scoreOf(b) - scoreOf(a)) : found;
      return ranked.slice(0, limit);
    }
    if (search && order === 'best')
      return await findBest(into, search.scored, { filter: joined(selection), limit });
    return await findLogs(into, joined(selection), { limit, order: timeOrder });
  }
}

/** The filter for the logs that match both the filter and the query of a selection, as it is read here. */
function joined({ filter, search }: LogSelection): Filter {
  return search ? boolFilter({ must: [search.scored.filter, filter] }) : filter;
}

const levels: readonly string[] = logLevels;

/** The level and all more severe ones (field notes); none for an unknown level. */
export function levelsFrom(level: string): readonly string[] {
  return levels.slice(0, levels.indexOf(level) + 1);
}
