import {
  type Case,
  type CopyOptions,
  expandFuzzyOf,
  type LogSource,
  type StoredLog,
  type StoredPart,
  type StreamOptions,
  sourceOf,
  type TimeSpan,
} from '../case/index.ts';
import type { Filter, Scored } from '../language/index.ts';

/** An open case, or another source of logs. */
export type AnyLogSource = Case | LogSource;

/** Returns whether the logs are in a case. */
export function isCase(source: AnyLogSource): source is Case {
  return 'path' in source;
}

/** Counts the logs that a filter selects. */
export function countLogs(of: AnyLogSource, filter: Filter): Promise<number> {
  return sourceOf(of).countLogs(filter);
}

/** Streams the logs that a filter selects, by default the oldest first. */
export function streamLogs(
  of: AnyLogSource,
  filter: Filter,
  options?: StreamOptions,
): AsyncGenerator<StoredLog, void, undefined> {
  return sourceOf(of).streamLogs(filter, options);
}

/** Returns the first and last time, and counts the logs with and without one. */
export function timeSpan(of: AnyLogSource, filter: Filter): Promise<TimeSpan> {
  return sourceOf(of).timeSpan(filter);
}

/** Returns the log of an id; undefined if there is none. */
export function readLog(of: AnyLogSource, id: number): Promise<StoredLog | undefined> {
  return sourceOf(of).readLog(id);
}

/** Returns the part of a number; undefined if there is none. */
export function readPart(of: AnyLogSource, part: number): Promise<StoredPart | undefined> {
  return sourceOf(of).readPart(part);
}

/** Returns a case with the selected logs: the case itself, or a temporary copy. */
export function caseWith(of: AnyLogSource, filter: Filter, options?: CopyOptions): Promise<Case> {
  return sourceOf(of).copyLogs(filter, options);
}

/** Expands the limited fuzzy terms of a filter to the nearest terms of several sources. */
export function expandFuzzy(of: readonly AnyLogSource[], scored: Scored): Promise<Scored> {
  return expandFuzzyOf(of.map(sourceOf), scored);
}
