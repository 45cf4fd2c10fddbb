import { isAccessLog, nestedAccessLog, readAccessLog } from './access-logs.ts';
import { isObject } from './exact-json.ts';
import { parseJsonObject, readJsonMembers, readRecordMembers } from './json.ts';
import { readLevel } from './levels.ts';
import { withoutColours } from './line-prefix.ts';
import {
  aliasOf,
  type Extra,
  type LogRecord,
  newMembers,
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  type Remark,
} from './log.ts';
import { isOtlpResource, isOwnOtlp, otlpRecords, withConventions } from './otlp.ts';
import { readOwnLog } from './own-forms.ts';
import { readKnownText } from './text-formats.ts';
import { readLogTime } from './time.ts';
import { besideTime, zoneOfKey } from './to-log.ts';
import { membersOfMsg } from './xml.ts';

type Members = Readonly<Record<string, unknown>>;

/** A record of another tool that has a log in one of its members. A path has points between its members. */
interface Envelope {
  /** Whose records, as remarks name them. */
  readonly of: string;
  /** Paths of the log: an object, or a text that is JSON, a `<Msg>` or a plain message. The first one counts. */
  readonly paths: readonly string[];
  /** Members that all such records have, and members of which each has one. */
  readonly all?: readonly string[];
  readonly any?: readonly string[];
  /** Time of the tool, for a log that has none. */
  readonly time: readonly string[];
  /** Level that the tool took from the log, for a log that has none. */
  readonly level?: string;
  /** Members that are named like fields of a log, but say something about the tool. */
  readonly foreign?: readonly string[];
  /** Each member of the log is a list of its values, mostly of one. */
  readonly areLists?: boolean;
  /** Members with the same log once more. */
  readonly copies?: readonly string[];
  /** Members, with their values, by which a text goes on in the next record. */
  readonly partial?: readonly (readonly [path: string, value: unknown])[];
}

/**
 * The records of tools that collect, store and show logs, from their documents. An earlier row counts
 * if several fit. `docs/formats.md` prints the table.
 */
export const envelopes: readonly Envelope[] = [
  {
    of: 'docker json-file',
    paths: ['log'],
    all: ['stream', 'time'],
    time: ['time'],
    partial: [['attrs.partial_message', 'true']],
  },
  {
    of: 'filebeat',
    paths: ['message', 'json'],
    any: [
      'beat',
      'agent.type',
      'agent.ephemeral_id',
      '@metadata.beat',
      'input_type',
      'input.type',
      'prospector.type',
    ],
    time: ['@timestamp'],
    foreign: ['source', 'type', 'offset', 'host', 'beat', 'input_type', 'fields'],
  },
  {
    of: 'Fluent Bit',
    paths: ['log', 'message', 'MESSAGE'],
    any: ['log_processed', 'kubernetes', 'logtag', '_p', 'stream', 'container_name', 'container_id'],
    time: ['@timestamp', 'time', 'timestamp', 'date'],
    foreign: ['source'],
    copies: ['log_processed'],
    partial: [
      ['logtag', 'P'],
      ['_p', 'P'],
      ['partial_message', 'true'],
    ],
  },
  {
    of: 'Vector',
    paths: ['message'],
    any: ['source_type', 'vector'],
    time: ['timestamp'],
    foreign: ['host', 'source_type', 'file'],
  },
  {
    of: 'Loki',
    paths: ['line', 'Line', 'entry'],
    any: ['labels', 'tsNs', 'stream', 'ts', 'timestamp', 'Time', 'fields', 'detected_level'],
    time: ['timestamp', 'ts', 'tsNs', 'date', 'Date', 'Time'],
    level: 'labels.level',
    foreign: ['id', 'nanos'],
  },
  {
    of: 'CloudWatch',
    paths: ['message'],
    all: ['timestamp'],
    any: ['ingestionTime', 'eventId', 'logStreamName'],
    time: ['timestamp', 'ingestionTime'],
  },
  {
    of: 'CloudWatch',
    paths: ['@message'],
    any: ['@timestamp', '@ptr', '@logStream', '@log', '@ingestionTime'],
    time: ['@timestamp', '@ingestionTime'],
  },
  {
    of: 'Google Cloud',
    paths: ['jsonPayload', 'textPayload', 'protoPayload'],
    time: ['timestamp', 'receiveTimestamp'],
    level: 'severity',
  },
  {
    of: 'Azure',
    paths: ['LogMessage', 'LogEntry', 'properties.log', 'Log_s', 'log_s', 'Log'],
    any: [
      'TimeGenerated',
      'TimeGenerated [UTC]',
      'TimeGenerated [Local Time]',
      'time',
      '_timestamp_d',
      'TableName',
      'ContainerName',
      'ContainerName_s',
    ],
    time: ['TimeGenerated', 'TimeGenerated [UTC]', 'TimeGenerated [Local Time]', 'time', '_timestamp_d'],
    level: 'LogLevel',
    foreign: ['Type', 'category', 'level'],
  },
  {
    of: 'Azure',
    paths: ['resultDescription', 'ResultDescription'],
    any: ['resourceId', 'ResourceId', 'category', 'Category'],
    time: ['time', 'TimeGenerated', 'TimeGenerated [UTC]'],
    level: 'level',
    foreign: ['category', 'Type', 'level'],
  },
  {
    of: 'Sumo Logic',
    paths: ['_raw', 'map._raw'],
    any: ['_messageTimeMs', '_messageTime', '_messagetime', 'map._messagetime'],
    time: ['_messageTimeMs', '_messagetime', '_messageTime', 'map._messagetime'],
  },
  { of: 'Splunk', paths: ['_raw'], time: ['_time'], foreign: ['source', 'host', 'type', 'sourcetype'] },
  { of: 'Splunk', paths: ['result'], any: ['preview', 'offset', 'lastrow'], time: [] },
  {
    of: 'Splunk',
    paths: ['event'],
    any: ['sourcetype', 'index'],
    time: ['time'],
    foreign: ['source', 'host', 'sourcetype', 'index'],
  },
  {
    of: 'Graylog',
    paths: ['full_message', 'short_message', 'message'],
    any: [
      'gl2_message_id',
      'gl2_source_input',
      'gl2_source_node',
      'gl2_remote_ip',
      'gl2_accounted_message_size',
    ],
    time: ['timestamp'],
    level: 'level',
    foreign: ['source', 'facility', 'streams'],
  },
  { of: 'Graylog', paths: ['message'], any: ['highlight_ranges', 'decoration_stats'], time: [] },
  {
    of: 'GELF',
    paths: ['full_message', 'short_message'],
    all: ['version', 'host'],
    time: ['timestamp'],
    level: 'level',
    foreign: ['host', 'facility'],
  },
  { of: 'Elasticsearch', paths: ['_source'], any: ['_index', '_id'], time: [] },
  { of: 'Elasticsearch', paths: ['fields'], any: ['_index', '_id'], time: [], areLists: true },
  {
    of: 'Kibana',
    paths: ['Document'],
    any: ['Time', '@timestamp'],
    time: ['Time', '@timestamp'],
    areLists: true,
  },
  {
    of: 'journald',
    paths: ['MESSAGE'],
    any: [
      '__REALTIME_TIMESTAMP',
      '_SOURCE_REALTIME_TIMESTAMP',
      '__CURSOR',
      'PRIORITY',
      '_PID',
      'SYSLOG_IDENTIFIER',
    ],
    time: ['_SOURCE_REALTIME_TIMESTAMP', '__REALTIME_TIMESTAMP'],
    level: 'PRIORITY',
    partial: [['CONTAINER_PARTIAL_MESSAGE', 'true']],
  },
  {
    of: 'Datadog',
    paths: ['content.attributes', 'attributes.attributes'],
    all: ['id', 'type'],
    any: ['content.attributes', 'attributes.attributes'].flatMap((path) => [
      `${path}.msg`,
      `${path}.message`,
    ]),
    time: ['content.timestamp', 'attributes.timestamp'],
  },
  {
    of: 'Datadog',
    paths: ['attributes.message'],
    all: ['id', 'type', 'attributes.timestamp'],
    time: ['attributes.timestamp'],
    level: 'attributes.status',
  },
  {
    of: 'Datadog',
    paths: ['content.message'],
    all: ['id', 'content.timestamp'],
    time: ['content.timestamp'],
    level: 'content.status',
  },
  {
    of: 'Datadog',
    paths: ['content.attributes', 'content', 'attributes.attributes', 'attributes'],
    all: ['id', 'type'],
    any: ['content.timestamp', 'attributes.timestamp'],
    time: ['content.timestamp', 'attributes.timestamp'],
  },
  {
    of: 'OpenTelemetry',
    paths: ['body'],
    any: ['severityText', 'severityNumber', 'attributes', 'resource', 'scope', 'traceId'],
    time: ['time'],
    level: 'severityText',
  },
  {
    of: 'OpenTelemetry',
    paths: ['Body'],
    any: ['SeverityText', 'SeverityNumber', 'Attributes', 'Resource', 'TraceId'],
    time: ['Timestamp', 'ObservedTimestamp'],
    level: 'SeverityText',
  },
  {
    of: 'Datadog',
    paths: ['Message'],
    all: ['Date'],
    any: ['Host', 'Service', 'Status'],
    time: ['Date'],
    level: 'Status',
  },
  {
    of: 'Kubernetes event',
    paths: ['message'],
    all: ['reason', 'involvedObject'],
    time: [
      ...['lastTimestamp', 'series.lastObservedTime', 'eventTime', 'firstTimestamp'],
      'metadata.creationTimestamp',
    ],
    level: 'type',
    foreign: ['type', 'source', 'action'],
  },
  {
    of: 'Kubernetes event',
    paths: ['note'],
    all: ['reason', 'regarding'],
    time: [
      ...['series.lastObservedTime', 'deprecatedLastTimestamp', 'eventTime', 'deprecatedFirstTimestamp'],
      'metadata.creationTimestamp',
    ],
    level: 'type',
    foreign: ['type', 'source', 'action'],
  },
  {
    of: 'LogDNA',
    paths: ['_line'],
    any: ['_ts', '_app', '_host', '_account'],
    time: ['_ts'],
    level: 'level',
  },
  { of: 'Honeycomb', paths: ['data'], all: ['Timestamp'], time: ['Timestamp'] },
  {
    of: 'OpenSearch Dashboards',
    paths: ['_source.message'],
    time: ['_source.@timestamp', '@timestamp'],
    level: '_source.log.level',
  },
];

/**
 * Members in which unknown tools may have a log. They count where the text is JSON of a log or a `<Msg>`,
 * and the record around it is no log of the deployment.
 */
export const otherPaths: readonly string[] = [
  ...['message', 'msg', 'log', 'line', '@message', '_raw', 'MESSAGE', 'LogMessage', 'textPayload', 'event'],
  ...[
    'body',
    'data',
    'payload',
    'content',
    'text',
    'record',
    'raw',
    'entry',
    'value',
    'original',
    'event.original',
  ],
];

const allPaths: ReadonlySet<string> = new Set(envelopes.flatMap(({ paths }) => paths));

/** Reports if records of known tools have their log under a name. */
export function isEnvelopePath(name: string): boolean {
  return allPaths.has(name);
}

/** A log found in a record, before its fields are read. */
interface OpenedLog {
  /** Paths from the outside, with the tool. */
  readonly path: string;
  readonly of: string;
  /** The members of the log, or its text. */
  readonly content: Members | string;
  /** The text that the content was read from, if it was one: it may go on in the next record. */
  readonly text: string | undefined;
  /** A `<Msg>` that lacks its end. */
  readonly isCut: boolean;
  /** Members of the records around the log, without its copies. */
  readonly around: Members;
  readonly envelope: Envelope;
}

/** The member with the log, as a caller names it: a path, or `none` where records are logs themselves. */
export type EnvelopePath = string;

/** Reports if records, given by their members, have a log inside. */
export function holdEnvelopes(records: readonly Members[], path?: EnvelopePath): boolean {
  // Records without the named member are told apart one by one.
  if (path !== undefined && path !== 'none') return 0 < records.length;
  return records.some(
    (members) =>
      isInsightsField(members) ||
      isOtlpResource(members) ||
      (path === undefined &&
        (readOwnLog(members) !== undefined ||
          isAccessLog(members) ||
          nestedAccessLog(members) !== undefined)) ||
      logsOf(members).some((log) => openEnvelope(log, path) !== undefined),
  );
}

/** Maximum number of envelopes in one another. */
const maxEnvelopes = 5;

/** Opens the outermost envelope of a record. */
function openEnvelope(members: Members, path?: EnvelopePath): OpenedLog | undefined {
  if (path === 'none') return undefined;
  if (path !== undefined) {
    const envelope = { of: 'its', paths: [path], time: usualTimes };
    return contentAt(members, path) === undefined ? undefined : opened(envelope, members, path);
  }
  const { known, others, ofLogs } = candidatesOf(members);
  for (const envelope of known) {
    const found = envelope.paths.find((path) => contentAt(members, path) !== undefined);
    if (found !== undefined && isOf(envelope, members)) return opened(envelope, members, found);
  }
  // A record with a code or a request is a log of the deployment.
  return ofLogs.some((key) => members[key] !== '') ? undefined : openOther(members, others);
}

/** Envelopes that names of members leave possible: records of one file mostly have the same names. */
interface Candidates {
  readonly names: readonly string[];
  /** Known envelopes whose members may be there. */
  readonly known: readonly Envelope[];
  /** Other paths that may be there. */
  readonly others: readonly string[];
  /** Names that only logs of the deployment have, if their values are not empty. */
  readonly ofLogs: readonly string[];
}

const candidatesByNames = new Map<string, Candidates>();

/** Maximum cached sets of names. Only a hostile file has more. */
const maxCandidates = 500;

function candidatesOf(members: Members): Candidates {
  const names = Object.keys(members);
  const key = names.join('\n');
  const cached = candidatesByNames.get(key);
  // Names with line feeds may have the key of others.
  if (cached?.names.length === names.length && names.every((name, at) => name === cached.names[at]))
    return cached;
  const has = (path: string) => path in members || (path.split('.')[0] ?? path) in members;
  const found = {
    names,
    known: envelopes.filter(
      ({ paths, all = [], any = [] }) =>
        paths.some(has) && all.every(has) && (any.length === 0 || any.some(has)),
    ),
    others: otherPaths.filter(has),
    ofLogs: names.filter((name) => ['logCode', 'requestID'].includes(aliasOf(name)?.field ?? '')),
  };
  if (candidatesByNames.size < maxCandidates) candidatesByNames.set(key, found);
  return found;
}

const usualTimes = ['@timestamp', 'timestamp', 'time', 'date', 'ts', '_time'];

function openOther(members: Members, paths: readonly string[]): OpenedLog | undefined {
  for (const path of paths) {
    const text = contentAt(members, path);
    if (typeof text !== 'string' || !/^\s*(\{|<msg\s)/i.test(text)) continue;
    const read = readContent(text);
    if (typeof read.content === 'string' || !holdsFields(read.content)) continue;
    return opened({ of: 'other', paths: [path], time: usualTimes }, members, path);
  }
  return undefined;
}

/** Reports if members are those of a log: a message, and a time, level or code. */
function holdsFields(members: Members): boolean {
  const fields = new Set(Object.keys(members).map((key) => aliasOf(key)?.field));
  return fields.has('msg') && ['time', 'logLevel', 'logCode'].some((field) => fields.has(field as 'time'));
}

function isOf({ all = [], any = [] }: Envelope, members: Members): boolean {
  const has = (path: string) => valueAt(members, path) !== undefined;
  return all.every(has) && (any.length === 0 || any.some(has));
}

function opened(envelope: Envelope, members: Members, path: string): OpenedLog {
  const found = contentAt(members, path) ?? '';
  const { content: read, isCut } = readContent(found);
  const text = typeof found === 'string' ? found : undefined;
  const { copies = [], areLists } = envelope;
  const content = areLists && typeof read !== 'string' ? withoutLists(read) : read;
  const around = without(members, [path.split('.')[0] ?? path, ...copies], path);
  return { path, of: envelope.of, content, text, isCut, around, envelope };
}

/** The members with the value in place of each list that has one. */
function withoutLists(members: Members): Members {
  const values = Object.entries(members).map(([key, value]) => [
    key,
    Array.isArray(value) && value.length === 1 ? value[0] : value,
  ]);
  return Object.fromEntries(values);
}

/** The members but those of some names; of the one with the log, what it has beside it. */
function without(members: Members, names: readonly string[], path: string): Members {
  const left = newMembers();
  for (const key of Object.keys(members)) if (key !== path && !names.includes(key)) left[key] = members[key];
  if (path in members) return left;
  const [first = '', ...others] = path.split('.');
  const beside = members[first];
  if (0 < others.length && isObject(beside)) {
    const rest = without(beside, [others[0] ?? ''], others.join('.'));
    if (0 < Object.keys(rest).length) left[first] = rest;
  }
  return left;
}

/** Returns the value at a path: the members may have it under the whole path, too. */
function valueAt(members: Members, path: string): unknown {
  if (path in members) return Object.hasOwn(members, path) ? members[path] : undefined;
  let value: unknown = members;
  if (!path.includes('.')) return undefined;
  for (const name of path.split('.'))
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Returns the log at a path, if it is one: an object, a text, or the bytes of a text as journald has them. */
function contentAt(members: Members, path: string): Members | string | undefined {
  const value = valueAt(members, path);
  if (typeof value === 'string' || isObject(value)) return value;
  const isBytes = Array.isArray(value) && 0 < value.length && value.every((byte) => typeof byte === 'number');
  return isBytes ? new TextDecoder().decode(Uint8Array.from(value.map(Number))) : undefined;
}

function readContent(content: Members | string): {
  readonly content: Members | string;
  readonly isCut: boolean;
} {
  if (typeof content !== 'string') return { content, isCut: false };
  const text = withoutColours(content).trim();
  if (text.startsWith('{')) return { content: readJsonMembers(text) ?? content, isCut: false };
  const msg = text.startsWith('<') ? membersOfMsg(text) : undefined;
  return { content: msg?.members ?? content, isCut: msg !== undefined && !msg.isWhole };
}

/** A text that goes on in later records of its stream. */
interface Pending {
  text: string;
  readonly records: LogRecord[];
  readonly first: OpenedLog;
  isPartial: boolean;
}

/** Maximum records of one log: a longer one lacks its end. */
const maxJoined = 5_000;

/**
 * Creates a reader of the logs inside the records of another reader, which gives members as they are.
 * Fields of the log win over those around it, which stay in `extra`. A text that the tool has cut is
 * joined, and so is a `<Msg>` of several lines.
 */
export function envelopeReader(
  records: RecordReader,
  { maxLength, zone, envelope: path }: ReaderOptions,
): RecordReader {
  const pending = new Map<string, Pending>();
  /** Rows of CloudWatch Insights come as fields. */
  let row: Record<string, unknown> | undefined;
  let rowRecord: LogRecord | undefined;
  /** Lines of docker end in a line feed: those without go on. */
  let endsLines = false;
  let count = 0;
  /** Remarks of records whose logs are not emitted yet. */
  let waiting: readonly Remark[] = [];
  return {
    push: (chunk) => numbered(records.push(chunk).flatMap(take)),
    end: () => [...numbered(records.end().flatMap(take)), ...numbered(rest())],
  };

  function numbered(found: readonly ReadRecord[]): ReadRecord[] {
    const numbers = found.map((record) => {
      const { offset, length } = record.position;
      // Mostly each record has one log, whose number is right.
      return record.position.number === ++count
        ? record
        : { ...record, position: { number: count, offset, length } };
    });
    const last = waiting.length === 0 ? -1 : numbers.findLastIndex(({ kind }) => kind === 'log');
    if (last < 0) return numbers;
    const remarks = waiting;
    waiting = [];
    return numbers.map((record, at) =>
      at === last && record.kind === 'log'
        ? { ...record, remarks: [...(record.remarks ?? []), ...remarks] }
        : record,
    );
  }

  function rest(): ReadRecord[] {
    const last = endRow();
    const open = [...pending.values()];
    pending.clear();
    return [...last, ...open.map(joined)];
  }

  function take(record: ReadRecord): readonly ReadRecord[] {
    if (record.kind !== 'log') return row ? [...endRow(), record] : [record];
    // Replies are told apart by numbers of records, which are not those of the logs in them.
    if (record.remarks) waiting = [...waiting, ...record.remarks.filter(({ code }) => code !== 'REPLIES')];
    const members = record.extra ?? {};
    if (isInsightsField(members)) return takeField(members, record);
    const logs = logsOf(members);
    const [only = members] = logs;
    if (logs.length === 1 && !row) return takeMembers(only, record);
    return [...endRow(), ...logs.flatMap((log) => takeMembers(log, record))];
  }

  function takeField({ field, value }: Members, record: LogRecord): readonly ReadRecord[] {
    const name = String(field);
    const ended = row && name in row ? endRow() : [];
    row = { ...row, [name]: value };
    rowRecord = rowRecord ? spanOf(rowRecord, record) : record;
    return ended;
  }

  function endRow(): readonly ReadRecord[] {
    const [members, record] = [row, rowRecord];
    row = undefined;
    rowRecord = undefined;
    return members && record ? takeMembers(members, record) : [];
  }

  function takeMembers(members: Members, record: LogRecord): readonly ReadRecord[] {
    const own = path === undefined ? readOwnLog(members) : undefined;
    if (own) {
      const { form, log, extra } = own;
      const { raw, position } = record;
      const about: Remark = { code: 'OWN_FORM', field: 'log', about: form };
      return [{ kind: 'log', log, extra, raw, position, remarks: [about] }];
    }
    const log = openAll(members, path);
    const request = path === undefined && !(log && hasMessage(log)) ? nestedAccessLog(members) : undefined;
    if (request) return [readAccessLog(request, record, zone)];
    if (!log && path === undefined && isAccessLog(members)) return [readAccessLog(members, record, zone)];
    if (!log) {
      const read = readRecordMembers(members, { ...record, zone });
      if (read.kind !== 'log' || path === undefined || path === 'none') return [read];
      return [{ ...read, remarks: [...(read.remarks ?? []), { code: 'NO_ENVELOPE', field: path }] }];
    }
    const raw = log.text;
    if (raw === undefined) return [finish(log, record)];
    const texts = pending.has(streamOf(log)) ? [raw] : recordsIn(raw);
    if (1 < texts.length && !goesOn(log, raw))
      return texts.map((text) => finish(reopened(log, text), record));
    if (pending.size === 0 && !goesOn(log, raw) && !isOpenMsg(raw)) return [finish(log, record)];
    const stream = streamOf(log);
    const open = pending.get(stream);
    const startsAnew = /^\s*<msg\s/i.test(raw);
    const isPartial = goesOn(log, raw);
    if (open && !(startsAnew && !open.isPartial)) {
      open.text += open.isPartial || open.text.endsWith('\n') ? raw : `\n${raw}`;
      open.records.push(record);
      open.isPartial = isPartial;
      if (
        isPartial ||
        (isOpenMsg(open.text) && open.records.length < maxJoined && open.text.length < maxLength)
      )
        return [];
      pending.delete(stream);
      return [joined(open)];
    }
    const before = open ? [joined(open)] : [];
    if (open) pending.delete(stream);
    if (!isPartial && !isOpenMsg(raw)) return [...before, finish(log, record)];
    pending.set(stream, { text: raw, records: [record], first: log, isPartial });
    return before;
  }

  function goesOn({ envelope, around }: OpenedLog, text: string): boolean {
    const says = (envelope.partial ?? []).some(([at, value]) => String(valueAt(around, at)) === value);
    if (envelope.of !== 'docker json-file') return says;
    endsLines ||= text.endsWith('\n');
    if (text.endsWith('\n')) return says;
    return says || endsLines || (longestPiece < 4 * text.length && isWholePiece(text));
  }

  function joined({ text, records: parts, first }: Pending): ReadRecord {
    const [start] = parts;
    const record = parts.reduce(spanOf, start ?? { kind: 'log', log: {}, raw: '', position: noPosition });
    return finish(reopened(first, text.endsWith('\n') ? text.slice(0, -1) : text), record);
  }

  /** The same record with another text as its log. */
  function reopened(log: OpenedLog, text: string): OpenedLog {
    const inner = readContent(text);
    const again = typeof inner.content === 'string' ? undefined : openAll(inner.content, path);
    const around = again ? { ...log.around, ...again.around } : log.around;
    return { ...log, content: again?.content ?? inner.content, isCut: inner.isCut, around };
  }

  /** Reads the fields of a log, and those of the records around it that it lacks. */
  function finish(
    { content: found, isCut, around, envelope, path: at, of }: OpenedLog,
    record: LogRecord,
  ): ReadRecord {
    const { raw, position } = record;
    const text = typeof found === 'string' ? withoutColours(found).replace(/\r?\n$/, '') : undefined;
    const content = text === undefined ? found : (readKnownText(text) ?? text);
    const about: Remark = { code: 'ENVELOPE', field: at, about: of };
    const cut: Remark[] = isCut ? [{ code: 'NO_END', field: 'msg' }] : [];
    if (typeof content === 'string') {
      const { foreign = [] } = envelope;
      const own = newMembers();
      const beside = newMembers();
      for (const [key, value] of Object.entries(around)) {
        const field = aliasOf(key)?.field;
        const isNone = field === 'msg' || field === 'time' || (field === 'logLevel' && !readLevel(value));
        (isNone || foreign.includes(key) ? beside : own)[key] = value;
      }
      own.msg = content;
      return completed(readRecordMembers(own, { raw, position, zone, isMessage: true }), beside, [about]);
    }
    const read = isAccessLog(content)
      ? readAccessLog(content, record, zone)
      : readRecordMembers(content, { raw, position, zone, isMessage: true });
    return completed(read, around, [about, ...cut]);

    function completed(read: ReadRecord, beside: Members, added: readonly Remark[]): ReadRecord {
      if (read.kind !== 'log') return read;
      let remarks = [...(read.remarks ?? []), ...added];
      let { log } = read;
      const found = log.time === undefined ? timeOf(around, envelope) : undefined;
      const time = typeof found === 'object' ? found : undefined;
      if (typeof found === 'string') remarks.push({ code: found, field: 'time' });
      if (time) {
        log = { ...log, time: time.time };
        remarks = remarks.map(besideTime);
        if (time.remark === 'NO_ZONE') remarks.push({ code: 'NO_ZONE', field: 'time' });
      }
      const level =
        envelope.level && log.logLevel === undefined ? valueAt(around, envelope.level) : undefined;
      const known = readLevel(level);
      if (known !== undefined) log = { ...log, logLevel: known };
      const extra = mergedExtra(read.extra, time ? without(beside, [time.path], time.path) : beside);
      return {
        kind: 'log',
        log,
        ...(extra && { extra }),
        raw,
        position,
        remarks,
      };
    }
  }

  /** The first time of the tool that can be read, or why none of those that it has can be. */
  function timeOf(around: Members, { time }: Envelope) {
    let problem: 'DATE_ORDER' | 'WRONG_TYPE' | undefined;
    for (const at of time) {
      const value = valueAt(around, at);
      const own = zoneOfKey(at, zone);
      const read = readLogTime(value, own ?? zone);
      if (typeof read === 'object')
        return { ...read, path: at, remark: own && read.remark === 'NO_ZONE' ? undefined : read.remark };
      if (read !== undefined) problem = read;
      else if (value !== undefined && value !== null && value !== '') problem ??= 'WRONG_TYPE';
    }
    return problem;
  }
}

const noPosition: Position = { number: 0, offset: 0, length: 0 };

/** Opens a record as far as it goes. */
function openAll(members: Members, path: EnvelopePath | undefined): OpenedLog | undefined {
  let found = openEnvelope(members, path);
  for (let depth = 1; found && depth < maxEnvelopes && typeof found.content !== 'string'; depth++) {
    const next = openEnvelope(found.content);
    if (!next) break;
    found = {
      ...next,
      path: `${found.path}.${next.path}`,
      of: found.of,
      around: { ...found.around, ...next.around },
      envelope: { ...next.envelope, time: [...next.envelope.time, ...found.envelope.time] },
    };
  }
  return found;
}

/** Reports if the log in a record is a text, or has a message. */
function hasMessage({ content }: OpenedLog): boolean {
  return typeof content === 'string' || Object.keys(content).some((key) => aliasOf(key)?.field === 'msg');
}

/** Bytes after which docker cuts a line. */
const longestPiece = 16 * 1024;

/** Reports if a text is as long as docker lets a piece of a line be: a character at its end may be cut, too. */
function isWholePiece(text: string): boolean {
  return longestPiece - 4 < new TextEncoder().encode(text).length;
}

/** The records in a text that a tool took for one, as those that join lines do; the text itself if it is one. */
function recordsIn(text: string): readonly string[] {
  const msgs = text.split(/(?<=<\/msg\s*>)\s*(?=<msg\s)/i);
  if (1 < msgs.length || !text.includes('\n')) return msgs;
  const records: string[] = [];
  for (const line of text.split('\n')) {
    if (beginsRecord(line)) records.push(line);
    else if (records.length === 0) return [text];
    else records.push(`${records.pop()}\n${line}`);
  }
  return records;
}

/** Reports if a line begins a record by itself: one of JSON, or of a known format. */
function beginsRecord(line: string): boolean {
  if (line.startsWith('{')) return parseJsonObject(line) !== undefined;
  return /^\S/.test(line) && readKnownText(line) !== undefined;
}

/** Reports if a text is a `<Msg>` without its end. */
function isOpenMsg(text: string): boolean {
  return /^\s*<msg\s/i.test(text) && !/<\/msg\s*>\s*$/i.test(text) && !/^\s*<msg\s[^<]*\/>\s*$/i.test(text);
}

/** Members that tell streams of one file apart. */
const streamPaths = [
  ...[
    'stream',
    'kubernetes.pod_name',
    'kubernetes.container_name',
    'container_id',
    'log.file.path',
    'source',
  ],
  ...['labels', 'logStreamName', '@logStream', 'resource', 'PodName', 'ContainerId', '_PID', 'file', 'host'],
];

function streamOf({ around }: OpenedLog): string {
  return JSON.stringify(streamPaths.map((path) => valueAt(around, path)));
}

/** The record from the start of one to the end of another. */
function spanOf(first: LogRecord, last: LogRecord): LogRecord {
  const { position, raw } = first;
  const end = Math.max(position.offset + position.length, last.position.offset + last.position.length);
  if (first === last) return first;
  return { ...first, raw: `${raw}\n${last.raw}`, position: { ...position, length: end - position.offset } };
}

function isInsightsField(members: Members): boolean {
  return typeof members.field === 'string' && 'value' in members && Object.keys(members).length === 2;
}

/**
 * The logs of one record: a stream of Loki has its lines as pairs of a time and a line, and OTLP the log records of a
 * resource.
 */
function logsOf(members: Members): readonly Members[] {
  if (isOtlpResource(members))
    return otlpRecords(members).map((record) => (isOwnOtlp(record) ? record : withConventions(record)));
  const { values, stream } = members;
  if (!Array.isArray(values) || !isObject(stream) || values.length === 0) return [members];
  const pairs = values.filter((pair): pair is unknown[] => Array.isArray(pair));
  if (pairs.length < values.length) return [members];
  return pairs.map(([ts, line, metadata]) => {
    return { ts, line, labels: stream, ...(isObject(metadata) && { metadata }) };
  });
}

/** Members beside the fields of a log, with those around it; a name that both have stands under `wrapper`. */
function mergedExtra(inner: Extra | undefined, around: Members): Extra | undefined {
  const names = Object.keys(around);
  if (names.length === 0) return inner;
  const extra = Object.assign(newMembers(), inner);
  let second: Record<string, unknown> | undefined;
  for (const key of names)
    if (key in extra) {
      second ??= newMembers();
      second[key] = around[key];
    } else extra[key] = around[key];
  if (second) extra.wrapper = second;
  return extra;
}
