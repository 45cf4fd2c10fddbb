import type { JS } from '@duckdb/node-api';
import { toNumberValue } from '../../meaning/number-value.ts';
import { type Log, type LogField, type TextField, textFields } from '../../records/log.ts';
import type { Extra } from '../../records/record.ts';

/** A log in the case, and where it came from. */
export interface StoredLog {
  /** Its number in the case, from 1, in the order in which logs were added. */
  readonly id: number;
  readonly part: number;
  readonly entry: string;
  /** The number of its record in the entry, from 1. */
  readonly position: number;
  readonly log: Log;
  /** What the record carried beyond the fields of a log. */
  readonly extra?: Extra;
}

const numberFields = ['time', 'logCode', 'elapsed'] as const;

/** Texts that may be long stay outside the list of the others, of which the database makes a copy. */
const long: ReadonlySet<TextField> = new Set(['msg', 'stackTraces']);

const columnsOf = (areLong: boolean) =>
  textFields.filter((field) => long.has(field) === areLong).map((field) => `"${field}"`);

/**
 * What `toStoredLog` reads, in its order. Numbers come as doubles, which hold
 * every value but that of a code of 64 bits, and short texts as one list: it is each
 * value, not its length, that takes time on the way out of the database.
 */
export const storedLogColumns = [
  'id::DOUBLE',
  'part::DOUBLE',
  'position::DOUBLE',
  'extra',
  `to_json([${['entry', ...columnsOf(false)].join(', ')}])`,
  'epoch_ms("time")::DOUBLE',
  '"logCode"',
  'elapsed',
  ...columnsOf(true),
].join(', ');

/** The log of a row that was asked for by `storedLogColumns`. */
export function toStoredLog(row: readonly JS[]): StoredLog {
  const [id, part, position, extra, list, ...values] = row;
  const [entry, ...texts]: unknown[] = JSON.parse(String(list));
  const log: { -readonly [F in LogField]?: Log[F] } = {};
  for (const [index, field] of numberFields.entries()) {
    const value = values[index];
    if (typeof value === 'number') log[field] = value;
    else if (typeof value === 'bigint' && field === 'logCode') log.logCode = toNumberValue(value);
  }
  const longTexts = values.slice(numberFields.length);
  for (const field of textFields) {
    const value = long.has(field) ? longTexts.shift() : texts.shift();
    if (typeof value === 'string') log[field] = value;
  }
  return {
    id: Number(id),
    part: Number(part),
    entry: String(entry),
    position: Number(position),
    log,
    ...(typeof extra === 'string' && { extra: JSON.parse(extra) as Extra }),
  };
}
