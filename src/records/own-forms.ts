import { isObject, parseJson } from './exact-json.ts';
import { type Extra, type Log, type LogField, logFields } from './log.ts';
import { isOwnOtlp, valueAt } from './otlp.ts';
import { toInteger } from './to-log.ts';

type Members = Readonly<Record<string, unknown>>;

/** Losses of forms. `docs/formats.md` prints the texts, and imports of such a form say them. */
export const formLosses = {
  noTime: 'Logs without a time are left out',
  escapes: 'Control characters and invisible ones come back as the escapes that stand for them',
  cutTexts: 'Texts end after 32,000 characters',
} as const;

/** Something that a form cannot carry. */
export type FormLoss = keyof typeof formLosses;

/** A form in which this program writes logs. */
interface OwnForm {
  /** The options that write it. */
  readonly written: string;
  /** Signs by which it differs from the files of others. */
  readonly recognised: string;
  readonly losses: readonly FormLoss[];
  /** Reads the members of a record, a row or a log record; undefined if they are not of this form. */
  readonly read: (members: Members) => OwnLog | undefined;
}

/** A log as it was before it was written, with what was written beside it. */
interface OwnLog {
  readonly log: Log;
  readonly extra: Members;
  /** Origin of the log, and what was known of it there. */
  readonly origin: Members;
}

/** The forms whose logs come back as they were. The manual has this table, and a property writes and reads each. */
export const ownForms = {
  JSON: {
    written: '`--json`, `--ndjson`, hand-over, page',
    recognised: '`log`, `id`, `part`, `entry`, `position`',
    losses: [],
    read: readNested,
  },
  rows: {
    written: '`--csv`, `--raw-csv`, `--parquet`, hand-over, page, `sql` over `logs`',
    recognised: '`id`, `part`, `entry`, `position`, and no column that is unknown',
    losses: [],
    read: readRow,
  },
  workbook: {
    written: '`--xlsx`, page',
    recognised: 'the same columns in a workbook',
    losses: ['escapes', 'cutTexts'],
    read: readRow,
  },
  ECS: { written: '`--ecs`', recognised: '`ecs.version`, `logquarry`', losses: [], read: readEcs },
  OTLP: { written: '`--otlp`', recognised: 'the attribute `logquarry.id`', losses: [], read: readOtlp },
  Timesketch: {
    written: '`report --to timesketch`',
    recognised: '`data_type`, `timestamp_desc`',
    losses: ['noTime'],
    read: readTimesketch,
  },
} as const satisfies Record<string, OwnForm>;

/** Name of a form in which this program writes logs. */
export type OwnFormName = keyof typeof ownForms;

/** A log that this program wrote, and the form of it. */
export interface ReadOwnLog {
  readonly form: OwnFormName;
  readonly log: Log;
  readonly extra: Extra;
}

const readers = Object.entries(ownForms) as readonly (readonly [OwnFormName, OwnForm])[];

/**
 * Reads a log that this program wrote, exactly as it was; undefined if the members are not of such a form. Where it
 * came from is in `extra` under `logquarry`, with what stood there before.
 */
export function readOwnLog(members: Members): ReadOwnLog | undefined {
  for (const [form, { read }] of readers) {
    const found = read(members);
    if (!found) continue;
    const extra = Object.assign(Object.create(null) as Record<string, unknown>, found.extra);
    const before = extra[originKey];
    extra[originKey] = before === undefined ? found.origin : { ...found.origin, [originKey]: before };
    return { form, log: found.log, extra };
  }
  return undefined;
}

/** The member of `extra` that says where a log came from. */
const originKey = 'logquarry';

/** The members of a log's origin, in their order. */
const originNames = ['id', 'part', 'entry', 'position'] as const;

function hasOrigin(members: Members): boolean {
  return originNames.every((name) => typeof members[name] === 'number' || typeof members[name] === 'string');
}

const fieldNames: ReadonlySet<string> = new Set(logFields);

function readNested(members: Members): OwnLog | undefined {
  if (!hasOrigin(members) || !isObject(members.log)) return undefined;
  const { log, extra, ...origin } = members;
  return owned(log, extra, origin);
}

/** Columns that a row has beside its fields and its origin. */
const otherColumns: ReadonlySet<string> = new Set([...originNames, 'extra', 'case', 'score', 'hit']);

function readRow(members: Members): OwnLog | undefined {
  if (!hasOrigin(members)) return undefined;
  const fields = Object.create(null) as Record<string, unknown>;
  const origin = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(members))
    if (fieldNames.has(name)) fields[name] = value;
    else if (!otherColumns.has(name)) return undefined;
    else if (name !== 'extra' && value !== null) origin[name] = asNumber(value);
  return owned(fields, members.extra, origin);
}

/** Reports if members are the start of a row of `sql`, whose `extra` comes before the end of its origin. */
export function isRowStart(members: Members): boolean {
  const names = Object.keys(members);
  return (
    names[0] === 'id' &&
    'stackTraces' in members &&
    names.every((name) => fieldNames.has(name) || otherColumns.has(name))
  );
}

/** Reports if columns are those of rows that this program wrote, in any order: `sql` over the logs has its own. */
export function areOwnColumns(columns: readonly string[]): boolean {
  return (
    originNames.every((name) => columns.includes(name)) &&
    columns.every((name) => fieldNames.has(name) || otherColumns.has(name))
  );
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
}

/** Paths of the fields of logs in events of the Elastic Common Schema. */
const ecsPaths = {
  time: ['@timestamp'],
  logCode: ['event.code'],
  elapsed: ['logquarry.elapsed_s', 'event.duration'],
  logLevel: ['log.level'],
  source: ['service.name'],
  msg: ['message'],
  className: ['log.logger'],
  methodName: ['log.origin.function'],
  username: ['user.name'],
  requestID: ['http.request.id'],
  serviceTypes: ['service.type'],
  machine: ['host.hostname'],
  process: ['process.pid', 'process.name'],
  thread: ['process.thread.id', 'process.thread.name'],
  stackTraces: ['error.stack_trace'],
} as const satisfies Record<LogField, readonly string[]>;

function readEcs(members: Members): OwnLog | undefined {
  const { labels, logquarry, ecs } = members;
  if (!isObject(logquarry) || !isObject(ecs) || typeof ecs.version !== 'string') return undefined;
  const fields = Object.create(null) as Record<string, unknown>;
  for (const field of logFields)
    for (const path of ecsPaths[field]) {
      const value = valueAt(members, path);
      if (value === undefined) continue;
      if (path === 'event.duration') fields[field] = Number(value) / 1e9;
      else fields[field] = /^process\..*id$/.test(path) ? String(value) : value;
      break;
    }
  const { extra, elapsed_s, ...origin } = logquarry;
  return owned(fields, extra ?? labels, origin);
}

/** Paths of the fields of logs in log records of OTLP, as `otlpMembers` gives them. */
const otlpPaths = {
  time: ['attributes.logquarry.time_ms', 'time'],
  logCode: ['attributes.logquarry.code'],
  elapsed: ['attributes.logquarry.elapsed_s'],
  logLevel: ['severityText'],
  source: ['resource.service.name'],
  msg: ['body'],
  className: ['scope.name'],
  methodName: ['attributes.code.function.name'],
  username: ['attributes.user.name'],
  requestID: ['attributes.logquarry.request_id'],
  serviceTypes: ['attributes.logquarry.service_types'],
  machine: ['resource.host.name'],
  process: ['resource.process.pid', 'resource.logquarry.process'],
  thread: ['attributes.thread.name'],
  stackTraces: ['attributes.exception.stacktrace'],
} as const satisfies Record<LogField, readonly string[]>;

const otlpNames: ReadonlySet<string> = new Set(
  Object.values(otlpPaths).flatMap((paths) => paths.map((path) => path.replace(/^attributes\./, ''))),
);

function readOtlp(record: Members): OwnLog | undefined {
  if (!isOwnOtlp(record)) return undefined;
  const { attributes, resource, ...members } = record;
  if (!isObject(attributes)) return undefined;
  const fields = Object.create(null) as Record<string, unknown>;
  const within: Members = { ...members, attributes, resource };
  for (const field of logFields)
    for (const path of otlpPaths[field]) {
      const [first = '', name = ''] = path.split(/\.(.*)/s);
      const found = within[first];
      const value = name === '' ? found : isObject(found) ? found[name] : undefined;
      if (value !== undefined) fields[field] ??= field === 'process' ? String(value) : value;
    }
  const extra = Object.create(null) as Record<string, unknown>;
  const origin = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('logquarry.extra.')) extra[name.slice('logquarry.extra.'.length)] = value;
    else if (name.startsWith('logquarry.') && !otlpNames.has(name))
      origin[name.slice('logquarry.'.length)] = value;
  return owned(fields, extra, origin);
}

function readTimesketch(members: Members): OwnLog | undefined {
  if (members.data_type !== 'gis:deployment:log' || typeof members.timestamp_desc !== 'string')
    return undefined;
  const { message, datetime, timestamp_desc: _, data_type: __, extra, tag, comment, ...fields } = members;
  const origin = { ...(tag !== undefined && { tag }), ...(comment !== undefined && { comment }) };
  return owned({ ...fields, time: datetime, msg: message }, extra, origin);
}

/** A log of fields as this program writes them; undefined if one is otherwise, as in a file that was edited. */
function owned(fields: Members, extra: unknown, origin: Members): OwnLog | undefined {
  const log: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === '' || value === undefined) continue;
    const read = fieldNames.has(name) ? readField(name as LogField, value) : undefined;
    if (read === undefined) return undefined;
    log[name] = read;
  }
  return { log, extra: membersOf(extra), origin };
}

/** The members beside the fields, which tables have as JSON. Another text, such as one that was cut, stays as it is. */
function membersOf(extra: unknown): Members {
  if (extra === null || extra === undefined || extra === '') return {};
  if (isObject(extra)) return extra;
  if (typeof extra !== 'string') return { extra };
  try {
    const members = parseJson(extra);
    return isObject(members) ? members : { extra };
  } catch {
    return { extra };
  }
}

function readField(field: LogField, value: unknown): number | bigint | string | undefined {
  switch (field) {
    case 'time':
      return typeof value === 'number' ? value : ownTime(value);
    case 'logCode':
      return toInteger(value);
    case 'elapsed': {
      const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : undefined;
    }
    default:
      return typeof value === 'string' ? value.toWellFormed() : undefined;
  }
}

/** Times as this program and its database write them: UTC, to the millisecond. */
const writtenTime =
  /^([+-]?\d{4,6})-(\d\d)-(\d\d)( \(BC\))?[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d{0,3})?(?:Z|\+00(?::00)?)?$/;

function ownTime(value: unknown): number | undefined {
  const match = writtenTime.exec(String(value));
  if (!match) return undefined;
  const [, year, month, day, era, hour, minute, second, fraction = ''] = match;
  const date = new Date(0);
  date.setUTCFullYear(era === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day));
  return date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0')));
}
