import {
  type Filter,
  type FuzzyFilter,
  limitedFuzzy,
  matchAllFilter,
  nearestTerms,
  type Scored,
  type Statistics,
  withExpansions,
} from '../language/index.ts';
import type { LogCursor, LogField, LogOrder } from '../records/index.ts';
import { type CaseSummary, summary } from './contents/summary.ts';
import type { Case } from './file/case.ts';
import type { StoredPart } from './file/parts.ts';
import { type BestOptions, relevanceStatistics, type ScoredLog } from './searching/best-logs.ts';
import {
  countByTime,
  countEach,
  countSevereBy,
  type SevereValue,
  type TimeCount,
  type TimeSpan,
  timeSpan,
} from './searching/count-logs.ts';
import {
  countBy,
  countLogs,
  logCursors,
  type StreamOptions,
  streamLogs,
  type ValueCount,
} from './searching/find-logs.ts';
import { type ContextOptions, type LogInContext, streamContext } from './searching/logs-in-context.ts';
import { expandFuzzy as expandFuzzyOfCases } from './searching/search.ts';
import { readLog, type StoredLog } from './searching/stored-log.ts';
import { streamNumberLists } from './searching/stream-groups.ts';
import { isOutside } from './searching/time-bounds.ts';
import { runSqlInChild, type SqlPiece } from './sql/sql-in-child.ts';

/** Logs that can be asked: those of a case, or of a cluster. All answer alike. */
export interface LogSource {
  /** The case, if the logs are in one. */
  readonly case?: Case;
  readonly countLogs: (filter: Filter, options?: Interruptible) => Promise<number>;
  /** Streams logs in an order of their times, by default the oldest first. Ending it early ends the search. */
  readonly streamLogs: (
    filter: Filter,
    options?: StreamOptions,
  ) => AsyncGenerator<StoredLog, void, undefined>;
  /** Streams the selected logs, each with its neighbours in time among all logs. */
  readonly streamContext: (
    filter: Filter,
    options: ContextOptions,
  ) => AsyncGenerator<LogInContext, void, undefined>;
  /** Counts the logs that each filter selects, in one block of logs in this number of blocks. */
  readonly countEach: (filters: readonly Filter[], oneIn: number) => Promise<readonly number[]>;
  /** Counts the values of a field, the most frequent first. */
  readonly countBy: (
    field: LogField,
    filter: Filter,
    options: Interruptible & { readonly limit: number },
  ) => Promise<readonly ValueCount[]>;
  /** Counts logs by intervals of `every` milliseconds, in the order of time. */
  readonly countByTime: (filter: Filter, options: CountByTimeOptions) => Promise<readonly TimeCount[]>;
  /** Returns the first and last time, and counts the logs with and without one. */
  readonly timeSpan: (filter: Filter, options?: Interruptible) => Promise<TimeSpan>;
  /** Returns the times of the selected logs in any order; equal ones may come once. */
  readonly times: (filter: Filter, options?: Interruptible) => Promise<readonly number[]>;
  /** Returns the nearest terms of a fuzzy term, at most as many as it may expand to. */
  readonly nearTerms: (fuzzy: FuzzyFilter) => Promise<readonly string[]>;
  readonly readLog: (id: number) => Promise<StoredLog | undefined>;
  readonly readPart: (part: number) => Promise<StoredPart | undefined>;
  /** Returns the statistics of all logs on which the relevance for a filter depends. */
  readonly relevanceStatistics: (filter: Filter) => Promise<Statistics>;
  /**
   * Finds the most relevant logs in the order of `streamBest`, without a copy; undefined if that takes one. Absent for a case.
   */
  readonly findBest?: (
    scored: Scored,
    options: Omit<BestOptions, 'filter' | 'offset'> & { readonly statistics: Statistics },
  ) => Promise<readonly ScoredLog[] | undefined>;
  /** Counts the values of a field in all logs, with the first and last severe log of each, the most severe first. */
  readonly countSevereBy: (
    field: LogField,
    options: { readonly limit: number },
  ) => Promise<readonly SevereValue[]>;
  readonly contents: () => Promise<Contents>;
  /** Returns the position of each `every`-th selected log. Absent for a cluster, which would number all. */
  readonly logCursors?: (filter: Filter, options: CursorOptions) => Promise<readonly LogCursor[]>;
  /** Estimates how many logs a server reads for a search; 0 for a case, which has none. */
  readonly logsToRead: (filter: Filter) => Promise<number>;
  /** Runs one SELECT of a user, at most as many rows, in the SQL of the source. */
  readonly runSql: (
    sql: string,
    options: Interruptible & { readonly limit: number; readonly timeout?: number },
  ) => AsyncGenerator<SqlPiece, void, undefined>;
  /** Returns the intervals that exports requested, for each case that the logs came from. Absent for a case, whose exports say it. */
  readonly coverage?: () => Promise<readonly SourceCoverage[]>;
  /**
   * Returns a case with the selected logs, for questions that only a case answers: the case itself, or a temporary
   * copy, with their ids, which the source closes. Rejects if they are too many.
   */
  readonly copyLogs: (filter: Filter, options?: CopyOptions) => Promise<Case>;
  /** Returns the same logs, whose questions a signal ends. */
  readonly until: (signal: AbortSignal) => LogSource;
}

/** Ends a question. */
interface Interruptible {
  readonly signal?: AbortSignal | undefined;
}

interface CountByTimeOptions extends Interruptible {
  readonly every: number;
  readonly by?: LogField;
}

interface CursorOptions extends Interruptible {
  readonly order: LogOrder;
  readonly every: number;
}

/** Parts of a source, its unreadable records, and the first and last time of its logs. */
export type Contents = Pick<CaseSummary, 'parts' | 'unreadable' | 'first' | 'last'>;

/** Intervals that exports requested with the same filters. Times are milliseconds since the epoch. */
export interface SourceCoverage {
  /** Address of the administrative interface. */
  readonly deployment: string;
  readonly filters: Readonly<Record<string, string>>;
  /** Numbers of the exports in their case. */
  readonly exports: readonly number[];
  readonly covered: readonly {
    readonly oldest: number;
    readonly newest: number;
    readonly state: 'complete' | 'capped' | 'open';
  }[];
  /** What nothing proves of these exports, although no log is known to be missing. */
  readonly doubts: readonly UnprovedOfExport[];
}

/** A doubt about an export, by its number and its stable code. The message is one sentence. */
export interface UnprovedOfExport {
  readonly export: number;
  readonly code: string;
  readonly message: string;
}

/** Selection of the logs to copy. */
export interface CopyOptions extends StreamOptions {
  /** Also copies all parts and unreadable records. */
  readonly contents?: 'whole';
}

/** Returns the source of logs that an open case is; a source as it is. */
export function sourceOf(logs: Case | LogSource): LogSource {
  return 'path' in logs ? caseSource(logs) : logs;
}

/** Returns an open case as a source of logs. */
function caseSource(from: Case, until?: AbortSignal): LogSource {
  const ending = ({ signal }: Interruptible = {}) => {
    const end = signal && until ? AbortSignal.any([signal, until]) : (signal ?? until);
    return end ? { signal: end } : {};
  };
  // A case whose times are known is not opened for a filter that demands others.
  const isNone = (filter: Filter) => isOutside(from, filter);
  return {
    case: from,
    countLogs: async (filter, options) => (isNone(filter) ? 0 : countLogs(from, filter, ending(options))),
    streamLogs: (filter, options) =>
      isNone(filter) ? noLogs() : streamLogs(from, filter, { ...options, ...ending(options) }),
    streamContext: (filter, options) =>
      isNone(filter) ? noLogs() : streamContext(from, filter, { ...options, ...ending(options) }),
    countEach: async (filters, oneIn) => {
      const counts = await countEach(from, filters, { among: matchAllFilter, oneIn, ...ending() });
      return counts.map(({ count }) => count);
    },
    countBy: async (field, filter, options) =>
      isNone(filter) ? [] : countBy(from, field, filter, { ...options, ...ending(options) }),
    countByTime: async (filter, options) =>
      isNone(filter) ? [] : countByTime(from, filter, { ...options, ...ending(options) }),
    timeSpan: async (filter, options) =>
      isNone(filter) ? { count: 0, timeless: 0 } : timeSpan(from, filter, ending(options)),
    times: async (filter, options) => {
      const times: number[] = [];
      if (isNone(filter)) return times;
      const lists = streamNumberLists(from, filter, { keys: [], numbers: ['time'], ...ending(options) });
      for await (const { numbers } of lists)
        for (const time of numbers[0] ?? []) if (!Number.isNaN(time)) times.push(time);
      return times;
    },
    nearTerms: async (fuzzy) => {
      const { filter } = await expandFuzzyOfCases([from], { filter: fuzzy, boosts: new Map() });
      return filter.kind === 'fuzzy' ? (filter.expansion ?? []) : [];
    },
    readLog: (id) => readLog(from, id),
    readPart: async (part) => (await summary(from)).parts.find((storedPart) => storedPart.part === part),
    relevanceStatistics: (filter) => relevanceStatistics(from, filter),
    countSevereBy: (field, options) => countSevereBy(from, field, options),
    contents: () => summary(from),
    logCursors: async (filter, options) =>
      isNone(filter) ? [] : logCursors(from, filter, { ...options, ...ending(options) }),
    logsToRead: async () => 0,
    runSql: (sql, { limit, timeout, signal }) =>
      runSqlInChild(from.path, sql, { limit, timeout, ...ending({ signal }) }),
    copyLogs: async () => from,
    until: (signal) => caseSource(from, ending({ signal }).signal),
  };
}

async function* noLogs(): AsyncGenerator<never, void, undefined> {}

/** Expands the limited fuzzy terms of a filter to the nearest terms of several sources. */
export async function expandFuzzyOf(sources: readonly LogSource[], scored: Scored): Promise<Scored> {
  const cases = sources.flatMap((source) => source.case ?? []);
  // Those of a case are found in one state of it.
  if (cases.length === sources.length) return await expandFuzzyOfCases(cases, scored);
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const fuzzy of limitedFuzzy(scored.filter)) {
    const found = await Promise.all(sources.map((source) => source.nearTerms(fuzzy)));
    nearest.set(fuzzy, nearestTerms(fuzzy, found.flat()));
  }
  return withExpansions(scored, nearest);
}
