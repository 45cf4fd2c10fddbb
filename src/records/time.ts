import { offsetOf, utc, type Zone } from './zone.ts';

/** Times outside these are no dates of the language: milliseconds since the epoch. */
const maxTime = 8.64e15;

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:([.,])(\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Numbers of seconds since the epoch from 2001 to 5138. As milliseconds they
 * would be times of 1970 to 1973, when no deployment wrote logs.
 */
const seconds = { least: 1e9, below: 1e11 };

/** A time that a record means. */
export interface ReadTime {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The record did not say in which zone it is. */
  readonly isAssumed: boolean;
}

/** The time, in milliseconds since the epoch, that a record means by a value, as `readTime` reads it. */
export function toTime(value: unknown, zone: Zone = utc): number | undefined {
  return readTime(value, zone)?.time;
}

/**
 * The time that a record means by a value: a number or a text of digits is
 * milliseconds since the epoch, or seconds from 1e9 to below 1e11; a date with a time is read in its zone, and in
 * the zone that is given where it names none. Undefined when the value is no
 * time.
 *
 * A fraction after a point is a fraction of a second. After a comma it is the
 * number of milliseconds, which the classic log line does not pad: `,65` is 65 ms.
 */
export function readTime(value: unknown, zone: Zone): ReadTime | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^-?\d{1,16}(?:\.\d+)?$/.test(text)) return inRange(Number(text));
  const match = dateTime.exec(text);
  return match ? fromDateTime(match, zone) : undefined;
}

function inRange(time: number): ReadTime | undefined {
  const isSeconds = seconds.least <= time && time < seconds.below;
  if (isSeconds) return { time: Math.round(time * 1000), isAssumed: false };
  return Math.abs(time) <= maxTime ? { time: Math.trunc(time), isAssumed: false } : undefined;
}

function fromDateTime(match: RegExpExecArray, assumed: Zone): ReadTime | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', mark, fraction = '', zone] = match;
  const minutes = `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  const time = Date.parse(minutes);
  // Date.parse takes the 30th of February for the 1st or 2nd of March: a day that moved is no date.
  if (Number.isNaN(time) || Number(day) !== new Date(time).getUTCDate() || hour > '23') return undefined;
  const milliseconds = mark === ',' && fraction.length < 3 ? Number(fraction) : toMilliseconds(fraction);
  if (second > '60') return undefined;
  const reading = time + Number(second) * 1_000 + milliseconds;
  if (zone === undefined) return { time: assumed(reading), isAssumed: true };
  return { time: reading - (offsetOf(zone) ?? 0), isAssumed: false };
}

function toMilliseconds(fraction: string): number {
  return Number(fraction.padEnd(3, '0').slice(0, 3));
}
