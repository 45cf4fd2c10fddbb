import { type TimeUnit, utcClocks, type Zone } from './zone.ts';
import { parseOffset } from './zone-offset.ts';

/** Range of `Date`, in milliseconds since the epoch. */
const maxTime = 8.64e15;

/** Milliseconds of each unit as factor and divisor; one of them is 1, so that rounding occurs once. */
const milliseconds: Readonly<Record<TimeUnit, readonly [number, number]>> = {
  s: [1_000, 1],
  ms: [1, 1],
  us: [1, 1_000],
  ns: [1, 1_000_000],
};

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:([.,])(\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Numbers read as seconds since the epoch: 2001 to 5138. As milliseconds they would be times of
 * 1970 to 1973, when no deployment wrote logs.
 */
const seconds = { least: 1e9, below: 1e11 };

/** The time that a record value denotes. */
export interface ReadTime {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The record names no zone, or its number cannot be milliseconds and no unit was given. */
  readonly remark?: 'NO_ZONE' | 'TIME_UNIT';
}

/** Returns the time that a record value denotes, as `readTime` does, in milliseconds since the epoch. */
export function toTime(value: unknown, zone: Zone = utcClocks): number | undefined {
  return readLogTime(value, zone)?.time;
}

/**
 * Reads the time that a record value denotes; undefined if it is not a time.
 *
 * A number or numeric text counts from the epoch in the unit of the zone. Without a unit it is
 * milliseconds, or seconds from 1e9 to below 1e11. Seconds, and numbers from 1e14 (the year 5138),
 * are remarked on. A date with a time is read in its own zone, or in the given one if it names
 * none.
 *
 * A fraction after a point is a fraction of a second. After a comma it is the number of
 * milliseconds, which the classic log line does not pad: `,65` is 65 ms.
 */
export function readLogTime(value: unknown, zone: Zone): ReadTime | undefined {
  if (typeof value === 'number') return fromNumber(value, zone.unit);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  // A double does not hold all digits of nanoseconds.
  if (zone.unit === 'ns' && /^-?\d{1,19}$/.test(text))
    return { time: Number(BigInt(text) / BigInt(milliseconds.ns[1])) };
  if (/^-?\d{1,19}(?:\.\d+)?$/.test(text)) return fromNumber(Number(text), zone.unit);
  const match = dateTime.exec(text);
  return match ? fromDateTime(match, zone) : undefined;
}

/** Maximum number that a log time has in milliseconds. */
const mostMilliseconds = 1e14;

function fromNumber(number: number, unit: TimeUnit | undefined): ReadTime | undefined {
  const isSeconds = seconds.least <= number && number < seconds.below;
  const [factor, divisor] = milliseconds[unit ?? (isSeconds ? 's' : 'ms')];
  const exact = (number * factor) / divisor;
  // A fraction of a second is written in decimals, which a double misses slightly.
  const time = 1 < factor ? Math.round(exact) : Math.trunc(exact);
  if (!(Math.abs(time) <= maxTime)) return undefined;
  const isOdd = unit === undefined && (isSeconds || mostMilliseconds <= Math.abs(number));
  return { time, ...(isOdd && { remark: 'TIME_UNIT' as const }) };
}

function fromDateTime(match: RegExpExecArray, assumed: Zone): ReadTime | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', mark, fraction = '', zone] = match;
  const minutes = `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  const time = Date.parse(minutes);
  // Date.parse reads February 30 as March 1 or 2: a shifted day is invalid.
  if (Number.isNaN(time) || Number(day) !== new Date(time).getUTCDate() || hour > '23') return undefined;
  const parts = mark === ',' && fraction.length < 3 ? Number(fraction) : toMilliseconds(fraction);
  if (second > '60') return undefined;
  const reading = time + Number(second) * 1_000 + parts;
  if (zone === undefined) return { time: assumed(reading), remark: 'NO_ZONE' };
  const offset = /^z$/i.test(zone) ? 0 : parseOffset(zone);
  return offset === undefined ? undefined : { time: reading - offset };
}

function toMilliseconds(fraction: string): number {
  return Number(fraction.padEnd(3, '0').slice(0, 3));
}
