import { createHash } from 'node:crypto';
import { type Log, textFields } from '../../records/log.ts';
import type { LogRecord } from '../../records/record.ts';

const fields: readonly (keyof Log)[] = ['time', 'logCode', 'elapsed', ...textFields];

/** A text that two logs have in common exactly when they are equal in all that they hold. */
export function logKey({ log, extra }: Pick<LogRecord, 'log' | 'extra'>): string {
  const values = fields.map((field) => textOfLarge(log[field]) ?? null);
  if (!extra) return JSON.stringify(values);
  return JSON.stringify([values, Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** JSON has no `bigint`, and no number is a text. */
function textOfLarge(value: Log[keyof Log]): string | number | undefined {
  return typeof value === 'bigint' ? String(value) : value;
}

/** A number of 48 bits that tells a log from others. */
export function logPrint(record: Pick<LogRecord, 'log' | 'extra'>): number {
  return createHash('sha256').update(logKey(record)).digest().readUIntBE(0, 6);
}
