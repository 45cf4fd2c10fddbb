import { upgradeLog } from '../activity/administration-logs.ts';
import { adminPod, incidentAdministrator, incidentUsers, publishedServices } from '../incident/cast.ts';
import { fromPod } from '../incident/origin.ts';
import { incidentDuration, storyOffset } from '../incident/rhythm.ts';
import type { ScriptedLog } from '../incident/story.ts';
import { messagesOf } from '../upgrade/progress.ts';
import { releaseOf } from '../upgrade/releases.ts';
import { doneBy, failRequest, slowRequest } from './change-request.ts';
import type { StoryPlot } from './plot.ts';
import { quietLogs } from './quiet-logs.ts';

/** The service that the upgrade breaks. */
const service =
  publishedServices.find(({ name }) => name === 'Transport/Roadworks.FeatureServer') ?? publishedServices[0];

const [started, duration] = [storyOffset('2 04:30:00'), 70 * 60_000];

/** An upgrade that breaks one service: two thirds of its requests fail afterwards, and the others take longer. */
export const brokenUpgradePlot: StoryPlot = {
  scripted: (random) => [...quietLogs(random), ...upgradeMessages(random.uuid(), fromPod(adminPod, random))],
  alter: (logs, { offset, random }) => {
    if (offset < started + duration || !doneBy(service, logs)) return logs;
    return random.chance(2 / 3) ? failRequest(logs, failure) : slowRequest(logs, 4);
  },
  truth: (begin) => ({
    began: begin + started + duration,
    codes: [
      { logCode: 17033, since: begin + started + duration },
      { logCode: 9004, since: begin + started + duration },
    ],
    services: [service.name],
    users: incidentUsers.map(({ name }) => name),
    before: [2010, 2011].map((logCode, index) => ({
      time: begin + started + (index === 0 ? 0 : timeOf(logCode)),
      logCode,
      username: incidentAdministrator,
    })),
    slower: { source: service.name, since: begin + started + duration },
  }),
};

const failure = {
  logCode: 17033,
  msg: `Field 'valid_to' of layer 0 of '${service.name}' is not in the relational store.`,
  stackTraces: [
    'com.vendor.gis.feature.SchemaException: field "valid_to" was not found',
    '\tat com.vendor.gis.feature.LayerSchema.field(LayerSchema.java:77)',
    '\tat com.vendor.gis.feature.FeatureService.query(FeatureService.java:318)',
  ].join('\n'),
};

/** The messages of the upgrade, with times after its start. */
function messages(requestID: string) {
  const [from, to] = [releaseOf('11.1'), releaseOf('11.2')];
  if (!from || !to) throw new Error('The releases of the story are not published');
  const run = { from, to, duration, requestID, username: incidentAdministrator, started: 0 };
  return { run: { ...run, kind: 'release', update: 'rel_14122023_3820' } as const };
}

function upgradeMessages(requestID: string, origin: Pick<ScriptedLog['log'], 'machine'>): ScriptedLog[] {
  const { run } = messages(requestID);
  return messagesOf(run).map((message) => {
    const { time: _, ...log } = upgradeLog(message, run, false);
    return { offset: started + message.when, log: { ...log, ...origin } };
  });
}

/** The time of a message after the start. */
function timeOf(code: number): number {
  return messagesOf(messages('').run).find((message) => message.code === code)?.when ?? incidentDuration;
}
