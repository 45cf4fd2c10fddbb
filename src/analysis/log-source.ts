import type { Filter, FuzzyFilter } from '../meaning/filter.ts';
import { limitedFuzzy, nearestTerms, withExpansions } from '../meaning/relevance/expansion.ts';
import type { Scored } from '../meaning/relevance/scored.ts';
import type { LogField } from '../records/log.ts';
import {
  type Case,
  countBy as countByOfCase,
  countByTime as countByTimeOfCase,
  countLogs as countLogsOfCase,
  expandFuzzy as expandFuzzyOfCases,
  type StoredLog,
  type StreamOptions,
  streamLogs as streamLogsOfCase,
  type TimeCount,
  type TimeSpan,
  timeSpan as timeSpanOfCase,
  type ValueCount,
} from '../store/index.ts';

/** Logs that are not in a case file: what they can be asked, with the answers that a case has. */
export interface LogSource {
  readonly countLogs: (filter: Filter) => Promise<number>;
  readonly streamLogs: (
    filter: Filter,
    options?: StreamOptions,
  ) => AsyncGenerator<StoredLog, void, undefined>;
  readonly countBy: (field: LogField, filter: Filter, limit: number) => Promise<readonly ValueCount[]>;
  readonly countByTime: (filter: Filter, options: CountByTimeOptions) => Promise<readonly TimeCount[]>;
  readonly timeSpan: (filter: Filter) => Promise<TimeSpan>;
  /** Returns the nearest terms of a fuzzy term, at most as many as it may expand to. */
  readonly nearTerms: (fuzzy: FuzzyFilter) => Promise<readonly string[]>;
}

/** A case, or logs elsewhere. */
export type Asked = Case | LogSource;

interface CountByTimeOptions {
  readonly every: number;
  readonly by?: LogField;
}

function isCase(asked: Asked): asked is Case {
  return 'path' in asked;
}

/** Counts the logs that a filter selects. */
export function countLogs(of: Asked, filter: Filter): Promise<number> {
  return isCase(of) ? countLogsOfCase(of, filter) : of.countLogs(filter);
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
  { limit }: { readonly limit: number },
): Promise<readonly ValueCount[]> {
  return isCase(of) ? countByOfCase(of, field, filter, { limit }) : of.countBy(field, filter, limit);
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
export function timeSpan(of: Asked, filter: Filter): Promise<TimeSpan> {
  return isCase(of) ? timeSpanOfCase(of, filter) : of.timeSpan(filter);
}

/** Expands the limited fuzzy terms of a filter to the nearest terms of several sources. */
export async function expandFuzzy(sources: readonly Asked[], scored: Scored): Promise<Scored> {
  const cases = sources.filter(isCase);
  if (cases.length === sources.length) return expandFuzzyOfCases(cases, scored);
  const nearest = new Map<FuzzyFilter, readonly string[]>();
  for (const fuzzy of limitedFuzzy(scored.filter)) {
    const found = await Promise.all(sources.map((each) => nearTerms(each, fuzzy)));
    nearest.set(fuzzy, nearestTerms(fuzzy, found.flat()));
  }
  return withExpansions(scored, nearest);
}

async function nearTerms(of: Asked, fuzzy: FuzzyFilter): Promise<readonly string[]> {
  if (!isCase(of)) return of.nearTerms(fuzzy);
  const { filter } = await expandFuzzyOfCases([of], { filter: fuzzy, boosts: new Map() });
  return filter.kind === 'fuzzy' ? (filter.expansion ?? []) : [];
}
