import type { Log } from '../../records/index.ts';
import {
  anonymousUser,
  type IncidentUser,
  incidentUsers,
  publishedServices,
  restPod,
  type Service,
  sharingPod,
} from './cast.ts';
import { type Moment, toSeconds } from './moment.ts';
import { fromPod, fromService } from './origin.ts';
import type { Random } from './random.ts';
import { poolTimeout } from './stack-traces.ts';

/** A request of a user to a service, its retries while it fails, and perhaps a complaint. */
export function requestVisit(moment: Moment): Log[] {
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
