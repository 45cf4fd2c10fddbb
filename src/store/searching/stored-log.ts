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

/** What `toStoredLog` reads, in its order. Numbers come as doubles, which hold every value that a log can have. */
export const storedLogColumns = [
  'id::DOUBLE',
  'part::DOUBLE',
  'position::DOUBLE',
  'entry',
  'extra',
  'epoch_ms("time")::DOUBLE',
  '"logCode"::DOUBLE',
  'elapsed',
  ...textFields.map((field) => `"${field}"`),
].join(', ');

/** The log of a row that was asked for by `storedLogColumns`. */
export function toStoredLog(row: readonly JS[]): StoredLog {
  const [id, part, position, entry, extra, ...values] = row;
  const log: { -readonly [F in LogField]?: Log[F] } = {};
  for (const [index, field] of numberFields.entries()) {
    const value = values[index];
    if (typeof value === 'number') log[field] = value;
  }
  for (const [index, field] of textFields.entries()) {
    const value = values[numberFields.length + index];
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
