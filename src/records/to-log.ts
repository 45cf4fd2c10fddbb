import { isObject } from './exact-json.ts';
import {
  type Alias,
  aliasOf,
  type Extra,
  type Log,
  type LogField,
  type Remark,
  type RemarkCode,
  replacementCharacter,
  type TextField,
} from './log.ts';
import { readLogTime, utcClocks, type Zone } from './time.ts';

/** Result of reading a record as a log. */
interface LogReading {
  readonly log: Log;
  /** Members that are not log fields; absent if there are none. */
  readonly extra?: Extra;
  /** Remarks on fields; absent if there are none. */
  readonly remarks?: readonly Remark[];
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
  const { log } = record;
  if (!isObject(log) || Object.keys(record).some(aliasOf)) return readMembers(record, zone);
  const { extra: left, ...reading } = readMembers(log, zone);
  const { log: _, ...around } = record;
  const extra = { ...around, ...(left && { log: left }) };
  return { ...reading, ...(0 < Object.keys(extra).length && { extra }) };
}

function readMembers(record: Readonly<Record<string, unknown>>, zone: Zone): LogReading {
  const fields: Fields = {};
  const givenBy: { [F in LogField]?: string } = {};
  const remarks: Remark[] = [];
  let extra: Record<string, unknown> | undefined;

  for (const key of Object.keys(record)) {
    const alias = aliasOf(key);
    if (!alias) keep(key);
    else if (!isEmpty(record[key])) place(key, alias);
  }
  return { log: fields, ...(extra && { extra }), ...(remarks.length > 0 && { remarks }) };

  function keep(key: string): void {
    // No prototype, so that "__proto__" is an ordinary key.
    extra ??= Object.create(null) as Record<string, unknown>;
    extra[key] = record[key];
  }

  function place(key: string, { field, rank }: Alias): void {
    const earlier = givenBy[field];
    const isSurer = earlier === undefined || rank < (aliasOf(earlier)?.rank ?? 0);
    const problem = isSurer ? assign(fields, field, { value: record[key], zone }) : undefined;
    if (problem) remarks.push({ code: problem, field });
    if (problem === 'WRONG_TYPE') {
      keep(key);
      return;
    }
    if (earlier !== undefined) {
      remarks.push({ code: 'SECOND_VALUE', field });
      keep(isSurer ? earlier : key);
    }
    if (isSurer) givenBy[field] = key;
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || value === undefined;
}

/** Assigns a value to a field; returns the remark on it. A value that does not fit is not assigned. */
function assign(
  fields: Fields,
  field: LogField,
  { value, zone }: { readonly value: unknown; readonly zone: Zone },
): Exclude<RemarkCode, 'SECOND_VALUE'> | undefined {
  switch (field) {
    case 'time':
      return assignTime(fields, value, zone);
    case 'logCode':
      return assignNumber(toInteger(value), (code) => {
        fields.logCode = code;
      });
    case 'elapsed':
      return assignNumber(toDecimal(value), (seconds) => {
        fields.elapsed = seconds;
      });
    default:
      return assignText(fields, field, toText(value));
  }
}

function assignTime(
  fields: Fields,
  value: unknown,
  zone: Zone,
): 'WRONG_TYPE' | 'NO_ZONE' | 'TIME_UNIT' | undefined {
  const read = readLogTime(value, zone);
  if (read === undefined) return 'WRONG_TYPE';
  fields.time = read.time;
  return read.remark;
}

function assignNumber<N>(value: N | undefined, take: (value: N) => void): 'WRONG_TYPE' | undefined {
  if (value === undefined) return 'WRONG_TYPE';
  take(value);
  return undefined;
}

function assignText(
  fields: Fields,
  field: TextField,
  value: string | undefined,
): 'WRONG_TYPE' | 'LOST_CHARACTERS' | undefined {
  if (value === undefined) return 'WRONG_TYPE';
  fields[field] = value;
  return value.includes(replacementCharacter) ? 'LOST_CHARACTERS' : undefined;
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
function toInteger(value: unknown): number | bigint | undefined {
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
