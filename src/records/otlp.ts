import { isObject } from './exact-json.ts';

type Members = Readonly<Record<string, unknown>>;

/** Returns the value at a path of members of members. */
export function valueAt(members: Members, path: string): unknown {
  let value: unknown = members;
  for (const name of path.split('.'))
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Reports if members are the logs of a resource in OTLP/JSON, as exporters and the collector write them. */
export function isOtlpResource(members: Members): boolean {
  return Array.isArray(members.scopeLogs) || Array.isArray(members.scope_logs);
}

/**
 * Returns the log records of a resource, each with its resource and its scope. Attributes are members under their
 * names. Source: the OTLP specification, whose readers take the names in both spellings.
 */
export function otlpRecords(resourceLogs: Members): readonly Members[] {
  const resource = attributesOf(resourceLogs.resource);
  return listOf(resourceLogs, 'scopeLogs', 'scope_logs').flatMap((scopeLogs) => {
    const scope = scopeOf(scopeLogs.scope);
    return listOf(scopeLogs, 'logRecords', 'log_records').map((record) => toMembers(record, resource, scope));
  });
}

function toMembers(record: Members, resource: Members, scope: Members): Members {
  const members = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(record)) members[inCamelCase(key)] = value;
  const { timeUnixNano, observedTimeUnixNano, body, attributes: _, ...others } = members;
  const time = toMilliseconds(timeUnixNano) ?? toMilliseconds(observedTimeUnixNano);
  const attributes = attributesOf(record);
  return {
    ...others,
    ...(time !== undefined && { time }),
    ...(isObject(body) && { body: fromAnyValue(body) }),
    ...(0 < Object.keys(attributes).length && { attributes }),
    ...(0 < Object.keys(resource).length && { resource }),
    ...(0 < Object.keys(scope).length && { scope }),
  };
}

/** Nanoseconds, whose zero stands for none, in milliseconds. */
function toMilliseconds(nanoseconds: unknown): number | undefined {
  const digits = String(nanoseconds ?? '');
  return /^[1-9]\d{0,19}$/.test(digits) ? Number(BigInt(digits) / 1_000_000n) : undefined;
}

function scopeOf(scope: unknown): Members {
  if (!isObject(scope)) return {};
  const { attributes: _, ...others } = scope;
  return { ...others, ...attributesOf(scope) };
}

function listOf(members: Members, ...names: readonly string[]): readonly Members[] {
  return names.flatMap((name) => {
    const list = members[name];
    return Array.isArray(list) ? list.filter(isObject) : [];
  });
}

function attributesOf(holder: unknown): Members {
  const list = isObject(holder) ? holder.attributes : undefined;
  return fromPairs(Array.isArray(list) ? list : []);
}

function fromPairs(list: readonly unknown[]): Members {
  const members = Object.create(null) as Record<string, unknown>;
  for (const pair of list)
    if (isObject(pair) && typeof pair.key === 'string') members[pair.key] = fromAnyValue(pair.value);
  return members;
}

/** The JSON value of an `AnyValue`; 64-bit integers beyond doubles stay digits in a text. */
function fromAnyValue(value: unknown): unknown {
  if (!isObject(value)) return null;
  const [name = '', held] = Object.entries(value)[0] ?? [];
  switch (inCamelCase(name)) {
    case 'intValue': {
      const number = Number(held);
      return Number.isSafeInteger(number) ? number : held;
    }
    case 'doubleValue':
      return typeof held === 'string' && Number.isFinite(Number(held)) ? Number(held) : held;
    case 'arrayValue':
      return isObject(held) && Array.isArray(held.values) ? held.values.map(fromAnyValue) : [];
    case 'kvlistValue':
      return fromPairs(isObject(held) && Array.isArray(held.values) ? held.values : []);
    default:
      return held ?? null;
  }
}

function inCamelCase(name: string): string {
  return name.includes('_') ? name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) : name;
}

/** Attributes of the semantic conventions that are fields of logs; the first that is there counts. */
const conventions = {
  source: [['resource', 'service.name']],
  machine: [
    ['resource', 'host.name'],
    ['resource', 'k8s.pod.name'],
  ],
  process: [
    ['resource', 'process.pid'],
    ['attributes', 'process.pid'],
  ],
  className: [
    ['scope', 'name'],
    ['attributes', 'code.namespace'],
  ],
  methodName: [
    ['attributes', 'code.function.name'],
    ['attributes', 'code.function'],
  ],
  username: [
    ['attributes', 'user.name'],
    ['attributes', 'enduser.id'],
  ],
  thread: [
    ['attributes', 'thread.name'],
    ['attributes', 'thread.id'],
  ],
  stackTraces: [['attributes', 'exception.stacktrace']],
} as const;

/** Levels by `SeverityNumber`, four numbers each. */
const severities = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

/**
 * Returns the members of a log record of others: what its attributes say of the fields of logs is beside its body. A
 * severity without a text has that of its number.
 */
export function withConventions(record: Members): Members {
  const members: Record<string, unknown> = { ...record };
  for (const [field, paths] of Object.entries(conventions))
    for (const [holder, name] of paths) {
      const held = members[holder];
      if (members[field] !== undefined || !isObject(held) || held[name] === undefined) continue;
      const { [name]: value, ...others } = held;
      members[field] = value;
      members[holder] = 0 < Object.keys(others).length ? others : undefined;
    }
  const number = Number(record.severityNumber ?? Number.NaN);
  const level = severities[Math.trunc((number - 1) / 4)];
  if ((record.severityText ?? '') === '' && level !== undefined) members.severityText = level;
  return members;
}

/** Reports if a log record is one that this program wrote. */
export function isOwnOtlp({ attributes }: Members): boolean {
  return isObject(attributes) && attributes['logquarry.id'] !== undefined;
}
