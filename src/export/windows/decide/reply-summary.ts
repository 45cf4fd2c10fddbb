/** Summary of the logs of one zip, in their order. */
export interface ReplySummary {
  /** Times of all logs, including those beside the window; undefined for a log without one. */
  readonly times: readonly (number | undefined)[];
  /** Number of logs inside the window, or without a time. */
  readonly found: number;
  /** Number of logs to store in the case. */
  readonly stored: number;
  /** Times of the logs to store, in their order. */
  readonly storedTimes: readonly (number | undefined)[];
  /** Number of logs neither in the window nor next to it, at the resolution of the times. */
  readonly outside: number;
  /** One fingerprint per time, if requested. */
  readonly fingerprints: readonly number[];
  /** One key per matching log, if requested, including logs that the case already has. */
  readonly keys: readonly string[];
}

/** Number of common logs, and of different ones, that prove an overlap: fewer could match by chance. */
const proof = { logs: 8, different: 4 } as const;

/**
 * Returns whether two replies in opposite orders overlap, so that no log lies
 * between them: each ends with the same logs, mirrored, and they share no
 * others. Logs are given by their keys.
 */
export function repliesOverlap(descending: readonly string[], ascending: readonly string[]): boolean {
  const common = inCommon(descending, ascending);
  if (common < proof.logs) return false;
  const end = descending.slice(-common);
  if (new Set(end).size < proof.different) return false;
  return end.every((key, index) => ascending[ascending.length - 1 - index] === key);
}

/** Counts the logs that two replies have in common; equal ones count as often as both have them. */
function inCommon(some: readonly string[], others: readonly string[]): number {
  const left = new Map(countKeys(others));
  let count = 0;
  for (const key of some) {
    const held = left.get(key) ?? 0;
    if (held === 0) continue;
    left.set(key, held - 1);
    count += 1;
  }
  return count;
}

/** Counts how often each key occurs. */
export function countKeys(keys: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
