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
interface ReadTime {
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

/** Units of numeric times since the epoch. */
export const timeUnits = ['s', 'ms', 'us', 'ns'] as const;

/** Unit of numeric times since the epoch. */
export type TimeUnit = (typeof timeUnits)[number];

/**
 * Converts the reading of a clock without a zone to a time. Both are milliseconds since the epoch;
 * the reading is the time if the clock showed UTC. `unit` is the unit of numeric times, if known.
 */
export type Zone = ((reading: number) => number) & { readonly unit?: TimeUnit };

/** The zone of clocks that show UTC. */
export const utcClocks: Zone = (reading) => reading;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Parses the name of a zone: `UTC`, an offset like `+02:00`, or a name of the time zone database
 * like `Europe/Berlin`. Returns undefined for an unknown name.
 *
 * A unit of numeric times may follow: `UTC us`.
 *
 * When clocks are set back, a reading occurs twice: the first one is taken. When they are set
 * forward, a reading is skipped: it counts from the hour before.
 */
export function parseZone(name: string): Zone | undefined {
  const [, zoneName, unit] = /^(.+) (\w+)$/.exec(name) ?? [];
  if (zoneName !== undefined) return withUnit(parseZone(zoneName), unit);
  const offsetAt = parseZoneOffset(name);
  if (!offsetAt) return undefined;
  if (/^(utc|z)$/i.test(name)) return utcClocks;
  const known = new Map<number, number>();
  return (reading) => {
    const key = Math.floor(reading / quarterHour);
    const offset = known.get(key) ?? offsetOfReading(key * quarterHour, offsetAt);
    if (known.size === maxQuarters) known.clear();
    known.set(key, offset);
    return reading - offset;
  };
}

function withUnit(zone: Zone | undefined, written: string | undefined): Zone | undefined {
  const unit = timeUnits.find((each) => each === written);
  return zone && unit && Object.assign((reading: number) => zone(reading), { unit });
}

/** Maximum number of cached quarters. */
const maxQuarters = 10_000;

/** Returns the offset from UTC of clocks that show a reading. */
function offsetOfReading(reading: number, offsetAt: OffsetAt): number {
  const before = offsetAt(reading - day);
  const after = offsetAt(reading + day);
  const isShown = (offset: number) => offsetAt(reading - offset) === offset;
  return !isShown(before) && isShown(after) ? after : before;
}

/** Returns the offset of local clocks from UTC at a time; both in milliseconds. */
export type OffsetAt = (time: number) => number;

/** Zones change at full quarters of an hour, so an offset holds for its whole quarter. */
export const quarterHour = 15 * minute;

/**
 * Parses the name of a zone: `UTC`, an offset like `+02:00`, or a name of the time zone database like
 * `Europe/Berlin`. Returns undefined for an unknown name.
 */
function parseZoneOffset(name: string): OffsetAt | undefined {
  if (/^(utc|z)$/i.test(name)) return () => 0;
  const offset = parseOffset(name);
  if (offset !== undefined) return () => offset;
  // Newer versions of Node take any offset for the name of a zone, up to 23:59.
  return /^[+-]/.test(name) ? undefined : namedOffset(name);
}

const offsetForm = /^([+-])(\d\d)(?::?(\d\d))?$/;

/** Maximum distance of a clock from UTC, in milliseconds: the limit of Java's `ZoneOffset`. */
const mostOffset = 18 * hour;

/** Parses an offset like `+02:00`, of at most 18 hours: milliseconds to add to UTC; undefined if invalid. */
function parseOffset(text: string): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = offsetForm.exec(text) ?? [];
  const distance = Number(hours) * hour + Number(minutes) * minute;
  if (sign === undefined || 59 < Number(minutes) || mostOffset < distance) return undefined;
  return sign === '-' ? -distance : distance;
}

function namedOffset(name: string): OffsetAt | undefined {
  const format = formatOf(name);
  if (!format) return undefined;
  const known = new Map<number, number>();
  return (time) => {
    const key = Math.floor(time / quarterHour);
    const offset = known.get(key) ?? offsetBy(format, key * quarterHour);
    if (known.size === maxQuarters) known.clear();
    known.set(key, offset);
    return offset;
  };
}

/** Range of the time zone database that is used; the offsets at its ends hold before and after it. */
export const zoneDatabaseYears = { first: Date.UTC(1900, 0), last: Date.UTC(2100, 0) };

function offsetBy(format: Intl.DateTimeFormat, time: number): number {
  const within = Math.min(Math.max(time, zoneDatabaseYears.first), zoneDatabaseYears.last);
  const shown = new Map(format.formatToParts(within).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
  const reading = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  );
  return reading - Math.floor(within / 1000) * 1000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const number = 'numeric';
  const shown = {
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...shown, hourCycle: 'h23', timeZone });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A zone in which times are shown and read. */
export interface TimeZone {
  /** Name as in the time zone database, an offset such as `+02:00`, or `UTC`. */
  readonly name: string;
  readonly offsetAt: OffsetAt;
}

/** The zone of clocks that show UTC. */
export const utcZone: TimeZone = { name: 'UTC', offsetAt: () => 0 };

/**
 * Parses the name of a zone, as `parseZoneOffset` does; undefined for an unknown name.
 *
 * ```ts
 * const zone = parseTimeZone('Europe/Berlin');
 * const { groups } = await serviceReport([incident], { filter, by: ['hour'], ...(zone && { zone }) });
 * ```
 */
export function parseTimeZone(name: string): TimeZone | undefined {
  if (/^(utc|z)$/i.test(name)) return utcZone;
  const offsetAt = parseZoneOffset(name);
  return offsetAt && { name, offsetAt };
}

/** The first and the last moment of the same reading of a clock. */
interface Instants {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * Returns the moments at which clocks of a zone show a reading, in milliseconds since the epoch as if
 * in UTC. They differ when clocks are set back. A reading that is skipped when clocks are set forward
 * begins at the change and ends 1 ms before it. No log is shown with such a time.
 */
export function instantsOf({ offsetAt }: TimeZone, reading: number): Instants {
  const offsets = [offsetAt(reading - day), offsetAt(reading + day)];
  const shown = offsets.filter((offset) => offsetAt(reading - offset) === offset);
  const times = (0 < shown.length ? shown : offsets).map((offset) => reading - offset);
  const [earliest, latest] = [Math.min(...times), Math.max(...times)];
  if (0 < shown.length) return { earliest, latest };
  const change = changeBetween(offsetAt, earliest, latest);
  return { earliest: change, latest: change - 1 };
}

/** Returns the first time after `before`, up to `after`, with another offset. */
export function changeBetween(offsetAt: OffsetAt, before: number, after: number): number {
  const offset = offsetAt(before);
  let [from, to] = [before, after];
  while (1 < to - from) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(middle) === offset) from = middle;
    else to = middle;
  }
  return to;
}

/**
 * The shift that aligns intervals of `every` milliseconds: they begin at multiples of their length since
 * the epoch, whole weeks on Monday. The epoch was a Thursday.
 */
export function intervalShift(every: number): number {
  return every % (7 * day) === 0 ? 3 * day : 0;
}

/** Start of the interval with a time; both in milliseconds since the epoch. */
export function intervalStart(time: number, every: number): number {
  const shift = intervalShift(every);
  return Math.floor((time + shift) / every) * every - shift;
}
