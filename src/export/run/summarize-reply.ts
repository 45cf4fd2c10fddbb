import { createHash } from 'node:crypto';
import type { Filter } from '../../language/index.ts';
import { match } from '../../language/index.ts';
import type { LogRecord } from '../../records/index.ts';
import { type Log, textFields } from '../../records/index.ts';
import type { ObservedBehaviour } from '../decide/observed-behaviour.ts';
import { observeTimeStep, timeStepOf } from '../decide/observed-behaviour.ts';
import type { ReplySummary } from '../decide/reply-checks.ts';
import { containsTime, type Window } from '../decide/window.ts';

/** Options of a reply summary, with what the case knows before the zip is read. */
export interface ReplySummaryOptions {
  readonly window: Window;
  /** The requested times: those of the window, and of logs that a check expects. */
  readonly asked: Window;
  /** The filter that is applied to the logs here. */
  readonly residual: Filter | undefined;
  /** Number of logs of each key in the case. */
  readonly known: ReadonlyMap<string, number>;
  /** The resolution that the times of earlier replies have shown. */
  readonly resolution?: ObservedBehaviour['times'];
  /** True to collect the fingerprints of all logs. */
  readonly fingerprints: boolean;
  /** True to collect the keys of all logs. */
  readonly keys: boolean;
}

/** Summarises the logs of a zip one by one. `keep` returns whether to store a log in the case. */
export function startReplySummary({
  window,
  asked,
  residual,
  known,
  resolution,
  fingerprints: prints,
  keys,
}: ReplySummaryOptions): {
  readonly keep: (record: LogRecord) => boolean;
  readonly summary: () => ReplySummary;
} {
  const left = new Map(known);
  const times: (number | undefined)[] = [];
  const keptTimes: (number | undefined)[] = [];
  const allPrints: number[] = [];
  const allKeys: string[] = [];
  let found = 0;

  function keep(record: LogRecord): boolean {
    const { time } = record.log;
    times.push(time);
    if (prints) allPrints.push(logFingerprint(record));
    if (time !== undefined && !containsTime(window, time)) return false;
    found += 1;
    if (residual && !match(residual, record.log)) return false;
    if (keys) allKeys.push(logKey(record));
    if (0 < left.size && isKnown(logKey(record))) return false;
    keptTimes.push(time);
    return true;
  }

  /** Each log that the case has takes the place of one that comes, not of all that are equal to it. */
  function isKnown(key: string): boolean {
    const count = left.get(key) ?? 0;
    if (count === 0) return false;
    left.set(key, count - 1);
    return true;
  }

  const summary = (): ReplySummary => {
    const around = reachOf(asked, timeStepOf(observeTimeStep(times, resolution)));
    const outside = times.filter((time) => time !== undefined && !containsTime(around, time)).length;
    return {
      times,
      found,
      stored: keptTimes.length,
      storedTimes: keptTimes,
      outside,
      fingerprints: allPrints,
      keys: allKeys,
    };
  };
  return { keep, summary };
}

/** The possible times of logs of a reply: the request has a margin of a step, and times are rounded by as much. */
function reachOf({ oldest, newest }: Window, step: number): Window {
  const margin = step === 1 ? 1 : 2 * step;
  return { oldest: oldest - margin, newest: newest + margin };
}

const fields: readonly (keyof Log)[] = ['time', 'logCode', 'elapsed', ...textFields];

/** A text that is equal for two logs exactly if all their members are. */
export function logKey({ log, extra }: Pick<LogRecord, 'log' | 'extra'>): string {
  const values = fields.map((field) => textOfLarge(log[field]) ?? null);
  if (!extra) return JSON.stringify(values);
  return JSON.stringify([values, Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** JSON has no `bigint`, and no number is a text. */
function textOfLarge(value: Log[keyof Log]): string | number | undefined {
  return typeof value === 'bigint' ? String(value) : value;
}

/** A fingerprint of a log: 48 bits of its SHA-256. */
export function logFingerprint(record: Pick<LogRecord, 'log' | 'extra'>): number {
  return createHash('sha256').update(logKey(record)).digest().readUIntBE(0, 6);
}
