import type { Zone } from './time.ts';

/** A log: one record of the deployment's logs, in the names and types used throughout the toolkit. */

/** Text fields, in display order. */
export const textFields = [
  'logLevel',
  'source',
  'msg',
  'className',
  'methodName',
  'username',
  'requestID',
  'serviceTypes',
  'machine',
  'process',
  'thread',
  'stackTraces',
] as const;

/** Name of a text field. */
export type TextField = (typeof textFields)[number];

/**
 * One log. A field that the record lacks or has empty is absent: absence is never shown as zero or
 * as an empty text.
 */
export type Log = { readonly [F in TextField]?: string } & {
  /** Milliseconds since the epoch, UTC. */
  readonly time?: number;
  /** Message code, for instance 9003: a 64-bit integer, a `bigint` beyond ±(2^53 - 1). */
  readonly logCode?: number | bigint;
  /**
   * Decimal seconds. Zero and absence both mean "not measured", so neither counts in an average; a
   * zero is stored because the ranges of the server match it.
   */
  readonly elapsed?: number;
};

/** Name of a known field of a log. */
export type LogField = keyof Log;

/** All fields of a log. */
export const logFields = ['time', 'logCode', 'elapsed', ...textFields] as const satisfies readonly LogField[];

/**
 * Result of reading an entry: logs, and the records that could not be read. Both have a position,
 * so that each can be found in the original.
 */
export type ReadRecord = LogRecord | UnreadableRecord;

/** A record that is a log. */
export interface LogRecord {
  readonly kind: 'log';
  readonly log: Log;
  /** Members of the record that are not log fields, under their own keys. */
  readonly extra?: Extra;
  /** Text of the record as it stands in the entry. */
  readonly raw: string;
  readonly position: Position;
  readonly remarks?: readonly Remark[];
}

/** A record, or an entry as a whole, that could not be read as a log. Stored, never dropped. */
export interface UnreadableRecord {
  readonly kind: 'unreadable';
  readonly code: UnreadableCode;
  /** One sentence: the problem. */
  readonly reason: string;
  /** Text of the record, cut to its first 65,536 characters. */
  readonly raw: string;
  readonly position: Position;
}

/** Position of a record in its entry. */
export interface Position {
  /** Number of the record in its entry, from 1; unreadable records count. */
  readonly number: number;
  /** Offset of the record in the UTF-8 text of the entry: inflated, without its byte order mark. Bytes. */
  readonly offset: number;
  /** Length of the record in that text. Bytes. */
  readonly length: number;
}

/** Members of a record that are not log fields: JSON values under the keys of the record. */
export type Extra = Readonly<Record<string, unknown>>;

/**
 * Makes objects in which every key is an ordinary one, `__proto__` too: nothing is inherited. V8 takes several times
 * as long for objects whose own prototype is null.
 */
class PlainMembers {
  [key: string]: unknown;
}
Object.setPrototypeOf(PlainMembers.prototype, null);
Reflect.deleteProperty(PlainMembers.prototype, 'constructor');

/** Creates an object for members under keys of others: none is inherited, and `__proto__` is an ordinary key. */
export function newMembers(): Record<string, unknown> {
  return new PlainMembers();
}

/** Reasons for unreadable records. The codes are stable; the texts appear in the manual. */
export const unreadableCodes = {
  BAD_JSON: 'The record is not JSON',
  BAD_XML: 'The text is not a complete <Msg> record',
  BAD_ROW: 'The row does not fit the header of its CSV entry',
  BAD_LINE: 'The line does not fit the format of its entry, and belongs to no record',
  NOT_A_RECORD: 'The value is not an object',
  NO_LOG: 'The record has neither a time nor a message',
  TOO_LONG: 'The record is longer than the limit',
  TOO_DEEP: 'The record is nested deeper than the limit',
  TRUNCATED: 'The record breaks off before its end, or the entry before that of its list',
  NOT_LOGS: 'The entry is in no supported log format',
} as const;

/** Stable code of a reason for an unreadable record. */
export type UnreadableCode = keyof typeof unreadableCodes;

/**
 * A note on a field of a log: a value was moved to `extra`, characters were lost, or the value
 * required an assumption.
 */
export interface Remark {
  readonly code: RemarkCode;
  /** A field, or another member of the record. */
  readonly field: string;
  /** The subject of the remark beside the field, such as the tool that wrote the record. */
  readonly about?: string;
}

/** Remarks on fields. The codes are stable; the texts appear in the manual. */
export const remarkCodes = {
  WRONG_TYPE: 'The value does not fit the field',
  SECOND_VALUE: 'Another key had already given the field',
  UNKNOWN_LEVEL: 'The level is none of the deployment, nor one of another system that is known',
  NO_ZONE: 'The time names no zone and was read in the one that was given',
  TIME_UNIT: 'The time is a number that cannot be milliseconds, and its unit was not given',
  NO_VALUE: 'No log of the part has the field',
  ONE_VALUE: 'All logs of the part have one value of the field',
  CONTROL_END: 'The value ends in a control character or a blank',
  HEADING: 'The heading of the table is repeated: these rows are no logs',
  IMPLAUSIBLE_TIME: 'The time is before 1990, after 2099, or more than a day after the file was last changed',
  ASSUMED_TIME: 'The time is written in a form that can be read otherwise',
  DATE_ORDER: 'The date fits day before month and month before day, and no order was given',
  ENVELOPE: 'The log is in a member of the record of another tool',
  OWN_FORM: 'Logquarry wrote the log, and it is read as it was',
  ACCESS_LOG: 'The record is one of an access log, which has no message: its request and status stand for it',
  NO_ENVELOPE: 'The member that was named to have the log is not there',
  ASSUMED_ENCODING: 'The text is no UTF-8 and says nothing of its encoding, which was assumed',
  LOST_CHARACTERS: 'The text has characters that could not be read and stand as U+FFFD',
  MORE_LOGS: 'The reply says that the deployment has more logs, or another one is an error',
  REPLIES: 'The entry holds several lists of logs, such as replies: the numbers of their first records',
  NO_END: 'The record has no end tag, so its text may be cut',
} as const;

/** Stable code of a remark. */
export type RemarkCode = keyof typeof remarkCodes;

/** Stored length of the text of an unreadable record, in UTF-16 units. */
export const maxRawLength = 65_536;

/** Creates an unreadable record, with its text cut to the stored length. */
export function unreadableRecord(
  code: UnreadableCode,
  reason: string,
  { raw, position }: { raw: string; position: Position },
): UnreadableRecord {
  return { kind: 'unreadable', code, reason, raw: raw.slice(0, maxRawLength).toWellFormed(), position };
}

/** Creates an unreadable record for one that exceeds the limit; `raw` may be only its beginning. */
export function tooLongRecord(raw: string, position: Position, maxLength: number): UnreadableRecord {
  const reason = `The record has ${position.length} bytes; at most ${maxLength} are read`;
  return unreadableRecord('TOO_LONG', reason, { raw, position });
}

/** Converts the bytes of an entry to records as they arrive. */
export interface RecordReader {
  /** Returns the records completed by these bytes. */
  readonly push: (chunk: Uint8Array) => ReadRecord[];
  /** Returns the records completed by the end of the entry. */
  readonly end: () => ReadRecord[];
}

/** Options of record readers. */
export interface ReaderOptions {
  /** Maximum length of a record, in bytes. A longer one is unreadable. */
  readonly maxLength: number;
  /** Zone of times that name none. */
  readonly zone: Zone;
  /** Path of the member with the log, or `none`. Default: by a table of known tools. */
  readonly envelope?: string | undefined;
  /** Gives the members of records as they are, as the `extra` of logs without fields. */
  readonly asMembers?: boolean;
}

/**
 * Record keys for each field of a log, by descending priority: when a record has two of them, the
 * earlier key supplies the field. Case, white space, `_` and `-` are ignored. A point stands for a
 * member of a member too. The documents do not name the keys of an exported record; these are the
 * keys observed in practice, and those of the Elastic Common Schema and of usual loggers.
 */
export const fieldAliases: { readonly [F in LogField]: readonly string[] } = {
  time: [
    'time',
    '@timestamp',
    'timestamp',
    'datetime',
    '@t',
    'ts',
    'asctime',
    'timeMillis',
    'TimeGenerated',
    'time_iso8601',
    'time_local',
    ...[
      'Zeitstempel',
      'Zeitpunkt',
      'Zeit',
      'Uhrzeit',
      'Datum',
      'Horodatage',
      'Heure',
      'Marca de tiempo',
      'Hora',
      'Fecha',
    ],
  ],
  logLevel: [
    ...['logLevel', 'level', 'severity', 'log.level', 'levelname', '@l', 'severityText', 'lvl', 'type'],
    ...['Stufe', 'Protokollstufe', 'Schweregrad', 'Niveau', 'Gravité', 'Nivel', 'Gravedad'],
  ],
  logCode: ['logCode', 'code', 'event.code', 'Meldungsnummer', 'Código'],
  source: ['source', 'service.name', 'Quelle', 'Fuente', 'Origen'],
  msg: ['msg', 'message', '@m', 'short_message', 'RenderedMessage', '@mt', 'Meldung', 'Nachricht', 'Mensaje'],
  className: [
    'className',
    'class',
    'log.logger',
    'logger',
    'loggerName',
    'SourceContext',
    'Klasse',
    'Classe',
    'Clase',
  ],
  methodName: ['methodName', 'method', 'log.origin.function', 'Methode', 'Méthode', 'Método'],
  username: ['username', 'user', 'user.name', 'Benutzer', 'Benutzername', 'Utilisateur', 'Usuario'],
  requestID: ['requestID', 'reqId', 'http.request.id'],
  serviceTypes: ['serviceTypes', 'serviceType'],
  machine: [
    'machine',
    'host',
    'hostname',
    'host.hostname',
    'host.name',
    'Rechner',
    'Rechnername',
    'Serveur',
    'Servidor',
  ],
  process: ['process', 'pid', 'process.pid', 'process.name', 'Prozess', 'Processus', 'Proceso'],
  thread: ['thread', 'threadName', 'process.thread.id', 'process.thread.name'],
  stackTraces: ['stackTraces', 'stackTrace', 'error.stack_trace'],
  elapsed: ['elapsed', 'event.duration'],
};

/** A field that a record key denotes, and the priority of the key: 0 is highest. */
export interface Alias {
  readonly field: LogField;
  readonly rank: number;
}

/** The zone in the name of a column, as Azure and spreadsheets have it: `TimeGenerated [UTC]`, `[Local Time]`. */
export const zoneInKey =
  /\s*[[(](Local Time|(?:UTC|GMT)(?:[+-]\d\d?(?::?\d\d)?)?|Z|[+-]\d\d:?\d\d|[A-Z][A-Za-z]+\/[A-Za-z_/]+)[\])]$/;

const byKey = new Map<string, Alias>(
  Object.entries(fieldAliases).flatMap(([field, keys]) =>
    keys.map((key, rank): [string, Alias] => [normalKey(key), { field: field as LogField, rank }]),
  ),
);

/** Cache of aliases by exact spelling: the keys of an entry repeat. */
const bySpelling = new Map<string, Alias | undefined>();

/** Keys that are spelt like those of a field and are something else: `_type` is that of a document of Elasticsearch. */
const foreignKeys: ReadonlySet<string> = new Set(['_type']);

/** Maximum number of cached spellings. Only a hostile entry has more. */
const maxSpellings = 2_000;

/** Returns the field that a record key denotes; undefined for an unknown key. */
export function aliasOf(key: string): Alias | undefined {
  const known = bySpelling.get(key);
  if (known !== undefined || bySpelling.has(key)) return known;
  const alias = foreignKeys.has(key) ? undefined : byKey.get(normalKey(key));
  if (bySpelling.size < maxSpellings) bySpelling.set(key, alias);
  return alias;
}

function normalKey(key: string): string {
  const name = /[\])]$/.test(key) ? key.replace(zoneInKey, '') : key;
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** First segments of the keys with a point: their objects hold fields. */
const nestingKeys: ReadonlySet<string> = new Set(
  [...byKey.keys()].filter((key) => /.\../.test(key)).map((key) => key.slice(0, key.indexOf('.'))),
);

/** Reports if a key needs the whole record: its object can hold fields, like `log`, or it is of the audit stream. */
export function isNestingKey(key: string): boolean {
  return key === 'actor' || nestingKeys.has(normalKey(key));
}

/** U+FFFD, the replacement for invalid bytes. Logs that lost characters earlier contain it as well. */
export const replacementCharacter = '\uFFFD';
