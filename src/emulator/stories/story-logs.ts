import type { Log } from '../../records/index.ts';
import { incidentUsers } from '../incident/cast.ts';
import {
  fewestIncidentLogs,
  type IncidentOptions,
  incidentEnd,
  incidentLogs,
} from '../incident/incident-logs.ts';
import { createRandom } from '../incident/random.ts';
import { incidentDuration, storyOffset } from '../incident/rhythm.ts';
import { pooledServices } from '../incident/single-logs.ts';
import { trafficLogs } from '../incident/traffic.ts';
import { anyVisit } from '../incident/visits.ts';
import { brokenUpgradePlot } from './broken-upgrade.ts';
import { certificatePlot } from './certificate.ts';
import { leakPlot } from './leak.ts';
import type { StoryPlot } from './plot.ts';
import { quietLogs } from './quiet-logs.ts';
import type { StoryTruth } from './story-truth.ts';

const plots = {
  leak: leakPlot,
  certificate: certificatePlot,
  upgrade: brokenUpgradePlot,
} as const satisfies Record<string, StoryPlot>;

/** The names of the stories with something to find. */
export const storyNames = ['incident', 'leak', 'certificate', 'upgrade'] as const;

export type StoryName = (typeof storyNames)[number];

/**
 * The logs of a story in order of time: 36 hours, as of `incidentLogs`. `leak`: a service needs ever more memory
 * and crashes. `certificate`: sign-ins through an identity provider fail from one second on. `upgrade`: an upgrade
 * breaks one service. `quiet`: ordinary days. The same options give the same logs.
 */
export function* storyLogs(
  name: StoryName | 'quiet',
  options: IncidentOptions = {},
): Generator<Log, void, undefined> {
  if (name === 'incident') {
    yield* incidentLogs(options);
    return;
  }
  const { seed = 1, count = 20_000, until = incidentEnd } = options;
  if (!Number.isSafeInteger(count) || count < fewestIncidentLogs)
    throw new RangeError(`A story requires a whole number of logs from ${fewestIncidentLogs}, not ${count}`);
  const plot = name === 'quiet' ? undefined : plots[name];
  const random = createRandom(seed);
  const begin = until - incidentDuration;
  yield* trafficLogs({
    ...{ count, begin, until, random, pressureAt: () => 0 },
    story: (plot?.scripted ?? quietLogs)(random).sort((first, second) => first.offset - second.offset),
    visit: (moment) => {
      const logs = anyVisit(moment);
      return plot ? plot.alter(logs, { offset: moment.time - begin, random }) : logs;
    },
  });
}

/** The facts of a story that ends at a time, for tests and exercises. */
export function storyTruth(name: StoryName, until: number = incidentEnd): StoryTruth {
  const begin = until - incidentDuration;
  return name === 'incident' ? incidentTruth(begin) : plots[name].truth(begin);
}

function incidentTruth(begin: number): StoryTruth {
  const at = (moment: string) => begin + storyOffset(moment);
  return {
    began: at('2 02:41:17'),
    ended: at('2 10:08:00'),
    codes: [
      { logCode: 110036, since: at('2 08:00:00') },
      { logCode: 9003, since: at('2 08:00:00') },
      { logCode: 110035, since: at('2 08:24:10') },
      { logCode: 110031, since: at('2 02:41:17') },
    ],
    services: pooledServices.map(({ name }) => name),
    users: incidentUsers.map(({ name }) => name),
    before: [{ time: at('2 02:15:00'), logCode: 1312, username: 'svc-rotation' }],
  };
}
