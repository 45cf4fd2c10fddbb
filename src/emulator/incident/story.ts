import type { Log } from '../../records/index.ts';
import { fromPod, fromService } from './origin.ts';
import type { Random } from './random.ts';
import { storyOffset } from './rhythm.ts';
import { crashedService, pooledServices, singleLogs } from './single-logs.ts';
import { refusedConnection } from './stack-traces.ts';

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
