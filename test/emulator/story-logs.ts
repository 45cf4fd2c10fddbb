import { upgradeLog } from '../../src/emulator/activity.ts';
import { anyVisit } from '../../src/emulator/incident/events.ts';
import {
  adminPod,
  fromPod,
  fromService,
  incidentAdministrator,
  incidentUsers,
  publishedServices,
  type Service,
  sharingPod,
} from '../../src/emulator/incident/fixtures.ts';
import {
  fewestIncidentLogs,
  type IncidentOptions,
  incidentEnd,
  incidentLogs,
  trafficLogs,
} from '../../src/emulator/incident/incident-logs.ts';
import { createRandom, type Random, toSeconds } from '../../src/emulator/incident/random.ts';
import {
  incidentDuration,
  pooledServices,
  type ScriptedLog,
  singleLogs,
  storyOffset,
} from '../../src/emulator/incident/story.ts';
import { messagesOf, releaseOf } from '../../src/emulator/upgrade.ts';
import type { Log } from '../../src/records/index.ts';

/** A leak that grows: requests take longer and longer, some fail at the end, the process crashes, and again. */
const leakPlot: StoryPlot = {
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

/** A certificate that expires: whoever signs in through it is refused from that second on, until it is renewed. */
const certificatePlot: StoryPlot = {
  scripted: (random) => [
    ...quietLogs(random),
    ...warned.map((each) => certificateWarning(each, random)),
    renewal(random),
  ],
  alter: (logs, { offset, random }) => {
    const user = logs.find(({ username }) => federated.includes(username ?? ''))?.username;
    const isRefused = user !== undefined && expired <= offset && offset < renewed;
    return isRefused ? [refusal(logs[0]?.time ?? 0, user, random)] : logs;
  },
  truth: (begin) => ({
    began: begin + expired,
    ended: begin + renewed,
    codes: [{ logCode: 217009, since: begin + expired }],
    services: ['Sharing'],
    users: federated,
    before: warned.map(([, at]) => ({ time: begin + storyOffset(at), logCode: 1335 })),
  }),
};

/** An upgrade that breaks one service: two thirds of its requests fail afterwards, and the others take longer. */
const brokenUpgradePlot: StoryPlot = {
  scripted: (random) => [...quietLogs(random), ...upgradeMessages(random.uuid(), fromPod(adminPod, random))],
  alter: (logs, { offset, random }) => {
    if (offset < started + duration || !doneBy(brokenUpgradeService, logs)) return logs;
    return random.chance(2 / 3) ? failRequest(logs, failure) : slowRequest(logs, 4);
  },
  truth: (begin) => ({
    began: begin + started + duration,
    codes: [
      { logCode: 17033, since: begin + started + duration },
      { logCode: 9004, since: begin + started + duration },
    ],
    services: [brokenUpgradeService.name],
    users: incidentUsers.map(({ name }) => name),
    before: [2010, 2011].map((logCode, index) => ({
      time: begin + started + (index === 0 ? 0 : timeOf(logCode)),
      logCode,
      username: incidentAdministrator,
    })),
    slower: { source: brokenUpgradeService.name, since: begin + started + duration },
  }),
};

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
    count,
    begin,
    until,
    random,
    pressureAt: () => 0,
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

/** Circumstances of an event: its time in milliseconds after the beginning of the story. */
interface PlotMoment {
  readonly offset: number;
  readonly random: Random;
}

/** The difference between a story and ordinary days. */
interface StoryPlot {
  /** The fixed logs. */
  readonly scripted: (random: Random) => ScriptedLog[];
  /** Changes the logs of one event of the ordinary traffic. */
  readonly alter: (logs: Log[], moment: PlotMoment) => Log[];
  /** The facts, for a story that begins at a time: milliseconds since the epoch. */
  readonly truth: (begin: number) => StoryTruth;
}

/** A code of logs that a story adds, and the time of its earliest possible log: milliseconds since the epoch. */
interface StoryCode {
  readonly logCode: number;
  readonly since: number;
}

/** An event that precedes the failures of a story: an act of an administrator, an upgrade, a warning. */
interface StoryEvent {
  readonly time: number;
  readonly logCode: number;
  /** Absent for a log of the deployment itself. */
  readonly username?: string;
}

/** The facts of a story, from which tests take the expected answers. Times are milliseconds since the epoch. */
interface StoryTruth {
  /** The earliest possible log of a failure or, for a leak, of a longer request. */
  readonly began: number;
  /** The end of the failures; absent if they last to the end of the logs. */
  readonly ended?: number;
  /** Codes that no log has before, the severe ones first. */
  readonly codes: readonly StoryCode[];
  /** Values of `source` whose requests fail. */
  readonly services: readonly string[];
  /** Values of `username` whose requests fail. */
  readonly users: readonly string[];
  /** The events before, in order of time; empty if the failures come without one. */
  readonly before: readonly StoryEvent[];
  /** The service whose requests take longer, and since when. */
  readonly slower?: { readonly source: string; readonly since: number };
}

/** Codes of the routine of any day: backups. */
const routine = new Set([1450, 1451]);

/** The logs of the routine: a backup every night. */
function quietLogs(random: Random): ScriptedLog[] {
  return singleLogs
    .filter(({ logCode }) => routine.has(Number(logCode)))
    .map(({ at, pod, ...log }) => ({
      offset: storyOffset(at),
      log: { ...log, ...fromPod(pod, random) },
    }));
}

/** Codes of the last logs of a request: in the service, and in front of it. */
const [doneCode, answeredCode] = [100004, 9999];

/** The last log of a request in a service; undefined if the logs are of another event or service. */
function doneBy({ name }: Service, logs: readonly Log[]): Log | undefined {
  return logs.find(({ logCode, source }) => logCode === doneCode && source === name);
}

/** Multiplies the time of a request. Its last logs are as much later. */
function slowRequest(logs: readonly Log[], factor: number): Log[] {
  return logs.map((log) => {
    if (log.logCode !== doneCode && log.logCode !== answeredCode) return log;
    const elapsed = toSeconds((log.elapsed ?? 0) * factor);
    return { ...log, elapsed, time: (log.time ?? 0) + Math.round((elapsed - (log.elapsed ?? 0)) * 1000) };
  });
}

/** Replaces the success of a request by a failure in the service and in front of it. */
function failRequest(logs: readonly Log[], failure: Pick<Log, 'logCode' | 'msg' | 'stackTraces'>): Log[] {
  const done = logs.find(({ logCode }) => logCode === doneCode);
  const arrival = logs.find(({ logCode }) => logCode === 9029);
  if (!done || !arrival) return [...logs];
  const { elapsed: _, ...failed } = done;
  const time = (done.time ?? 0) + 1;
  const refused = `Error performing '${done.methodName}' operation on '${done.source}': the service failed.`;
  return [
    ...logs.filter(({ logCode }) => logCode !== doneCode && logCode !== answeredCode),
    { ...failed, logLevel: 'SEVERE', ...failure },
    { ...arrival, time, logLevel: 'SEVERE', logCode: 9004, msg: refused },
  ];
}

/** Users who sign in at the identity provider with the certificate: two programs and a user of the directory. */
const federated = ['svc-dashboard', 'svc-sync', '<7F3A21>::e.fischer@CITY'];

const [expired, renewed] = [storyOffset('2 06:00:00'), storyOffset('2 10:20:00')];

/** Days before the end of the certificate, with the time of the warning. */
const warned = [
  ['2', '1 06:00:00'],
  ['1', '2 05:00:00'],
] as const;

function refusal(time: number, username: string, random: Random): Log {
  return {
    time,
    ...fromPod(sharingPod, random),
    source: 'Sharing',
    logLevel: 'SEVERE',
    logCode: 217009,
    msg: `Sign-in of user '${username}' failed: the certificate of identity provider 'city-login' has expired.`,
    className: 'com.vendor.gis.sharing.TokenResource',
    methodName: 'generateToken',
    username,
    requestID: random.uuid(),
    stackTraces: [
      'javax.net.ssl.SSLHandshakeException: PKIX path validation failed: validity check failed',
      '\tat com.vendor.gis.sharing.IdentityProvider.exchange(IdentityProvider.java:144)',
      'Caused by: java.security.cert.CertificateExpiredException: NotAfter: Wed Mar 12 06:00:00 UTC 2025',
    ].join('\n'),
  };
}

function certificateWarning([days, at]: (typeof warned)[number], random: Random): ScriptedLog {
  return {
    offset: storyOffset(at),
    log: {
      ...fromPod(adminPod, random),
      source: 'Enterprise Admin',
      logLevel: 'WARNING',
      logCode: 1335,
      msg: `Certificate 'city-login' expires in less than ${days} days.`,
      className: 'com.vendor.gis.admin.CertificateMonitor',
      methodName: 'check',
    },
  };
}

function renewal(random: Random): ScriptedLog {
  return {
    offset: renewed,
    log: {
      ...fromPod(adminPod, random),
      source: 'Enterprise Admin',
      logLevel: 'INFO',
      logCode: 1336,
      msg: "Certificate 'city-login' was replaced.",
      className: 'com.vendor.gis.admin.CertificateKeeper',
      methodName: 'replace',
      username: incidentAdministrator,
    },
  };
}

/** The service that the upgrade breaks. */
const brokenUpgradeService =
  publishedServices.find(({ name }) => name === 'Transport/Roadworks.FeatureServer') ?? publishedServices[0];

const [started, duration] = [storyOffset('2 04:30:00'), 70 * 60_000];

const failure = {
  logCode: 17033,
  msg: `Field 'valid_to' of layer 0 of '${brokenUpgradeService.name}' is not in the relational store.`,
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
