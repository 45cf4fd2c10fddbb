import { type Alias, aliasOf } from './aliases.ts';
import type { Log, LogField, TextField } from './log.ts';
import type { Extra, Remark } from './record.ts';
import { toTime } from './time.ts';

/** What a record says when it is read as a log. */
export interface LogReading {
  readonly log: Log;
  /** The members that are no field of a log; absent when there are none. */
  readonly extra?: Extra;
  /** What did not fit its field; absent when everything did. */
  readonly remarks?: readonly Remark[];
}

type Fields = { -readonly [F in LogField]?: Log[F] };

/**
 * Reads the members of a record as a log. Keys are looked up in the alias
 * table; a key it does not know, and a value that does not fit its field, is
 * kept in `extra`. An empty value leaves its field absent.
 *
 * ```ts
 * toLog({ '@timestamp': '2024-01-05T10:00:00Z', type: 'INFO', code: '9029', user: '', pod: 'a' });
 * // { log: { time: 1704448800000, logLevel: 'INFO', logCode: 9029 }, extra: { pod: 'a' } }
 * ```
 */
export function toLog(record: Readonly<Record<string, unknown>>): LogReading {
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
    // Without a prototype, so that a key "__proto__" is a key like any other.
    extra ??= Object.create(null) as Record<string, unknown>;
    extra[key] = record[key];
  }

  function place(key: string, { field, rank }: Alias): void {
    const earlier = givenBy[field];
    const isSurer = earlier === undefined || rank < (aliasOf(earlier)?.rank ?? 0);
    if (isSurer && !assign(fields, field, record[key])) {
      remarks.push({ code: 'WRONG_TYPE', field });
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

/** Gives a field its value. False when the value does not fit the field. */
function assign(fields: Fields, field: LogField, value: unknown): boolean {
  switch (field) {
    case 'time':
      return assignNumber(fields, field, toTime(value));
    case 'logCode':
      return assignNumber(fields, field, toInteger(value));
    case 'elapsed':
      return assignNumber(fields, field, toDecimal(value));
    default:
      return assignText(fields, field, toText(value));
  }
}

function assignNumber(
  fields: Fields,
  field: 'time' | 'logCode' | 'elapsed',
  value: number | undefined,
): boolean {
  if (value === undefined) return false;
  fields[field] = value;
  return true;
}

function assignText(fields: Fields, field: TextField, value: string | undefined): boolean {
  if (value === undefined) return false;
  fields[field] = value;
  return true;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // Stack traces come as a list of lines too, service types as a list of names.
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join('\n').toWellFormed();
  return undefined;
}

function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** Reads a decimal point and, as some writers of logs put it, a decimal comma. */
function toDecimal(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (!/^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}
