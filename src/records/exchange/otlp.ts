import { isObject } from '../json/exact-json.ts';
import type { Log } from '../log.ts';
import { epochNanoseconds } from './nanoseconds.ts';
import { type OutgoingLog, ownNamespace } from './outgoing-log.ts';

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
export interface OtlpRequest {
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
      const made = {
        ...(className !== undefined && { scope: { name: wellFormed(className) } }),
        logRecords: [],
      };
      resource.of.scopeLogs.push(made);
      return made;
    });
    scope.logRecords.push(toLogRecord(outgoing));
  }
  return { resourceLogs: [...resources.values()].map(({ of }) => of) };
}

function grouped<V>(groups: Map<string, V>, key: string, make: () => V): V {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made = make();
  groups.set(key, made);
  return made;
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
