import * as v from 'valibot';
import { containsTime, type Window } from './window.ts';

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

const check = v.object({
  oldest: v.number(),
  newest: v.number(),
  count: v.number(),
  /** Sum of the fingerprints of the logs, modulo 2^48: independent of their order. */
  print: v.optional(v.number(), 0),
  /** `exact`: exactly these logs, which proves an order. `least`: at least as many, or logs were lost. */
  kind: v.optional(v.picklist(['exact', 'least']), 'exact'),
  /**
   * Records of the reply that showed them: more logs in these times prove that it
   * was truncated at that size.
   */
  records: v.optional(v.number()),
  /** Of an exact check: the times whose logs the reply that showed it lacked, if it was truncated. */
  lacked: v.optional(v.object({ oldest: v.number(), newest: v.number() })),
});

const checks = v.union([
  v.array(check),
  v.pipe(
    check,
    v.transform((one) => [one]),
  ),
]);

/** Logs of an interval as one reply showed them, for another reply to confirm. */
export type ExpectedLogs = v.InferOutput<typeof check>;

const modulus = 2 ** 48;

/** Reads the checks of a window from their stored form. */
export function readExpected(text: string | undefined): readonly ExpectedLogs[] {
  return text === undefined ? [] : v.parse(checks, JSON.parse(text));
}

/** Writes checks in their stored form; undefined for none. */
export function writeExpected(expected: readonly ExpectedLogs[]): string | undefined {
  return expected.length === 0 ? undefined : JSON.stringify(expected);
}

/** An exact check of the logs that a reply shows in an interval. */
export function exactCheck(
  { times, fingerprints: prints }: ReplySummary,
  { oldest, newest }: Window,
): ExpectedLogs {
  let [count, print] = [0, 0];
  for (const [index, time] of times.entries()) {
    if (time === undefined || !containsTime({ oldest, newest }, time)) continue;
    count += 1;
    print = (print + (prints[index] ?? 0)) % modulus;
  }
  return { oldest, newest, count, print, kind: 'exact' };
}

/**
 * An exact check that an interval holds no logs. A reply that returns some
 * proves nothing about the order.
 */
export function noLogsCheck(oldest: number, newest: number): ExpectedLogs {
  return { oldest, newest, count: 0, print: 0, kind: 'exact' };
}

/** Maximum number of checks for seen logs, so that a window can be cut between them. */
const mostChecks = 8;

/** Lower bounds for an interval, from a reply of `records`: as many logs must come again. */
export function lowerBoundChecks(
  { times }: ReplySummary,
  { oldest, newest }: Window,
  records: number,
): readonly ExpectedLogs[] {
  const own = times
    .filter((time) => time !== undefined)
    .filter((time) => containsTime({ oldest, newest }, time))
    .sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(own.length / mostChecks));
  const starts = own.filter((time, index) => index % step === 0 && oldest < time);
  const edges = [oldest, ...new Set(starts)];
  return edges.map((from, index) => {
    const to = (edges[index + 1] ?? newest + 1) - 1;
    const count = own.filter((time) => from <= time && time <= to).length;
    return { oldest: from, newest: to, count, print: 0, kind: 'least', records };
  });
}

/** A lower bound of one log at a known time: a reply without it does not answer the request. */
export function controlCheck(time: number): ExpectedLogs {
  return { oldest: time, newest: time, count: 1, print: 0, kind: 'least' };
}

/** Returns whether a reply confirms all exact checks; undefined where both are empty. */
export function confirmsExactChecks(
  summary: ReplySummary,
  expected: readonly ExpectedLogs[],
): boolean | undefined {
  const results = expected
    .filter(({ kind }) => kind === 'exact')
    .map((expectation) => {
      const shown = exactCheck(summary, expectation);
      if (expectation.count === 0 && shown.count === 0) return undefined;
      return shown.count === expectation.count && shown.print === expectation.print;
    });
  return results.includes(false) ? false : results.find((result) => result !== undefined);
}

/** Counts logs of earlier replies that this one lacks. */
export function countMissing(summary: ReplySummary, expected: readonly ExpectedLogs[]): number {
  const lackOf = (expectation: ExpectedLogs) =>
    Math.max(0, expectation.count - exactCheck(summary, expectation).count);
  const min = expected
    .filter(({ kind }) => kind === 'least')
    .reduce((sum, expectation) => sum + lackOf(expectation), 0);
  // Lower bounds may cover the times of an exact check as well.
  return Math.max(min, ...expected.filter(({ kind }) => kind === 'exact').map(lackOf));
}

/** Share of a reply that must be new to prove a truncation: fewer logs may have arrived late. */
const lateShare = 0.01;

/** The size at which an earlier reply was truncated, if this reply shows more logs of its times. */
export function detectCap(summary: ReplySummary, expected: readonly ExpectedLogs[]): number | undefined {
  const lowerBounds = expected.filter(({ kind, records }) => kind === 'least' && records !== undefined);
  for (const records of new Set(lowerBounds.map((expectation) => expectation.records ?? 0))) {
    const own = lowerBounds.filter((expectation) => expectation.records === records);
    const more = own.reduce(
      (sum, expectation) => sum + exactCheck(summary, expectation).count - expectation.count,
      0,
    );
    if (records * lateShare < more) return records;
  }
  return undefined;
}

/** The interval to request so that all checks of a window can be made. */
export function requestedTimes({ oldest, newest }: Window, expected: readonly ExpectedLogs[]): Window {
  return {
    oldest: Math.min(oldest, ...expected.map((expectation) => expectation.oldest)),
    newest: Math.max(newest, ...expected.map((expectation) => expectation.newest)),
  };
}

/**
 * Restricts checks to a window. Of a check that reaches beyond it, only a lower
 * bound of zero remains valid.
 */
export function clipChecks(
  { oldest, newest }: Window,
  expected: readonly ExpectedLogs[],
): readonly ExpectedLogs[] {
  return expected.flatMap((expectation) => {
    if (expectation.newest < oldest || newest < expectation.oldest) return [];
    if (oldest <= expectation.oldest && expectation.newest <= newest) return [expectation];
    if (expectation.kind === 'exact' || 0 < expectation.count) return [];
    return [
      {
        ...expectation,
        oldest: Math.max(oldest, expectation.oldest),
        newest: Math.min(newest, expectation.newest),
      },
    ];
  });
}
