import { ExactNumber, isObject } from './exact-json.ts';
import type { Extra, Log } from './log.ts';

/** Version of the Elastic Common Schema whose names `toEcs` uses. */
const schemaVersion = '8.11.0';

/** A JSON object with members in several levels. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Converts a log to an event of the Elastic Common Schema, as nested JSON for `writeExactJson`. Absent
 * fields are left out. `log.level` and all texts stay as they are; `event.code` is text, so that no
 * code is rounded; `event.duration` is in nanoseconds, and absent if nothing was measured. Members
 * without a name in the schema are `labels`, as text, and as JSON in `logquarry.extra` where that differs. Source: the fields reference of ECS 8.11.
 */
export function toEcs({ log, extra, origin }: OutgoingLog): Members {
  return present({
    '@timestamp': isoTime(log.time),
    ecs: { version: schemaVersion },
    message: log.msg,
    log: present({
      level: log.logLevel,
      logger: log.className,
      origin: present({ function: log.methodName }),
    }),
    event: present({ code: log.logCode?.toString(), duration: duration(log.elapsed) }),
    service: present({ name: log.source, type: log.serviceTypes }),
    host: present({ hostname: log.machine }),
    process: present({
      ...numberOrName(log.process, 'pid', 'name'),
      thread: present(numberOrName(log.thread, 'id', 'name')),
    }),
    user: present({ name: log.username }),
    http: present({ request: present({ id: log.requestID }) }),
    error: present({ stack_trace: log.stackTraces }),
    labels: extra && present(toLabels(extra)),
    [ownNamespace]: origin && present({ ...origin, ...unnamed(log, extra) }),
  });
}

/** Values that the schema cannot hold exactly: times that are no whole nanoseconds, and members that are no labels. */
function unnamed({ elapsed }: Log, extra: Extra = {}): Members {
  const labels = toLabels(extra);
  const isExact = elapsed === undefined || Number(durationNanoseconds(elapsed)) / 1e9 === elapsed;
  const areLabels = Object.entries(extra).every(([key, value]) => value === labels[key]);
  return {
    elapsed_s: isExact ? undefined : elapsed,
    extra: areLabels ? undefined : JSON.stringify(extra),
  };
}

/** The members that have a value; undefined if no one has, unless the object is the event itself. */
function present<M extends Members>(members: M): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isAbsent(value)));
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' &&
      value !== null &&
      !(value instanceof ExactNumber) &&
      Object.keys(value).length === 0)
  );
}

function isoTime(time: number | undefined): string | undefined {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function duration(elapsed: number | undefined): ExactNumber | undefined {
  const digits = elapsed === undefined ? undefined : durationNanoseconds(elapsed);
  return digits === undefined ? undefined : new ExactNumber(digits);
}

/** A text as a number if it is one exactly, because the schema has two fields; else as a name. */
function numberOrName(text: string | undefined, number: string, name: string): Members {
  if (text === undefined) return {};
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text && 0 <= value
    ? { [number]: value }
    : { [name]: text };
}

/** Characters that Elasticsearch takes for a path, a pattern or an error in the name of a field. */
const reserved = /[.*"\s\u0000]/g;

/** Flat texts by key. A key that another one already has after cleaning gets a number. */
function toLabels(extra: Members): Members {
  const labels = new Map<string, string>();
  for (const [key, value] of Object.entries(extra)) {
    const clean = key.replace(reserved, '_') || '_';
    let name = clean;
    for (let count = 2; labels.has(name); count++) name = `${clean}_${count}`;
    labels.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return Object.fromEntries(labels);
}

/** A log for another system. */
export interface OutgoingLog {
  readonly log: Log;
  /** Members of the record that are not log fields. */
  readonly extra?: Extra;
  /** Facts about the log beyond its record, such as its id in a case and its position in the original. */
  readonly origin?: Readonly<Record<string, string | number | boolean>>;
}

/** Namespace of fields that a foreign schema has no name for. */
const ownNamespace = 'logquarry';

/** Bounds of 64-bit integers. */
const maxInteger = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n };

/**
 * Converts milliseconds since the epoch to nanoseconds in the digits of an unsigned 64-bit integer, as
 * OTLP writes times. Undefined for a time up to 1970, since zero stands for none, or after 2554.
 */
export function epochNanoseconds(time: number): string | undefined {
  const nanoseconds = BigInt(Math.trunc(time)) * 1_000_000n;
  return 0n < nanoseconds && nanoseconds <= maxInteger.unsigned ? String(nanoseconds) : undefined;
}

/**
 * Converts decimal seconds to whole nanoseconds, in digits; undefined if they are not measured (zero),
 * negative, or beyond a signed 64-bit integer. Works on the decimal digits: a product of doubles is
 * rounded above 2^53 nanoseconds, which are 104 days.
 */
export function durationNanoseconds(seconds: number): string | undefined {
  if (!(0 < seconds && seconds < 1e10)) return undefined;
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d{9})$/.exec(seconds.toFixed(9)) ?? [];
  const nanoseconds = BigInt(whole + fraction);
  return nanoseconds === 0n || maxInteger.signed < nanoseconds ? undefined : String(nanoseconds);
}

/** A value of an attribute in OTLP/JSON; `{}` is null. 64-bit integers are digits in a text. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly Attribute[] } }
  | Readonly<Record<string, never>>;

interface Attribute {
  readonly key: string;
  readonly value: AnyValue;
}

interface LogRecord {
  readonly timeUnixNano?: string;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: AnyValue;
  readonly attributes: readonly Attribute[];
  readonly traceId?: string;
}

interface ScopeLogs {
  readonly scope?: { readonly name: string };
  readonly logRecords: LogRecord[];
}

interface ResourceLogs {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeLogs: ScopeLogs[];
}

/** A request that hands logs to an OpenTelemetry collector. */
interface OtlpRequest {
  readonly resourceLogs: readonly ResourceLogs[];
}

/**
 * Severity numbers of the levels. SEVERE is ERROR, since the deployment goes on after it. FINE, VERBOSE
 * and DEBUG are all of the DEBUG range, in the deployment's order of severity.
 */
const severityNumbers: ReadonlyMap<string, number> = new Map([
  ['SEVERE', 17],
  ['WARNING', 13],
  ['INFO', 9],
  ['FINE', 7],
  ['VERBOSE', 6],
  ['DEBUG', 5],
]);

/**
 * Converts logs to one `ExportLogsServiceRequest` of OTLP/JSON, for `JSON.stringify`. Logs of one source,
 * machine and process share a resource, and those of one class a scope; within these the order stays. Absent
 * fields are left out. A text that is no Unicode gets replacement characters, because Protobuf refuses
 * others. Source: the OTLP specification (JSON Protobuf encoding) and the OpenTelemetry log data model.
 */
export function toOtlp(logs: readonly OutgoingLog[]): OtlpRequest {
  const resources = new Map<string, { readonly of: ResourceLogs; readonly scopes: Map<string, ScopeLogs> }>();
  for (const outgoing of logs) {
    const { log } = outgoing;
    const { className } = log;
    const resource = grouped(resources, JSON.stringify([log.source, log.machine, log.process]), () => ({
      of: { resource: { attributes: resourceAttributes(log) }, scopeLogs: [] },
      scopes: new Map(),
    }));
    const scope = grouped(resource.scopes, JSON.stringify([className]), () => {
      const scopeLogs = {
        ...(className !== undefined && { scope: { name: wellFormed(className) } }),
        logRecords: [],
      };
      resource.of.scopeLogs.push(scopeLogs);
      return scopeLogs;
    });
    scope.logRecords.push(toLogRecord(outgoing));
  }
  return { resourceLogs: [...resources.values()].map(({ of }) => of) };
}

function grouped<V>(groups: Map<string, V>, key: string, make: () => V): V {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group = make();
  groups.set(key, group);
  return group;
}

function resourceAttributes(log: Log): Attribute[] {
  const isNumber = /^(?:0|[1-9]\d{0,14})$/.test(log.process ?? '');
  return attributes({
    'service.name': log.source,
    'host.name': log.machine,
    ...(isNumber ? { 'process.pid': Number(log.process) } : { [`${ownNamespace}.process`]: log.process }),
  });
}

function toLogRecord({ log, extra, origin }: OutgoingLog): LogRecord {
  const timeUnixNano = log.time === undefined ? undefined : epochNanoseconds(log.time);
  const severityNumber = severityNumbers.get(log.logLevel?.toUpperCase() ?? '');
  const traceId = traceIdOf(log.requestID);
  return {
    ...(timeUnixNano !== undefined && { timeUnixNano }),
    ...(severityNumber !== undefined && { severityNumber }),
    ...(log.logLevel !== undefined && { severityText: wellFormed(log.logLevel) }),
    ...(log.msg !== undefined && { body: { stringValue: wellFormed(log.msg) } }),
    attributes: [
      ...attributes({
        'code.function.name': log.methodName,
        'exception.stacktrace': log.stackTraces,
        'thread.name': log.thread,
        'user.name': log.username,
        [`${ownNamespace}.code`]: log.logCode,
        [`${ownNamespace}.request_id`]: log.requestID,
        [`${ownNamespace}.service_types`]: log.serviceTypes,
        // The unsigned nanoseconds of OTLP cannot express a time before 1970.
        [`${ownNamespace}.time_ms`]: timeUnixNano === undefined ? log.time : undefined,
      }),
      // Always a double, so that the attribute has one type.
      ...(log.elapsed === undefined
        ? []
        : [{ key: `${ownNamespace}.elapsed_s`, value: { doubleValue: log.elapsed } }]),
      ...attributes(origin ?? {}, `${ownNamespace}.`),
      ...attributes(extra ?? {}, `${ownNamespace}.extra.`),
    ],
    ...(traceId !== undefined && { traceId }),
  };
}

/** The 16 bytes of a UUID or a trace id in hexadecimal; undefined for other ids, and for zero, which is invalid. */
function traceIdOf(requestId: string | undefined): string | undefined {
  const digits = requestId?.replaceAll('-', '').toLowerCase() ?? '';
  return /^[\da-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : undefined;
}

function attributes(values: Readonly<Record<string, unknown>>, prefix = ''): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key: wellFormed(prefix + key), value: toAnyValue(value) }],
  );
}

function toAnyValue(value: unknown): AnyValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: wellFormed(value) };
    case 'boolean':
      return { boolValue: value };
    case 'bigint':
      return { intValue: String(value) };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
      return isObject(value) ? { kvlistValue: { values: attributes(value) } } : {};
  }
}

/** Replaces unpaired surrogates. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** Tags and comments of a log. */
export interface Annotation {
  readonly tags: readonly string[];
  readonly comments: readonly string[];
}

/** An event of Timesketch: one line of its JSONL import. */
type TimesketchEvent = Readonly<Record<string, string | number | bigint | readonly string[]>>;

/**
 * Converts a log to an event of Timesketch, which requires `message`, `datetime` and `timestamp_desc`
 * (https://timesketch.org/guides/user/import-from-json-csv/). Members that are no fields are JSON in `extra`.
 * Undefined for a log without a time.
 */
export function toTimesketch(
  { log, extra }: OutgoingLog,
  { tags, comments }: Annotation,
): TimesketchEvent | undefined {
  const { time, msg, stackTraces, ...others } = log;
  if (time === undefined) return undefined;
  return {
    message: msg ?? '',
    datetime: new Date(time).toISOString().replace('Z', '+00:00'),
    timestamp_desc: 'Log time',
    data_type: 'gis:deployment:log',
    ...others,
    ...(stackTraces !== undefined && { stackTraces }),
    ...(extra && { extra: JSON.stringify(extra) }),
    ...(0 < tags.length && { tag: tags }),
    ...(0 < comments.length && { comment: comments.join('\n') }),
  };
}
