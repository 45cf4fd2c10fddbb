import type { Log } from '../../records/index.ts';
import {
  adminPod,
  anonymousUser,
  badGeometry,
  fromPod,
  fromService,
  type IncidentUser,
  incidentAdministrator,
  incidentUsers,
  jobServices,
  poolTimeout,
  publishedServices,
  restPod,
  type Service,
  sharingPod,
  soapPod,
} from './fixtures.ts';
import { type Moment, type Random, toSeconds } from './random.ts';

/** An event: the logs that it leaves, in any order. */
type Visit = (moment: Moment) => Log[];

/** Events of ordinary traffic, with their shares. */
const visits: readonly [
  { readonly share: number; readonly visit: Visit },
  ...{ share: number; visit: Visit }[],
] = [
  { share: 50, visit: requestVisit },
  { share: 12, visit: sharingVisit },
  { share: 7, visit: tileVisit },
  { share: 5, visit: soapVisit },
  { share: 3, visit: badRequestVisit },
  { share: 2, visit: jobVisit },
  { share: 14, visit: heartbeatVisit },
];

/** Makes the logs of one random event. */
export function anyVisit(moment: Moment): Log[] {
  return moment.random.pickByShare(visits).visit(moment);
}

/** A health check: the only event that leaves exactly one log. */
export function heartbeatVisit({ time, random, pressureAt }: Moment): Log[] {
  const service = random.pick(publishedServices);
  const healthy = !service.pooled || !random.chance((pressureAt(time) - 0.6) * 2);
  const check = { time, ...fromPod(adminPod, random), source: 'Enterprise Admin' };
  const className = 'com.vendor.gis.admin.HealthMonitor';
  const log: Log = healthy
    ? { logLevel: 'FINE', logCode: 1180, msg: `Health check of '${service.name}' passed.` }
    : {
        logLevel: 'WARNING',
        logCode: 1181,
        msg: `Health check of '${service.name}' failed: no answer within 5 seconds.`,
      };
  return [
    {
      ...check,
      ...log,
      className,
      methodName: 'check',
      elapsed: healthy ? toSeconds(random.around(0.03, 4)) : 5,
    },
  ];
}

function tileVisit({ time, random }: Moment): Log[] {
  const tile = `${random.integer(10, 19)}/${random.integer(1000, 90000)}/${random.integer(1000, 90000)}`;
  const tiles = publishedServices.find(({ type }) => type === 'TileServer') ?? publishedServices[0];
  return [
    {
      time,
      logLevel: 'VERBOSE',
      logCode: 10021,
      msg: `Tile ${tile} was ${random.chance(0.85) ? 'found in' : 'added to'} the cache.`,
      ...fromService(tiles, random),
      methodName: 'tile',
    },
  ];
}

function sharingVisit({ time, random }: Moment): Log[] {
  const { name } = random.pickByShare(incidentUsers);
  const base = { time, ...fromPod(sharingPod, random), source: 'Sharing', requestID: random.uuid() };
  if (name === anonymousUser || random.chance(0.5)) {
    const item = random.uuid().replaceAll('-', '');
    return [
      {
        ...base,
        logLevel: 'FINE',
        logCode: 217010,
        msg: `Item '${item}' was read.`,
        className: 'com.vendor.gis.sharing.ItemResource',
        methodName: 'get',
        username: name,
        elapsed: toSeconds(random.around(0.04, 5)),
      },
    ];
  }
  const refused = random.chance(0.06);
  return [
    {
      ...base,
      logLevel: refused ? 'WARNING' : 'INFO',
      logCode: refused ? 217002 : 217001,
      msg: refused ? `Sign-in of user '${name}' was refused: wrong password.` : `User '${name}' signed in.`,
      className: 'com.vendor.gis.sharing.TokenResource',
      methodName: 'generateToken',
      username: name,
    },
  ];
}

function soapVisit({ time, random }: Moment): Log[] {
  const operation = random.pick([
    'GetServiceDescriptions',
    'GetServiceDescriptionsEx',
    'GetFolders',
    'GetMessageVersion',
  ]);
  const elapsed = toSeconds(random.around(0.05, 4));
  const base: Log = {
    logLevel: 'FINE',
    ...fromPod(soapPod, random),
    source: 'Soap Catalog',
    className: 'com.vendor.gis.soap.CatalogHandler',
    methodName: 'handle',
    requestID: random.uuid(),
  };
  return [
    { ...base, time, logCode: 9502, msg: `SOAP request received: ${operation}.` },
    {
      ...base,
      time: time + Math.round(elapsed * 1000),
      logCode: 9526,
      msg: `SOAP request processed: ${operation}.`,
      elapsed,
    },
  ];
}

function badRequestVisit({ time, random }: Moment): Log[] {
  const service = random.pick(publishedServices);
  const { logCode, msg } = random.pick([
    { logCode: 9000, msg: `Invalid request to '${service.name}': "where" is not a valid expression.` },
    {
      logCode: 9001,
      msg: `Resource '/services/${service.name.replace('.', '/')}/${random.integer(40, 99)}' was not found.`,
    },
    { logCode: 9002, msg: `Token for '${service.name}' is invalid or has expired.` },
  ]);
  return [
    {
      time,
      logLevel: 'WARNING',
      logCode,
      source: 'Rest Catalog',
      msg,
      className: 'com.vendor.gis.rest.RestHandler',
      methodName: 'handleRequest',
      username: random.pickByShare(incidentUsers).name,
      requestID: random.uuid(),
      ...fromPod(restPod, random),
    },
  ];
}

function jobVisit({ time, random, pressureAt }: Moment): Log[] {
  const service = random.pickByShare(jobServices);
  const job = `j${random.uuid()}`;
  const elapsed = toSeconds(
    random.around(service.seconds, 3) * (1 + (service.pooled ? 4 * pressureAt(time) : 0)),
  );
  const base: Log = {
    ...fromService(service, random),
    methodName: 'run',
    username: random.pick([incidentAdministrator, 'p.novak', 'svc-sync']),
    requestID: random.uuid(),
  };
  const end = { ...base, time: time + Math.round(elapsed * 1000), elapsed };
  const failed = service.pooled && random.chance(0.12);
  return [
    {
      ...base,
      time,
      logLevel: 'INFO',
      logCode: 7717,
      msg: `Job '${job}' started: ${service.operations[0]}.`,
    },
    failed
      ? {
          ...end,
          logLevel: 'SEVERE',
          logCode: 20010,
          msg: `Job '${job}' failed.`,
          stackTraces: badGeometry(),
        }
      : {
          ...end,
          logLevel: 'INFO',
          logCode: 7718,
          msg: `Job '${job}' completed. Elapsed time '${Math.round(elapsed * 1000)}' ms.`,
        },
  ];
}

/** A request of a user to a service, its retries while it fails, and perhaps a complaint. */
function requestVisit(moment: Moment): Log[] {
  const { random } = moment;
  const service = random.pickByShare(publishedServices);
  const user = random.pickByShare(incidentUsers);
  const operation = random.pick(service.operations);
  const logs: Log[] = [];
  let time = moment.time;
  for (let retries = 0; ; retries += 1) {
    const { failed, ...sent } = request({ time, service, user, operation }, moment);
    logs.push(...sent.logs);
    if (!failed) return logs;
    if (retries === 3 || !random.chance(user.name === anonymousUser ? 0.35 : 0.6)) break;
    time = sent.end + random.integer(1500, 40_000);
  }
  if (user.person && random.chance(0.15)) {
    logs.push(complaint(time + random.integer(60_000, 500_000), user.name, random));
  }
  return logs;
}

interface Sent {
  readonly time: number;
  readonly service: Service;
  readonly user: IncidentUser;
  readonly operation: string;
}

/** The logs of one request, which its identifier joins. */
function request(sent: Sent, { random, pressureAt }: Moment): { logs: Log[]; failed: boolean; end: number } {
  const { time, service, user } = sent;
  const pressure = service.pooled ? pressureAt(time) : 0;
  const failed = random.chance(failShare(pressure));
  const wait = failed ? 30 + random.next() / 100 : waitSeconds(pressure, random);
  const total = toSeconds(wait + (failed ? random.next() / 20 : random.around(service.seconds, 6)));
  const end = time + Math.round(total * 1000);

  const { inService, rest } = fieldsOf(sent, random);
  const msg = `Request user: ${user.name}, Service: ${service.name.replace('.', '/')}`;
  const arrival: Log = { ...rest, time, logLevel: 'INFO', logCode: 9029, msg };
  const waited = { ...inService, time: time + Math.round(wait * 1000) };
  const isLogged = 0.05 < wait || random.chance(0.2);
  const last = { inService: { ...inService, time: end }, rest: { ...rest, time: end, elapsed: total } };
  return {
    logs: [
      arrival,
      ...(isLogged ? [waitLog(waited, service, wait)] : []),
      ...(failed ? failure(last, sent, random) : success(last, sent, random)),
    ],
    failed,
    end,
  };
}

/** The fields that all logs of one request have, in the service and in front of it. */
function fieldsOf({ service, user, operation }: Sent, random: Random): Sides {
  const requestID = random.uuid();
  return {
    inService: {
      ...fromService(service, random),
      methodName: operation,
      ...(user.name !== anonymousUser && { username: user.name }),
      requestID,
    },
    rest: {
      source: 'Rest Catalog',
      className: 'com.vendor.gis.rest.RestHandler',
      methodName: 'handleRequest',
      username: user.name,
      requestID,
      serviceTypes: service.type,
      ...fromPod(restPod, random),
    },
  };
}

/** Fields of the logs of a request, in the service and in front of it. */
interface Sides {
  readonly inService: Log;
  readonly rest: Log;
}

function success({ inService, rest }: Sides, { service, operation }: Sent, random: Random): Log[] {
  const elapsed = rest.elapsed ?? 0;
  const done: Log = {
    ...inService,
    logLevel: 'FINE',
    logCode: 100004,
    msg: `Service request '${operation}' completed.`,
    elapsed,
  };
  const answered: Log = {
    ...rest,
    logLevel: 'FINE',
    logCode: 9999,
    msg: `Full request time of '${operation}' on '${service.name}'.`,
    elapsed: toSeconds(elapsed + random.next() / 100),
  };
  return random.chance(0.4) ? [done, answered] : [done];
}

function failure({ inService, rest }: Sides, { service, operation }: Sent, random: Random): Log[] {
  return [
    {
      ...inService,
      logLevel: 'SEVERE',
      logCode: 110036,
      msg: `Operation '${operation}' found no free connection in the pool 'hosted'.`,
      stackTraces: poolTimeout(service.name, operation, random),
    },
    {
      ...rest,
      logLevel: 'SEVERE',
      logCode: 9003,
      msg: `Error performing '${operation}' operation on '${service.name}': the request timed out.`,
    },
  ];
}

function waitLog(base: Log, service: Service, wait: number): Log {
  return {
    ...base,
    logLevel: wait < 5 ? 'FINE' : 'WARNING',
    logCode: 7615,
    msg: `Wait time for '${service.name}' service request is ${Math.round(wait * 1000)} milliseconds.`,
    elapsed: toSeconds(wait),
  };
}

/**
 * Seconds that a request waits for a connection: milliseconds with a full pool, up to the limit with an empty
 * one.
 */
function waitSeconds(pressure: number, random: Random): number {
  return Math.min(random.around(0.004 * 10 ** (3.6 * pressure), 5), 29.5);
}

/** The share of the requests that wait in vain: none while half of the pool is left. */
function failShare(pressure: number): number {
  return pressure < 0.5 ? 0 : 0.85 * ((pressure - 0.5) * 2) ** 2;
}

const complaints = [
  'The map does not load, I have tried three times.',
  'Nothing happens for half a minute, then an error. Please help.',
  'Cannot save my edits since this morning!',
  'The crew in the field sees no hydrants.',
  'Is it down? It worked yesterday evening.',
  'Timeout again and again.',
] as const;

function complaint(time: number, name: string, random: Random): Log {
  const who = name === anonymousUser ? 'an anonymous visitor' : `user '${name}'`;
  return {
    time,
    logLevel: 'INFO',
    logCode: 217041,
    source: 'Sharing',
    msg: `Comment of ${who}: "${random.pick(complaints)}"`,
    className: 'com.vendor.gis.sharing.CommentResource',
    methodName: 'addComment',
    username: name,
    requestID: random.uuid(),
    ...fromPod(sharingPod, random),
  };
}
