import type { Log } from '../../records/index.ts';
import { anyVisit, heartbeatVisit } from './events.ts';
import { createRandom, type Moment } from './random.ts';
import { incidentDuration, loadAt, pressureAt, type ScriptedLog, storyScript } from './story.ts';

/** Options of `incidentLogs`. */
export interface IncidentOptions {
  /** The same seed gives the same logs. Default 1. */
  readonly seed?: number;
  /** Number of logs: 20,000 by default, no fewer than `fewestIncidentLogs`. */
  readonly count?: number;
  /** End of the logs, milliseconds since the epoch. Default: `incidentEnd`. */
  readonly until?: number;
}

/** Default end of the incident: noon (UTC) of a Wednesday, milliseconds since the epoch. */
export const incidentEnd = Date.UTC(2025, 2, 12, 12);

/** Least number of logs: the story needs them all; further ones are ordinary traffic. */
export const fewestIncidentLogs = 200;

/**
 * The logs of an incident, in order of time: 36 hours of a deployment with ordinary traffic. At 02:15 of the
 * second day a secret is rotated, and new connections are refused. In the morning the connections run out,
 * requests wait and time out, and users complain. After ten an administrator restarts the services. The request
 * identifier joins the logs of one request.
 *
 * The same options give the same logs. Another `until` moves the whole story, so that "morning" is no longer in
 * the morning.
 *
 * ```ts
 * const logs = [...incidentLogs({ count: 500 })];
 * ```
 */
export function* incidentLogs(options: IncidentOptions = {}): Generator<Log, void, undefined> {
  const { seed = 1, count = 20_000, until = incidentEnd } = options;
  if (!Number.isSafeInteger(count) || count < fewestIncidentLogs) {
    throw new RangeError(
      `The incident requires a whole number of logs from ${fewestIncidentLogs}, not ${count}`,
    );
  }
  const random = createRandom(seed);
  const begin = until - incidentDuration;
  yield* trafficLogs({
    count,
    begin,
    until,
    random,
    visit: anyVisit,
    story: storyScript(random),
    pressureAt: (time) => pressureAt(time - begin),
  });
}

/** Ordinary traffic around the logs of a story. */
interface Traffic extends Omit<Moment, 'time'> {
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
