import type { Log } from '../../records/index.ts';
import type { Moment } from './moment.ts';
import { incidentDuration, loadAt } from './rhythm.ts';
import type { ScriptedLog } from './story.ts';
import { heartbeatVisit } from './visits.ts';

/** Ordinary traffic around the logs of a story. */
export interface Traffic extends Omit<Moment, 'time'> {
  /** Number of all logs, those of the story included. */
  readonly count: number;
  /** Begin and end of the logs, milliseconds since the epoch. */
  readonly begin: number;
  readonly until: number;
  readonly story: readonly ScriptedLog[];
  /** Makes the logs of one random event. */
  readonly visit: (moment: Moment) => Log[];
}

/** Yields exactly `count` logs in order of time: those of the story, and traffic with the rhythm of a day. */
export function* trafficLogs(traffic: Traffic): Generator<Log, void, undefined> {
  const { count, begin, until, story, random, pressureAt, visit } = traffic;
  let waiting = story.map((scripted) => toTimedLog(scripted, begin));
  let planned = story.length;
  for (const { offset, done } of slots()) {
    const due = story.length + Math.round((count - story.length) * done);
    while (planned < due) {
      const moment = { random, pressureAt, time: begin + offset + random.integer(0, slotLength - 1) };
      const logs = visit(moment);
      // Logs beyond the number or the time are replaced by a health check, which leaves one log.
      const fits = planned + logs.length <= count && logs.every((log) => (log.time ?? 0) <= until);
      const added = fits ? logs : heartbeatVisit(moment);
      waiting.push(...added);
      planned += added.length;
    }
    const ripe = waiting.filter((log) => (log.time ?? 0) < begin + offset + slotLength);
    waiting = waiting.filter((log) => (log.time ?? 0) >= begin + offset + slotLength);
    yield* ripe.sort(byTime);
  }
  yield* waiting.sort(byTime);
}

/** The story is made in steps of five minutes, so that memory does not grow with the number of logs. */
const slotLength = 5 * 60_000;

/**
 * The steps: `offset` in milliseconds after the beginning, and the share of the traffic that is over at the
 * end.
 */
function slots(): { readonly offset: number; readonly done: number }[] {
  const offsets = Array.from({ length: incidentDuration / slotLength }, (_, index) => index * slotLength);
  const total = offsets.reduce((sum, offset) => sum + loadAt(offset), 0);
  let sum = 0;
  return offsets.map((offset) => {
    sum += loadAt(offset);
    return { offset, done: sum / total };
  });
}

function toTimedLog({ offset, log }: ScriptedLog, begin: number): Log {
  return { time: begin + offset, ...log };
}

function byTime(a: Log, b: Log): number {
  return (a.time ?? 0) - (b.time ?? 0);
}
