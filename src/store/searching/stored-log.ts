import type { JS } from '@duckdb/node-api';
import { type Log, type LogField, textFields } from '../../records/log.ts';
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

/** Stack traces may be long and are mostly absent: they stay outside the list of texts, of which there would be a copy. */
const listedFields = textFields.filter((field) => field !== 'stackTraces');

const listed = ['entry', 'extra', ...listedFields.map((field) => `"${field}"`)].join(', ');

/**
 * What `toStoredLog` reads, in its order. Numbers come as doubles, which hold
 * every value that a log can have, and the texts of a log as one list: it is
 * each value, not its length, that takes time on the way out of the database.
 */
export const storedLogColumns = [
  'id::DOUBLE',
  'part::DOUBLE',
  'position::DOUBLE',
  'epoch_ms("time")::DOUBLE',
  '"logCode"::DOUBLE',
  'elapsed',
  `to_json([${listed}])`,
  '"stackTraces"',
].join(', ');

/** The log of a row that was asked for by `storedLogColumns`. */
export function toStoredLog(row: readonly JS[]): StoredLog {
  const [id, part, position, ...values] = row;
  const numbers = values.slice(0, numberFields.length);
  const [list, stackTraces] = values.slice(numberFields.length);
  const [entry, extra, ...texts]: readonly unknown[] = JSON.parse(String(list));
  const log: { -readonly [F in LogField]?: Log[F] } = {};
  for (const [index, field] of numberFields.entries()) {
    const value = numbers[index];
    if (typeof value === 'number') log[field] = value;
  }
  for (const [index, field] of listedFields.entries()) {
    const value = texts[index];
    if (typeof value === 'string') log[field] = value;
  }
  if (typeof stackTraces === 'string') log.stackTraces = stackTraces;
  return {
    id: Number(id),
    part: Number(part),
    entry: String(entry),
    position: Number(position),
    log,
    ...(typeof extra === 'string' && { extra: JSON.parse(extra) as Extra }),
  };
}
