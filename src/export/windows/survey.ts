import type { Filter } from '../../meaning/filter.ts';
import { match } from '../../meaning/match.ts';
import type { LogRecord } from '../../records/record.ts';
import type { Learnt } from './learnt.ts';
import { logKey, logPrint } from './log-key.ts';
import { stepOf, timesShown } from './resolution.ts';
import { holds, type Window } from './window.ts';

/** What the case has to be asked before the zip of a window is read. */
export interface SurveyOptions {
  readonly window: Window;
  /** The times that were asked for: those of the window, and of logs that have to come along. */
  readonly asked: Window;
  /** What logs are filtered by here. */
  readonly residual: Filter | undefined;
  /** How many logs of each key the case has already. */
  readonly known: ReadonlyMap<string, number>;
  /** The resolution that the times of earlier replies have shown. */
  readonly resolution?: Learnt['times'];
  /** Whether the prints of all logs are wanted. */
  readonly prints: boolean;
  /** Whether the keys of all logs are wanted. */
  readonly keys: boolean;
}

/** What was seen of the logs of one zip, in their order. */
export interface Survey {
  /** The times of the logs, seams included; undefined of a log that has none. */
  readonly times: readonly (number | undefined)[];
  /** The logs whose times are in the window, and those that have none. */
  readonly found: number;
  /** The logs that are to be in the case. */
  readonly kept: number;
  /** The times of those, in the order in which they came. */
  readonly keptTimes: readonly (number | undefined)[];
  /** The logs whose times are neither in the window nor next to it, as far as times are told apart. */
  readonly outside: number;
  /** Where prints were wanted: one for each time. */
  readonly prints: readonly number[];
  /** Where keys were wanted: one for each log that fits, those that the case has among them. */
  readonly keys: readonly string[];
}

/** Looks at the logs of a zip one after the other, and says which of them are to be in the case. */
export function openSurvey({ window, asked, residual, known, resolution, prints, keys }: SurveyOptions): {
  readonly keep: (record: LogRecord) => boolean;
  readonly survey: () => Survey;
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
    if (prints) allPrints.push(logPrint(record));
    if (time !== undefined && !holds(window, time)) return false;
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

  const survey = (): Survey => {
    const around = reachOf(asked, stepOf(timesShown(times, resolution)));
    const outside = times.filter((time) => time !== undefined && !holds(around, time)).length;
    return { times, found, kept: keptTimes.length, keptTimes, outside, prints: allPrints, keys: allKeys };
  };
  return { keep, survey };
}

/** The times that logs of a reply can have: a step more is asked for, and a time is rounded by as much. */
function reachOf({ oldest, newest }: Window, step: number): Window {
  const margin = step === 1 ? 1 : 2 * step;
  return { oldest: oldest - margin, newest: newest + margin };
}

/** How often each key occurs. */
export function countKeys(keys: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
