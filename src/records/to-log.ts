import { isObject } from './exact-json.ts';
import { readLevel } from './levels.ts';
import {
  type Alias,
  aliasOf,
  type Extra,
  isNestingKey,
  type Log,
  type LogField,
  newMembers,
  type Remark,
  type RemarkCode,
  replacementCharacter,
  type TextField,
  zoneInKey,
} from './log.ts';
import { namedZone, readLogTime, utcClocks, type Zone } from './time.ts';

/** Result of reading a record as a log. */
interface LogReading {
  readonly log: Log;
  /** Members that are not log fields; absent if there are none. */
  readonly extra?: Extra;
  /** Remarks on fields; absent if there are none. */
  readonly remarks?: readonly Remark[];
}

/** The key that gave a field, its value, and where it stood: under a name of an object, or of the record itself. */
interface Given {
  readonly key: string;
  readonly value: unknown;
  readonly alias: Alias;
  readonly left: Record<string, unknown> | undefined;
  readonly name: string;
}

/** Outcome of a value of a field. */
interface Outcome {
  readonly remark?: RemarkCode;
  /** The field has a value from it. */
  readonly isGiven: boolean;
  /** The value itself stays beside the fields. */
  readonly isKept: boolean;
}

type Fields = { -readonly [F in LogField]?: Log[F] };

/**
 * Reads the members of a record as a log. Keys are looked up in the alias table; members with an
 * unknown key, or a value that does not fit the field, go to `extra`. An empty value leaves its
 * field absent. A time without a zone is read in the given zone. If a record nests its log in a
 * member `log`, as the output of `search` does, that log is read; the other members go to `extra`.
 *
 * ```ts
 * toLog({ '@timestamp': '2024-01-05T10:00:00Z', type: 'INFO', code: '9029', user: '', pod: 'a' });
 * // { log: { time: 1704448800000, logLevel: 'INFO', logCode: 9029 }, extra: { pod: 'a' } }
 * ```
 */
export function toLog(record: Readonly<Record<string, unknown>>, zone: Zone = utcClocks): LogReading {
  if (isAuditRecord(record)) return readAudit(record, zone);
  const { log } = record;
  if (!isObject(log) || Object.keys(record).some(aliasOf)) return readMembers(record, zone);
  if (!Object.keys(log).some(aliasOf)) return readMembers(record, zone);
  const { extra: left, ...reading } = readMembers(log, zone);
  const { log: _, ...around } = record;
  const extra = { ...around, ...(left && { log: left }) };
  return { ...reading, ...(0 < Object.keys(extra).length && { extra }) };
}

/** Source of the records of the audit stream, which name none: it is no part of the deployment's logs. */
export const auditSource = 'Audit';

/** Reports if a record is of the audit stream of the deployment: who did what to what, and whether it was allowed. */
function isAuditRecord({ actor, event, eventId, resource }: Readonly<Record<string, unknown>>): boolean {
  return typeof actor === 'string' && typeof event === 'string' && (eventId ?? resource) !== undefined;
}

/** Reads a record of the audit stream: its actor is the user, and its event the method. */
function readAudit(record: Readonly<Record<string, unknown>>, zone: Zone): LogReading {
  const { actor, event, ...others } = record;
  const reading = readMembers(others, zone);
  const log: Fields = { source: auditSource, ...reading.log };
  if (typeof event === 'string' && event !== '') log.methodName = event.toWellFormed();
  if (typeof actor === 'string' && actor !== '') log.username = actor.toWellFormed();
  return { ...reading, log };
}

/** The reading of a record so far. */
interface Work {
  readonly fields: Fields;
  readonly givenBy: { [F in LogField]?: Given };
  readonly zone: Zone;
  remarks: Remark[] | undefined;
  extra: Record<string, unknown> | undefined;
}

function readMembers(record: Readonly<Record<string, unknown>>, zone: Zone): LogReading {
  const work: Work = { fields: {}, givenBy: {}, zone, remarks: undefined, extra: undefined };
  for (const key of Object.keys(record)) {
    const value = record[key];
    const alias = aliasOf(key);
    if (isObject(value) && isNestingKey(key)) keep(work, key, withoutFields(work, key, value));
    else if (!alias) keep(work, key, value);
    else if (!isEmpty(value)) place(work, { key, value, alias, left: undefined, name: key });
  }
  const { fields: log, extra, remarks } = work;
  if (remarks) return extra ? { log, extra, remarks } : { log, remarks };
  return extra ? { log, extra } : { log };
}

/** A value that is no time loses nothing if the log has one of another key. */
export function besideTime(remark: Remark): Remark {
  return remark.code === 'WRONG_TYPE' && remark.field === 'time'
    ? { ...remark, code: 'SECOND_VALUE' }
    : remark;
}

/** Puts a member beside the fields. */
function keep(work: Work, key: string, value: unknown): void {
  if (value === undefined) return;
  work.extra ??= newMembers();
  work.extra[key] = value;
}

/** Takes the fields out of an object, whose members stand for keys with points; undefined if nothing is left. */
function withoutFields(work: Work, path: string, members: Readonly<Record<string, unknown>>): unknown {
  const left = newMembers();
  for (const [name, value] of Object.entries(members)) {
    const key = `${path}.${name}`;
    const alias = aliasOf(key);
    if (alias && !isEmpty(value) && !isObject(value) && work.givenBy[alias.field] === undefined)
      place(work, { key, value, alias, left, name });
    else if (isObject(value) && path.split('.').length < maxNesting) {
      const rest = withoutFields(work, key, value);
      if (rest !== undefined) left[name] = rest;
    } else left[name] = value;
  }
  return 0 < Object.keys(left).length || Object.keys(members).length === 0 ? left : undefined;
}

function place(work: Work, given: Given): void {
  const { key, value, alias } = given;
  const { field, rank } = alias;
  const earlier = work.givenBy[field];
  const isSurer = earlier === undefined || rank < earlier.alias.rank;
  const outcome = isSurer ? assign(work.fields, { key, field, value, zone: work.zone }) : undefined;
  if (outcome?.remark) remark(work, { code: outcome.remark, field });
  if (outcome?.isKept) reject(work, given);
  if (outcome?.isKept && !outcome.isGiven) return;
  if (earlier !== undefined) {
    remark(work, { code: 'SECOND_VALUE', field });
    reject(work, isSurer ? earlier : given);
  }
  if (isSurer) work.givenBy[field] = given;
}

function remark(work: Work, remark: Remark): void {
  work.remarks ??= [];
  work.remarks.push(remark);
}

/** Puts a value beside the fields, where it stood. */
function reject(work: Work, { value, left, name }: Given): void {
  if (left) left[name] = value;
  else keep(work, name, value);
}

/** Maximum depth of objects in which fields are looked for. */
const maxNesting = 3;

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || value === undefined;
}

interface FieldValue {
  readonly key: string;
  readonly field: LogField;
  readonly value: unknown;
  readonly zone: Zone;
}

const taken: Outcome = { isGiven: true, isKept: false };
const misfit: Outcome = { remark: 'WRONG_TYPE', isGiven: false, isKept: true };

/** Assigns a value to a field. A value that does not fit is not assigned. */
function assign(fields: Fields, { key, field, value, zone }: FieldValue): Outcome {
  switch (field) {
    case 'time':
      return assignTime(fields, key, value, zone);
    case 'logCode': {
      const code = toInteger(value);
      if (code === undefined) return misfit;
      fields.logCode = code;
      return taken;
    }
    case 'elapsed': {
      const number = toDecimal(value);
      if (number === undefined) return misfit;
      fields.elapsed = /duration$/i.test(key) ? number / 1e9 : number;
      return taken;
    }
    case 'logLevel':
      return assignLevel(fields, key, value);
    default:
      return assignText(fields, field, toText(value));
  }
}

function assignTime(fields: Fields, key: string, value: unknown, zone: Zone): Outcome {
  const own = zoneOfKey(key, zone);
  const read = readLogTime(value, own ?? zone);
  if (read === undefined) return misfit;
  if (read === 'DATE_ORDER') return { ...misfit, remark: read };
  fields.time = read.time;
  return read.remark && !(own && read.remark === 'NO_ZONE') ? { ...taken, remark: read.remark } : taken;
}

/** Returns the zone that the name of a column has, like `TimeGenerated [UTC]`, with the order of days that was given. */
export function zoneOfKey(key: string, { order }: Zone): Zone | undefined {
  const name = zoneInKey.exec(key)?.[1];
  const zone = name === undefined ? undefined : namedZone(name);
  return zone && order ? Object.assign((reading: number) => zone(reading), { order }) : zone;
}

/**
 * Assigns a level. One of another system becomes that of the deployment, and stays beside the fields.
 * A text under `type` that is no level is something else: a kind of document, or of input.
 */
function assignLevel(fields: Fields, key: string, value: unknown): Outcome {
  const level = readLevel(value);
  if (level !== undefined && !(isType(key) && isAnyKind(value))) {
    fields.logLevel = level;
    const isAlike = value === level || (typeof value === 'string' && value.trim().toUpperCase() === level);
    return isAlike ? taken : { ...taken, isKept: true };
  }
  if (isType(key)) return { isGiven: false, isKept: true };
  const read = assignText(fields, 'logLevel', toText(value));
  return read.isGiven && !read.remark ? { ...read, remark: 'UNKNOWN_LEVEL' } : read;
}

function isType(key: string): boolean {
  return key.toLowerCase() === 'type';
}

/** Reports if a text is a level of somebody, but under `type` more likely a kind: `log`, `note`. */
function isAnyKind(value: unknown): boolean {
  return typeof value !== 'string' || /^(log|note|hint|success|normal|config|[a-z]|\d+)$/i.test(value.trim());
}

function assignText(fields: Fields, field: TextField, value: string | undefined): Outcome {
  if (value === undefined) return misfit;
  fields[field] = value;
  return value.includes(replacementCharacter) ? { ...taken, remark: 'LOST_CHARACTERS' } : taken;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Stack traces also occur as a list of lines, service types as a list of names.
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join('\n').toWellFormed();
  return undefined;
}

const greatestInteger = 2n ** 63n - 1n;

/** Converts a value to a 64-bit integer: a `bigint` if a number is inexact, undefined if it is not one. */
export function toInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  // A larger number prints as written: `parseJson` converts any other to text.
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (Number.isSafeInteger(number)) return number + 0;
  const whole = Math.abs(number) <= 2 ** 63 ? BigInt(text.replace('+', '')) : undefined;
  return whole !== undefined && -greatestInteger - 1n <= whole && whole <= greatestInteger
    ? whole
    : undefined;
}

/** Converts a value to a finite number; undefined if it is not one. Some log writers use a decimal comma. */
export function toDecimal(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (!/^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}
