import {
  type Case,
  type CaseSummary,
  countBy as countByOfCase,
  countByTime as countByTimeOfCase,
  countEach as countEachOfCase,
  countLogs as countLogsOfCase,
  countSevereBy as countSevereByOfCase,
  expandFuzzy as expandFuzzyOfCase,
  logCursors as logCursorsOfCase,
  readLog as readLogOfCase,
  type SevereValue,
  type SqlPiece,
  type StoredLog,
  type StoredPart,
  type StreamOptions,
  relevanceStatistics as statisticsOfCase,
  streamLogs as streamLogsOfCase,
  summary,
  type TimeCount,
  type TimeSpan,
  timeSpan as timeSpanOfCase,
  type ValueCount,
} from '../case/index.ts';
import type { Scored, Statistics } from '../language/index.ts';
import {
  type Filter,
  type FuzzyFilter,
  limitedFuzzy,
  matchAllFilter,
  nearestTerms,
  withExpansions,
} from '../language/index.ts';
import type { LogCursor, LogField, LogOrder } from '../records/index.ts';
import type { RequestedInterval } from './coverage.ts';

/** Logs that are not in a case file: what they can be asked, with the answers that a case has. */
export interface LogSource {
  readonly countLogs: (filter: Filter) => Promise<number>;
  readonly streamLogs: (
    filter: Filter,
    options?: StreamOptions,
  ) => AsyncGenerator<StoredLog, void, undefined>;
  /** Counts the logs that each filter selects, in one block of logs in this number of blocks. */
  readonly countEach: (filters: readonly Filter[], oneIn: number) => Promise<readonly number[]>;
  readonly countBy: (field: LogField, filter: Filter, limit: number) => Promise<readonly ValueCount[]>;
  readonly countByTime: (filter: Filter, options: CountByTimeOptions) => Promise<readonly TimeCount[]>;
  readonly timeSpan: (filter: Filter) => Promise<TimeSpan>;
  /** Returns the nearest terms of a fuzzy term, at most as many as it may expand to. */
  readonly nearTerms: (fuzzy: FuzzyFilter) => Promise<readonly string[]>;
  /** Counts all logs up to a cursor, this one too, the oldest first; only those after another one if given. */
  readonly countUpTo: (to: LogCursor, after?: LogCursor) => Promise<number>;
  readonly readLog: (id: number) => Promise<StoredLog | undefined>;
  /** Returns the statistics of all logs on which the relevance for a filter depends. */
  readonly relevanceStatistics: (filter: Filter) => Promise<Statistics>;
  /** Counts the values of a field in all logs, with the first and last severe log of each, the most severe first. */
  readonly countSevereBy: (field: LogField, limit: number) => Promise<readonly SevereValue[]>;
  readonly contents: () => Promise<Contents>;
  /** Returns the position of each `every`-th selected log. */
  readonly logCursors: (filter: Filter, options: CursorOptions) => Promise<readonly LogCursor[]>;
  /** Returns the same logs, whose questions a signal ends. */
  readonly until: (signal: AbortSignal) => LogSource;
  /** Estimates how many logs a search reads, before it begins. */
  readonly logsToRead: (filter: Filter) => Promise<number>;
  /** Runs one SELECT of a user, at most as many rows, in the SQL of the source. */
  readonly runSql: (sql: string, limit: number) => AsyncGenerator<SqlPiece, void, undefined>;
  readonly readPart: (part: number) => Promise<StoredPart | undefined>;
  /** Returns the intervals that exports requested, for each case that the logs came from. */
  readonly coverage: () => Promise<readonly SourceCoverage[]>;
  /**
   * Copies the selected logs with their ids into a temporary case, which the source closes: for questions that
   * only a case answers. Rejects if they are too many.
   */
  readonly copyLogs: (filter: Filter, options?: CopyOptions) => Promise<Case>;
}

/** Parts of a source, its unreadable records, and the first and last time of its logs. */
export type Contents = Pick<CaseSummary, 'parts' | 'unreadable' | 'first' | 'last'>;

/** Intervals that exports requested with the same filters. */
interface SourceCoverage {
  readonly deployment: string;
  readonly filters: Readonly<Record<string, string>>;
  /** Numbers of the exports in their case. */
  readonly exports: readonly number[];
  readonly covered: readonly RequestedInterval[];
}

interface CursorOptions extends Interruptible {
  readonly order: LogOrder;
  readonly every: number;
}

/** Selection of the logs to copy. */
export interface CopyOptions extends StreamOptions {
  /** Also copies all parts and unreadable records. */
  readonly contents?: 'whole';
}

/** A case, or logs elsewhere. */
export type Asked = Case | LogSource;

interface CountByTimeOptions {
  readonly every: number;
  readonly by?: LogField;
  /** Interrupts the statement. */
  readonly signal?: AbortSignal | undefined;
}

/** Interrupts the statement of a case. */
interface Interruptible {
  readonly signal?: AbortSignal | undefined;
}

/** Returns whether the logs are in a case. */
export function isCase(asked: Asked): asked is Case {
  return 'path' in asked;
}

/** Counts the logs that a filter selects. */
export function countLogs(of: Asked, filter: Filter, options: Interruptible = {}): Promise<number> {
  return isCase(of) ? countLogsOfCase(of, filter, options) : of.countLogs(filter);
}

/** Counts the logs that each filter selects, in one block of logs in this number of blocks. */
export async function countEach(
  of: Asked,
  filters: readonly Filter[],
  oneIn: number,
): Promise<readonly number[]> {
  if (!isCase(of)) return await of.countEach(filters, oneIn);
  const counts = await countEachOfCase(of, filters, { among: matchAllFilter, oneIn });
  return counts.map(({ count }) => count);
}

/** Streams the logs that a filter selects, by default the oldest first. */
export function streamLogs(
  of: Asked,
  filter: Filter,
  options?: StreamOptions,
): AsyncGenerator<StoredLog, void, undefined> {
  return isCase(of) ? streamLogsOfCase(of, filter, options) : of.streamLogs(filter, options);
}

/** Counts the values of a field, the most frequent first. */
export function countBy(
  of: Asked,
  field: LogField,
  filter: Filter,
  { limit, signal }: Interruptible & { readonly limit: number },
): Promise<readonly ValueCount[]> {
  return isCase(of) ? countByOfCase(of, field, filter, { limit, signal }) : of.countBy(field, filter, limit);
}

/** Counts logs by intervals, in the order of time. */
export function countByTime(
  of: Asked,
  filter: Filter,
  options: CountByTimeOptions,
): Promise<readonly TimeCount[]> {
  return isCase(of) ? countByTimeOfCase(of, filter, options) : of.countByTime(filter, options);
}

/** Returns the first and last time, and counts the logs with and without one. */
export function timeSpan(of: Asked, filter: Filter, options: Interruptible = {}): Promise<TimeSpan> {
  return isCase(of) ? timeSpanOfCase(of, filter, options) : of.timeSpan(filter);
}

/** Returns the log of an id; undefined if there is none. */
export function readLog(of: Asked, id: number): Promise<StoredLog | undefined> {
  return isCase(of) ? readLogOfCase(of, id) : of.readLog(id);
}

/** Returns the part of a number; undefined if there is none. */
export async function readPart(of: Asked, part: number): Promise<StoredPart | undefined> {
  return isCase(of) ? (await summary(of)).parts.find((each) => each.part === part) : of.readPart(part);
}

/** Returns the parts of a source, its unreadable records, and the first and last time of its logs. */
export function contentsOf(of: Asked): Promise<Contents> {
  return isCase(of) ? summary(of) : of.contents();
}

/** Counts the values of a field in all logs, with the first and last severe log of each. */
export function countSevereBy(
  of: Asked,
  field: LogField,
  options: { readonly limit: number },
): Promise<readonly SevereValue[]> {
  return isCase(of) ? countSevereByOfCase(of, field, options) : of.countSevereBy(field, options.limit);
}

/** Returns the position of each `every`-th log that a filter selects, in order. */
export function logCursors(of: Asked, filter: Filter, options: CursorOptions): Promise<readonly LogCursor[]> {
  return isCase(of) ? logCursorsOfCase(of, filter, options) : of.logCursors(filter, options);
}

/** Computes the statistics of all logs on which the relevance for a filter depends. */
export function relevanceStatistics(of: Asked, filter: Filter): Promise<Statistics> {
  return isCase(of) ? statisticsOfCase(of, filter) : of.relevanceStatistics(filter);
}

/** Returns a case with the selected logs: the case itself, or a temporary copy. */
export async function caseWith(of: Asked, filter: Filter, options: CopyOptions = {}): Promise<Case> {
  return isCase(of) ? of : of.copyLogs(filter, options);
}

/** Expands the limited fuzzy terms of a filter to the nearest terms of several sources. */
export async function expandFuzzy(sources: readonly Asked[], scored: Scored): Promise<Scored> {
  const cases = sources.filter(isCase);
  if (cases.length === sources.length) return expandFuzzyOfCase(cases, scored);
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const fuzzy of limitedFuzzy(scored.filter)) {
    const found = await Promise.all(sources.map((each) => nearTerms(each, fuzzy)));
    nearest.set(fuzzy, nearestTerms(fuzzy, found.flat()));
  }
  return withExpansions(scored, nearest);
}

async function nearTerms(of: Asked, fuzzy: FuzzyFilter): Promise<readonly string[]> {
  if (!isCase(of)) return of.nearTerms(fuzzy);
  const { filter } = await expandFuzzyOfCase([of], { filter: fuzzy, boosts: new Map() });
  return filter.kind === 'fuzzy' ? (filter.expansion ?? []) : [];
}
