import { offsetOf, type TimeUnit, utc, type Zone } from './zone.ts';

/** Times outside these are no dates of the language: milliseconds since the epoch. */
const maxTime = 8.64e15;

/** Milliseconds of each unit, as a factor and a divisor: one of the two is 1, so that nothing is rounded twice. */
const milliseconds: Readonly<Record<TimeUnit, readonly [number, number]>> = {
  s: [1_000, 1],
  ms: [1, 1],
  us: [1, 1_000],
  ns: [1, 1_000_000],
};

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
  /** The record did not say in which zone it is, or its number cannot be milliseconds and no unit was given. */
  readonly remark?: 'NO_ZONE' | 'TIME_UNIT';
}

/** The time, in milliseconds since the epoch, that a record means by a value, as `readTime` reads it. */
export function toTime(value: unknown, zone: Zone = utc): number | undefined {
  return readTime(value, zone)?.time;
}

/**
 * The time that a record means by a value: a number or a text of digits is
 * since the epoch, in the unit of the zone; without one it is milliseconds, or
 * seconds from 1e9 to below 1e11, which is remarked, as are numbers that are no
 * milliseconds of any log either: from 1e14 on, in the year 5138. A date with a time is read in its zone, and in
 * the zone that is given where it names none. Undefined when the value is no
 * time.
 *
 * A fraction after a point is a fraction of a second. After a comma it is the
 * number of milliseconds, which the classic log line does not pad: `,65` is 65 ms.
 */
export function readTime(value: unknown, zone: Zone): ReadTime | undefined {
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

/** Larger numbers are no milliseconds that a log has. */
const mostMilliseconds = 1e14;

function fromNumber(number: number, unit: TimeUnit | undefined): ReadTime | undefined {
  const isSeconds = seconds.least <= number && number < seconds.below;
  const [factor, divisor] = milliseconds[unit ?? (isSeconds ? 's' : 'ms')];
  const exact = (number * factor) / divisor;
  // A fraction of a second is written in decimals, which a double misses by a little.
  const time = 1 < factor ? Math.round(exact) : Math.trunc(exact);
  if (!(Math.abs(time) <= maxTime)) return undefined;
  const isOdd = unit === undefined && (isSeconds || mostMilliseconds <= Math.abs(number));
  return { time, ...(isOdd && { remark: 'TIME_UNIT' as const }) };
}

function fromDateTime(match: RegExpExecArray, assumed: Zone): ReadTime | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', mark, fraction = '', zone] = match;
  const minutes = `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  const time = Date.parse(minutes);
  // Date.parse takes the 30th of February for the 1st or 2nd of March: a day that moved is no date.
  if (Number.isNaN(time) || Number(day) !== new Date(time).getUTCDate() || hour > '23') return undefined;
  const parts = mark === ',' && fraction.length < 3 ? Number(fraction) : toMilliseconds(fraction);
  if (second > '60') return undefined;
  const reading = time + Number(second) * 1_000 + parts;
  if (zone === undefined) return { time: assumed(reading), remark: 'NO_ZONE' };
  const offset = /^z$/i.test(zone) ? 0 : offsetOf(zone);
  return offset === undefined ? undefined : { time: reading - offset };
}

function toMilliseconds(fraction: string): number {
  return Number(fraction.padEnd(3, '0').slice(0, 3));
}
