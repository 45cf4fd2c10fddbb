import type { Log } from '../../records/index.ts';
import {
  adminPod,
  fromPod,
  fromService,
  incidentAdministrator,
  type Pod,
  publishedServices,
  refusedConnection,
  sharingPod,
} from './fixtures.ts';
import type { Random } from './random.ts';

/** A log of the story; `offset` is in milliseconds after its beginning. */
export interface ScriptedLog {
  readonly offset: number;
  readonly log: Log;
}

/**
 * The fixed logs of the story, in order of time. They show quiet days, the rotated secret, refused
 * connections and an empty pool, the administrator, the restart and the recovery.
 */
export function storyScript(random: Random): ScriptedLog[] {
  return [
    ...singleLogs.map(({ at, pod, ...log }) => ({
      offset: storyOffset(at),
      log: { ...log, ...fromPod(pod, random) },
    })),
    ...refusals(random),
    ...poolLevels(random),
    ...debugging(random),
    ...restarts(random),
  ].sort((a, b) => a.offset - b.offset);
}

/** New connections are refused from half an hour after the rotation, ever more often as the old ones reach their age limit. */
function refusals(random: Random): ScriptedLog[] {
  const found: ScriptedLog[] = [];
  const end = storyOffset('2 10:04:00');
  let pause = 29 * 60_000;
  for (let offset = storyOffset('2 02:41:17'); offset < end; offset += pause * (0.8 + random.next() * 0.4)) {
    found.push({ offset: Math.round(offset), log: refusal(random) });
    pause *= 0.95;
  }
  return found;
}

function refusal(random: Random): Log {
  return {
    logLevel: 'WARNING',
    logCode: 110031,
    msg: "Connection to the relational store was refused: password authentication failed for user 'hosted_rw'.",
    ...fromService(random.pick([crashedService, ...pooledServices]), random),
    className: 'com.vendor.gis.data.pool.PoolKeeper',
    methodName: 'grow',
    // Only some of them carry the trace, to keep the log small.
    ...(random.chance(0.3) && { stackTraces: refusedConnection() }),
  };
}

/** Remaining connections of the 40 in the pool. */
const levels: readonly (readonly [at: string, left: number])[] = [
  ['2 07:15:00', 19],
  ['2 07:40:00', 14],
  ['2 08:00:00', 9],
  ['2 08:12:00', 5],
  ['2 08:20:00', 2],
  ['2 08:24:10', 0],
  ['2 09:00:00', 0],
  ['2 09:30:00', 0],
  ['2 10:00:00', 0],
];

function poolLevels(random: Random): ScriptedLog[] {
  return levels.map(([at, left]) => ({
    offset: storyOffset(at),
    log: {
      logLevel: left > 0 ? 'WARNING' : 'SEVERE',
      logCode: left > 0 ? 110034 : 110035,
      msg:
        left > 0
          ? `Connection pool 'hosted' is low: ${left} of 40 connections left.`
          : `Connection pool 'hosted' has run dry: 0 of 40 connections left, ${random.integer(12, 60)} requests wait.`,
      ...fromService(crashedService, random),
      className: 'com.vendor.gis.data.pool.PoolKeeper',
      methodName: 'watch',
    },
  }));
}

/** While the level is DEBUG, each attempt to connect is logged with the secret's age. */
function debugging(random: Random): ScriptedLog[] {
  const [from, to] = [storyOffset('2 09:41:10'), storyOffset('2 10:03:50')];
  return Array.from({ length: 8 }, (_, index) => ({
    offset: Math.round(from + ((to - from) * (index + random.next())) / 8),
    log: {
      logLevel: 'DEBUG',
      logCode: 110030,
      msg: `Connecting to the relational store with the secret read ${random.integer(31, 34)} hours ago.`,
      ...fromService(random.pick([crashedService, ...pooledServices]), random),
      className: 'com.vendor.gis.data.pool.PoolKeeper',
      methodName: 'connect',
    },
  }));
}

/** Each service that uses the pool is shut down, started, and opens connections with the current secret. */
function restarts(random: Random): ScriptedLog[] {
  return pooledServices.flatMap((service, index) => {
    const offset = storyOffset('2 10:04:05') + index * 9_000;
    const log: Log = { ...fromService(service, random), logLevel: 'INFO' };
    return [
      {
        offset,
        log: {
          ...log,
          logCode: 8002,
          msg: `Instance of '${service.name}' has been shut down.`,
          methodName: 'stop',
        },
      },
      {
        offset: offset + 41_000,
        log: {
          ...log,
          logCode: 8000,
          msg: `Instance of '${service.name}' has been started.`,
          methodName: 'start',
          elapsed: 41,
        },
      },
      {
        offset: offset + 44_500,
        log: {
          ...log,
          logCode: 110032,
          msg: "Connection pool 'hosted' opened 8 connections with the current secret.",
          methodName: 'grow',
        },
      },
    ];
  });
}

/** The services that use the pool, and the one whose process crashes. */
export const pooledServices = publishedServices.filter((service) => service.pooled);
const crashedService = publishedServices[0];

/** A single log of the story, with the day and the hour at which it was written. */
type SingleLog = Log & { readonly at: string; readonly pod: Pod };

const admin = { source: 'Enterprise Admin', pod: adminPod } as const;
const sharing = { source: 'Sharing', pod: sharingPod } as const;
const secrets = {
  ...admin,
  logLevel: 'INFO',
  logCode: 1312,
  className: 'com.vendor.gis.admin.SecretKeeper',
  methodName: 'update',
} as const;
const backup = {
  ...admin,
  className: 'com.vendor.gis.admin.BackupTask',
  methodName: 'run',
  username: 'svc-backup',
} as const;
const settings = {
  ...admin,
  className: 'com.vendor.gis.admin.LogSettings',
  methodName: 'edit',
  username: incidentAdministrator,
} as const;
const signIn = {
  ...sharing,
  logLevel: 'INFO',
  logCode: 217001,
  className: 'com.vendor.gis.sharing.TokenResource',
  methodName: 'generateToken',
} as const;
const comment = {
  ...sharing,
  logLevel: 'INFO',
  logCode: 217041,
  className: 'com.vendor.gis.sharing.CommentResource',
  methodName: 'addComment',
} as const;

/** The individual logs of the story, in order of time. */
export const singleLogs: readonly SingleLog[] = [
  {
    at: '1 01:00:00',
    ...backup,
    logLevel: 'INFO',
    logCode: 1450,
    msg: 'Backup of the relational store started.',
  },
  {
    at: '1 01:24:51',
    ...backup,
    logLevel: 'INFO',
    logCode: 1451,
    msg: 'Backup of the relational store completed.',
    elapsed: 1491.204,
  },
  { at: '1 09:12:04', ...secrets, username: 'p.novak', msg: "Updated Kubernetes Secret 'smtp-credentials'." },
  {
    at: '1 14:31:47',
    ...admin,
    logLevel: 'SEVERE',
    logCode: 7569,
    msg: "Process of 'Analysis/Drainage.GPServer' crashed and was started again.",
    className: 'com.vendor.gis.admin.PodWatcher',
    methodName: 'onExit',
  },
  {
    at: '1 16:05:30',
    ...secrets,
    username: incidentAdministrator,
    msg: "Updated Kubernetes Secret 'tls-certificate'.",
  },
  {
    at: '2 01:00:00',
    ...backup,
    logLevel: 'INFO',
    logCode: 1450,
    msg: 'Backup of the relational store started.',
  },
  {
    at: '2 01:25:36',
    ...backup,
    logLevel: 'INFO',
    logCode: 1451,
    msg: 'Backup of the relational store completed.',
    elapsed: 1536.881,
  },
  {
    at: '2 02:15:00',
    ...secrets,
    username: 'svc-rotation',
    msg: "Updated Kubernetes Secret 'relational-store-credentials'.",
  },
  {
    at: '2 02:15:01',
    ...admin,
    logLevel: 'INFO',
    logCode: 1320,
    msg: 'Rotation of secrets completed: 1 secret updated, 0 microservices restarted.',
    className: 'com.vendor.gis.admin.SecretRotation',
    methodName: 'run',
    username: 'svc-rotation',
  },
  {
    at: '2 08:31:12',
    ...comment,
    username: 'maria.lopez',
    msg: `Comment of user 'maria.lopez': "The water network needs ages to open today."`,
  },
  {
    at: '2 08:52:40',
    ...comment,
    username: 'Anonymous user',
    msg: `Comment of an anonymous visitor: "The roadworks map only shows an error."`,
  },
  {
    at: '2 09:07:19',
    ...comment,
    username: 'field-crew-3',
    msg: `Comment of user 'field-crew-3': "We stand at the hydrant and cannot see it on the map."`,
  },
  {
    at: '2 09:22:08',
    ...admin,
    logLevel: 'SEVERE',
    logCode: 7569,
    msg: `Process of '${crashedService.name}' crashed and was started again.`,
    className: 'com.vendor.gis.admin.PodWatcher',
    methodName: 'onExit',
  },
  {
    at: '2 09:38:25',
    ...signIn,
    username: incidentAdministrator,
    msg: `User '${incidentAdministrator}' signed in.`,
  },
  {
    at: '2 09:41:03',
    ...settings,
    logLevel: 'INFO',
    logCode: 1501,
    msg: 'Log level changed from VERBOSE to DEBUG.',
  },
  {
    at: '2 09:52:31',
    ...admin,
    logLevel: 'INFO',
    logCode: 1510,
    msg: "Job 'exportLogs' completed: 10000 logs.",
    className: 'com.vendor.gis.admin.LogExporter',
    methodName: 'run',
    username: incidentAdministrator,
    elapsed: 4.812,
  },
  {
    at: '2 10:03:58',
    ...admin,
    logLevel: 'INFO',
    logCode: 1610,
    msg: `Restart of ${pooledServices.length} services requested.`,
    className: 'com.vendor.gis.admin.ServiceOperations',
    methodName: 'restart',
    username: incidentAdministrator,
  },
  {
    at: '2 10:30:10',
    ...settings,
    logLevel: 'INFO',
    logCode: 1501,
    msg: 'Log level changed from DEBUG to VERBOSE.',
  },
  {
    at: '2 11:02:47',
    ...comment,
    username: 'maria.lopez',
    msg: `Comment of user 'maria.lopez': "Works again, thank you!"`,
  },
];

/** Load and shortage of connections over the hours of the incident. */

/** Length of the story in milliseconds: 36 hours, from midnight to noon of the next day. */
export const incidentDuration = 36 * 3_600_000;

/**
 * Milliseconds after the beginning of the story, from a text such as `2 08:24:10`: day, hours, minutes,
 * seconds.
 */
export function storyOffset(moment: string): number {
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = moment.split(/[ :]/).map(Number);
  return (((day - 1) * 24 + hours) * 3600 + minutes * 60 + seconds) * 1000;
}

/** Load in each hour of a working day, relative to the quietest. */
const loadByHour = [1, 1, 1, 1, 1, 1.5, 3, 6, 10, 12, 12, 11, 9, 10, 11, 10, 8, 6, 4, 3, 2.5, 2, 1.5, 1];

/** Load at an offset (milliseconds after the beginning), relative to the quietest hour. */
export function loadAt(offset: number): number {
  const hours = offset / 3_600_000;
  return between(
    loadByHour[Math.floor(hours) % 24] ?? 1,
    loadByHour[Math.floor(hours + 1) % 24] ?? 1,
    hours % 1,
  );
}

/**
 * Shortage of connections: 0 is plenty, 1 is none left. The pool empties as the requests of the morning meet
 * the remaining old connections. It is still short while the restarted pods fill their caches, and then
 * recovers.
 */
const pressures: readonly (readonly [offset: number, pressure: number])[] = [
  [storyOffset('2 06:30:00'), 0],
  [storyOffset('2 07:30:00'), 0.25],
  [storyOffset('2 08:00:00'), 0.5],
  [storyOffset('2 08:24:00'), 0.8],
  [storyOffset('2 09:00:00'), 1],
  [storyOffset('2 10:04:00'), 1],
  [storyOffset('2 10:08:00'), 0.45],
  [storyOffset('2 10:20:00'), 0.15],
  [storyOffset('2 10:45:00'), 0],
];

/** Shortage of connections at an offset, 0 to 1. */
export function pressureAt(offset: number): number {
  const after = pressures.findIndex(([at]) => offset < at);
  const [from, to] = [pressures[after - 1], pressures[after]];
  if (!from || !to) return 0;
  return between(from[1], to[1], (offset - from[0]) / (to[0] - from[0]));
}

function between(first: number, second: number, share: number): number {
  return first + (second - first) * share;
}
