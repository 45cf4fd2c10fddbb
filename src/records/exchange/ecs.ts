import { ExactNumber } from '../json/exact-json.ts';
import { durationNanoseconds } from './nanoseconds.ts';
import { type OutgoingLog, ownNamespace } from './outgoing-log.ts';

/** Version of the Elastic Common Schema whose names `toEcs` uses. */
const schemaVersion = '8.11.0';

/** A JSON object with members in several levels. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Converts a log to an event of the Elastic Common Schema, as nested JSON for `writeExactJson`. Absent
 * fields are left out. `log.level` and all texts stay as they are; `event.code` is text, so that no
 * code is rounded; `event.duration` is in nanoseconds, and absent if nothing was measured. Members
 * without a name in the schema are `labels`, as text. Source: the fields reference of ECS 8.11.
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
    [ownNamespace]: origin && present(origin),
  });
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
