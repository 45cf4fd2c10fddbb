/** Order of logs by time, then by id. Logs without a time come last in both orders. */
export type LogOrder = 'newest' | 'oldest';

/** A position in the order of logs, given by time and id. A log there is not necessary. */
export interface LogCursor {
  /** Milliseconds since the epoch; absent for a log without a time. */
  readonly time?: number;
  readonly id: number;
}

/** Compares two cursors; negative if the first comes first. */
export function compareCursors(first: LogCursor, second: LogCursor, order: LogOrder): number {
  if (first.time === undefined || second.time === undefined) {
    if (first.time !== undefined) return -1;
    if (second.time !== undefined) return 1;
    return order === 'newest' ? second.id - first.id : first.id - second.id;
  }
  const byTime = first.time - second.time || first.id - second.id;
  return order === 'newest' ? -byTime : byTime;
}
