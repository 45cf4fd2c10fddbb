import { isObject } from './exact-json.ts';
import { readRecordMembers } from './json.ts';
import { aliasOf, type LogRecord, newMembers, type ReadRecord } from './log.ts';
import type { Zone } from './time.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Names that members of access logs in JSON have, by their meaning; the first that is there counts. They are those of
 * the documents of nginx, Envoy and Traefik, and of usual configurations of them.
 */
export const accessNames = {
  request: ['request'],
  method: ['method', 'request_method', 'requestMethod', 'RequestMethod', 'http_method', 'verb'],
  target: ['path', 'uri', 'request_uri', 'requestUri', 'RequestPath', 'url', 'http_url', 'requestUrl'],
  protocol: ['protocol', 'server_protocol', 'RequestProtocol'],
  status: ['status', 'response_code', 'responseCode', 'DownstreamStatus', 'status_code', 'statusCode'],
  time: [
    ...['time', 'time_iso8601', '@timestamp', 'timestamp', 'start_time', 'startTime', 'StartUTC'],
    ...['time_local', 'datetime', 'ts', 'msec', 'date'],
  ],
  username: ['remote_user', 'remoteUser', 'ClientUsername', 'user'],
  level: ['level', 'severity'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Names of the time that a request took, and how many of their units a second has. */
const elapsedNames: readonly (readonly [name: string, aSecond: number])[] = [
  ['request_time', 1],
  ['latency', 1],
  ['duration', 1e3],
  ['Duration', 1e9],
];

/** Reads a time that was taken, in any unit; Google Cloud has an "s" behind it. */
function takenOf(value: unknown): number {
  return Number((typeof value === 'string' ? value.replace(/s$/, '') : value) || Number.NaN);
}

/** Source of the logs of proxies and web servers, as of those in text. */
const source = 'access log';

function nameIn(members: Members, names: readonly string[]): string | undefined {
  return names.find((name) => !['', '-', null, undefined].includes(members[name] as string | null));
}

function textOf(members: Members, names: readonly string[]): string | undefined {
  const name = nameIn(members, names);
  const value = name === undefined ? undefined : members[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns what was requested, and the status; undefined if members are no access log. */
function requestOf(members: Members): string | undefined {
  const status = textOf(members, accessNames.status);
  if (status === undefined || !/^(0|[1-5]\d\d)$/.test(status)) return undefined;
  const [method, target] = [textOf(members, accessNames.method), textOf(members, accessNames.target)];
  const parts = [method, target, textOf(members, accessNames.protocol)];
  const isWhole = method !== undefined && target !== undefined;
  const request = textOf(members, accessNames.request) ?? (isWhole ? parts : undefined);
  if (typeof request === 'string' && !/^[A-Z]+ \S/.test(request)) return undefined;
  return (
    request &&
    [request, status]
      .flat()
      .filter((part) => part !== undefined)
      .join(' ')
  );
}

/** Reports if members are those of an access log in JSON: a request, a status, and no message. */
export function isAccessLog(members: Members): boolean {
  const isSaid = Object.keys(members).some(
    (key) => aliasOf(key)?.field === 'msg' && members[key] !== '' && members[key] !== null,
  );
  return !isSaid && requestOf(members) !== undefined;
}

/**
 * Returns the members of an access log of Google Cloud, whose request is in a member of its own beside the time and the
 * severity; undefined if members are none.
 * https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest
 */
export function nestedAccessLog({ httpRequest, ...others }: Members): Members | undefined {
  if (!isObject(httpRequest) || !isAccessLog(httpRequest)) return undefined;
  // A name that both have would lose a value.
  if (Object.keys(httpRequest).some((name) => name in others)) return undefined;
  return { ...others, ...httpRequest };
}

/** Reads members of an access log as one in text is read: the rest stays beside the fields, under its own names. */
export function readAccessLog(members: Members, { raw, position }: LogRecord, zone: Zone): ReadRecord {
  const own = newMembers();
  const extra = Object.assign(newMembers(), members);
  for (const field of ['time', 'username', 'level'] as const) {
    const name = nameIn(members, accessNames[field]);
    if (name === undefined) continue;
    own[field] = members[name];
    delete extra[name];
  }
  const [name, aSecond = 1] = elapsedNames.find(([name]) => 0 <= takenOf(members[name])) ?? [];
  if (name !== undefined) own.elapsed = takenOf(members[name]) / aSecond;
  own.source = source;
  own.msg = requestOf(members);
  const read = readRecordMembers(own, { raw, position, zone, isMessage: true });
  if (read.kind !== 'log') return read;
  const remarks = [...(read.remarks ?? []), { code: 'ACCESS_LOG', field: 'msg' } as const];
  return { ...read, extra: Object.assign(extra, read.extra), remarks };
}
