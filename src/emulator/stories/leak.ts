import type { Log } from '../../records/index.ts';
import {
  adminPod,
  incidentAdministrator,
  incidentUsers,
  publishedServices,
  type Service,
} from '../incident/cast.ts';
import { fromPod, fromService } from '../incident/origin.ts';
import type { Random } from '../incident/random.ts';
import { incidentDuration, storyOffset } from '../incident/rhythm.ts';
import type { ScriptedLog } from '../incident/story.ts';
import { doneBy, failRequest, slowRequest } from './change-request.ts';
import type { StoryPlot } from './plot.ts';
import { quietLogs } from './quiet-logs.ts';

/** The service that keeps what it should release: the basemap of the city. */
const service =
  publishedServices.find(({ name }) => name === 'Basemaps/City.MapServer') ?? publishedServices[0];

/** The administrator removes the limit of the cache; from then on memory is never released. */
const changed = storyOffset('1 08:10:00');

/** Time from a start of the process to its end for lack of memory. */
const lifetime = 7.5 * 3_600_000;

/** Memory in use, 0 to 1, at an offset. It grows with time, and a crash releases it. */
function memoryAt(offset: number): number {
  return offset < changed ? 0 : ((offset - changed) % lifetime) / lifetime;
}

/** A leak that grows: requests take longer and longer, some fail at the end, the process crashes, and again. */
export const leakPlot: StoryPlot = {
  scripted: (random) => [...quietLogs(random), change(random), ...warnings(random), ...crashes(random)],
  alter: (logs, { offset, random }) => {
    if (!doneBy(service, logs)) return logs;
    const memory = memoryAt(offset);
    if (random.chance((memory - 0.85) / 0.15)) return failRequest(logs, outOfMemory);
    return slowRequest(logs, 1 + 15 * memory ** 2);
  },
  truth: (begin) => ({
    began: begin + changed,
    codes: [
      { logCode: 8523, since: begin + changed + 0.85 * lifetime },
      { logCode: 9004, since: begin + changed + 0.85 * lifetime },
      { logCode: 7569, since: begin + changed + lifetime },
      { logCode: 8521, since: begin + changed + lifetime / 2 },
    ],
    services: [service.name],
    users: incidentUsers.map(({ name }) => name),
    before: [{ time: begin + changed, logCode: 1520, username: incidentAdministrator }],
    slower: { source: service.name, since: begin + changed },
  }),
};

const outOfMemory: Pick<Log, 'logCode' | 'msg' | 'stackTraces'> = {
  logCode: 8523,
  msg: `Out of memory in '${service.name}': Java heap space.`,
  stackTraces: [
    'java.lang.OutOfMemoryError: Java heap space',
    '\tat com.vendor.gis.map.ImageCache.put(ImageCache.java:301)',
    '\tat com.vendor.gis.map.MapService.export(MapService.java:188)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
  ].join('\n'),
};

function change(random: Random): ScriptedLog {
  return {
    offset: changed,
    log: {
      ...fromPod(adminPod, random),
      source: 'Enterprise Admin',
      logLevel: 'INFO',
      logCode: 1520,
      msg: `Property 'imageCacheLimit' of '${service.name}' changed from 512 to 0.`,
      className: 'com.vendor.gis.admin.ServiceOperations',
      methodName: 'edit',
      username: incidentAdministrator,
    },
  };
}

/** Warnings from half of the memory on, ever more often. */
function warnings(random: Random): ScriptedLog[] {
  const found: ScriptedLog[] = [];
  let pause = 0;
  for (let offset = changed; offset < incidentDuration; offset += pause) {
    const memory = memoryAt(offset);
    pause = (2 - 1.6 * memory) * 15 * 60_000 * (0.8 + random.next() * 0.4);
    if (0.5 <= memory) found.push({ offset: Math.round(offset), log: warning(service, memory, random) });
  }
  return found;
}

function warning(of: Service, memory: number, random: Random): Log {
  return {
    ...fromService(of, random),
    logLevel: 'WARNING',
    logCode: 8521,
    msg: `Memory of '${of.name}' is low: ${Math.round(4096 * (1 - memory))} of 4096 MB are free.`,
    className: 'com.vendor.gis.service.MemoryMonitor',
    methodName: 'watch',
  };
}

function crashes(random: Random): ScriptedLog[] {
  const count = Math.floor((incidentDuration - changed) / lifetime);
  return Array.from({ length: count }, (_, index) => ({
    offset: changed + (index + 1) * lifetime,
    log: {
      ...fromPod(adminPod, random),
      source: 'Enterprise Admin',
      logLevel: 'SEVERE',
      logCode: 7569,
      msg: `Process of '${service.name}' crashed and was started again.`,
      className: 'com.vendor.gis.admin.PodWatcher',
      methodName: 'onExit',
    },
  }));
}
