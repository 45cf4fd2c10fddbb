import * as v from 'valibot';
import { ExactNumber } from '../json/index.ts';

/**
 * How members of replies are read: deployments write numbers as texts and texts
 * as numbers, and leave out what they have no value for.
 */

/** A number of a reply in any form in which deployments write one. */
export type Numeric = number | string | ExactNumber;

/** The number that a member holds, also as a text; undefined where it holds none that is finite. */
export function numberOf(value: unknown): number | undefined {
  if (value instanceof ExactNumber) return numberOf(Number(value.text));
  if (typeof value === 'string') return isNumeral(value) ? numberOf(Number(value)) : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isNumeral(text: string): boolean {
  return /^\s*-?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(text);
}

/** The text that a member holds, also as a number; undefined where it holds none. */
export function textOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The largest number of milliseconds since the epoch that is a date. */
const maxTime = 8.64e15;

/**
 * The time that a member holds, milliseconds since the epoch; undefined where it
 * holds none. Deployments write 0 or -1 for a time that there is none of.
 */
export function timeOf(value: unknown): number | undefined {
  const time = numberOf(value);
  return time !== undefined && 0 < time && time <= maxTime ? time : undefined;
}

/** A member that is true or false, also as a text; undefined where it is neither. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** Optional members of a schema, absent where they hold nothing of the kind. */
export const optional = {
  text: v.optional(v.pipe(v.unknown(), v.transform(textOf))),
  number: v.optional(v.pipe(v.unknown(), v.transform(numberOf))),
  time: v.optional(v.pipe(v.unknown(), v.transform(timeOf))),
  flag: v.optional(v.pipe(v.unknown(), v.transform(flagOf))),
} as const;
