import * as v from 'valibot';
import { ExactNumber } from '../records/index.ts';

/**
 * Lenient readers of members in replies: deployments write numbers as texts and texts as numbers, and omit
 * members without a value.
 */

/** A number of a reply in any form in which deployments write one. */
export type Numeric = number | string | ExactNumber;

/** Reads a number, also from a text; undefined if there is no finite one. */
export function lenientNumber(value: unknown): number | undefined {
  if (value instanceof ExactNumber) return lenientNumber(Number(value.text));
  if (typeof value === 'string') return isNumeral(value) ? lenientNumber(Number(value)) : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isNumeral(text: string): boolean {
  return /^\s*-?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(text);
}

/** Reads a text, also from a number; undefined if there is none. */
export function lenientText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The largest number of milliseconds since the epoch that is a date. */
const maxTime = 8.64e15;

/**
 * Reads a time, milliseconds since the epoch; undefined if there is none. Deployments write 0 or -1 for a
 * missing time.
 */
export function lenientTime(value: unknown): number | undefined {
  const time = lenientNumber(value);
  return time !== undefined && 0 < time && time <= maxTime ? time : undefined;
}

/** Reads a truth value, also from a text; undefined if there is none. */
export function lenientFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** Optional members of a schema, undefined if they hold another kind of value. */
export const optionalMember = {
  text: v.optional(v.pipe(v.unknown(), v.transform(lenientText))),
  number: v.optional(v.pipe(v.unknown(), v.transform(lenientNumber))),
  time: v.optional(v.pipe(v.unknown(), v.transform(lenientTime))),
  flag: v.optional(v.pipe(v.unknown(), v.transform(lenientFlag))),
} as const;
