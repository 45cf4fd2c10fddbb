import type { Log } from '../../records/index.ts';
import {
  adminPod,
  anonymousUser,
  incidentAdministrator,
  incidentUsers,
  jobServices,
  publishedServices,
  restPod,
  sharingPod,
  soapPod,
} from './cast.ts';
import { type Moment, toSeconds } from './moment.ts';
import { fromPod, fromService } from './origin.ts';
import { requestVisit } from './requests.ts';
import { badGeometry } from './stack-traces.ts';

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
