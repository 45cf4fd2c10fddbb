import type { Log } from '../../records/index.ts';
import { createRandom } from './random.ts';
import { incidentDuration, pressureAt } from './rhythm.ts';
import { storyScript } from './story.ts';
import { trafficLogs } from './traffic.ts';
import { anyVisit } from './visits.ts';

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
    ...{ count, begin, until, random, visit: anyVisit },
    story: storyScript(random),
    pressureAt: (time) => pressureAt(time - begin),
  });
}
