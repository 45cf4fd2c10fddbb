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

/** Order of day and month in a date with slashes. */
export const dateOrders = ['dmy', 'mdy'] as const;

/** Order of day and month in a date with slashes. */
export type DateOrder = (typeof dateOrders)[number];

/** Names of months, as their first three letters. */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:(?<mark>[.,:])(?<fraction>\d{1,9}))?)?`;
const compactClock = String.raw`(?<hour>\d\d)(?<minute>\d\d)(?:(?<second>\d\d)(?:(?<mark>[.,])(?<fraction>\d{1,9}))?)?`;
const half = String.raw`(?:\s?(?<half>[ap])\.?m\.?)?`;
const zoneName = String.raw`(?:\s*(?<zone>Z|UTC|GMT|(?:UTC|GMT)?[+-]\d\d?(?::?\d\d)?|CES?T|[A-Z][a-z]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?))?`;
const zoneInBrackets = String.raw`(?:\s*\[(?<name>[A-Za-z][\w/+-]*)\])?`;
const monthName = String.raw`(?<monthName>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const weekday = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?`;
const timeOfDay = String.raw`(?:(?:,?\s+(?:@\s+|at\s+)?|[T:])${clock}${half})?`;

/** Times as other programs write them. */
const otherForms: readonly RegExp[] = [
  // ISO 8601 without leading zeros, with a named zone, and with slashes or points.
  String.raw`(?<year>\d{4})(?<separator>[-/.])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})${timeOfDay}${zoneName}`,
  // ISO 8601 without separators.
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)[T ]${compactClock}${zoneName}`,
  // Spreadsheets of Central Europe.
  String.raw`(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})${timeOfDay}${zoneName}`,
  // Either order.
  String.raw`(?<first>\d{1,2})(?<separator>[/-])(?<last>\d{1,2})\k<separator>(?<year>\d{4})${timeOfDay}${zoneName}`,
  // Mar 12, 2025 @ 08:00:00.000: Kibana.
  String.raw`${weekday}${monthName}\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})${timeOfDay}${zoneName}`,
  // 14/May/2025:06:10:11 +0000: proxies. 14-May-2025 06:10:11.123: Tomcat. Wed, 14 May 2025 06:10:11 GMT: HTTP.
  String.raw`${weekday}(?<day>\d{1,2})[-/ ]${monthName}[-/ ](?<year>\d{4})${timeOfDay}${zoneName}`,
  // Wed May 14 06:10:11 UTC 2025: date, ctime.
  String.raw`${weekday}${monthName}\s+(?<day>\d{1,2})\s+${clock}${zoneName}\s+(?<year>\d{4})`,
].map((form) => new RegExp(`^${form}${zoneInBrackets}$`, 'i'));

/** Milliseconds in JSON of .NET. */
const dotNet = /^\\?\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\\?\/$/;

/** Times that a deployment may have written: 1990 to 2100. */
export const plausibleTimes = { first: Date.UTC(1990, 0), last: Date.UTC(2100, 0) };

function isPlausible(time: number): boolean {
  return plausibleTimes.first <= time && time < plausibleTimes.last;
}

/** Days that spreadsheets count: from 1990 to 2100, and the epoch. */
const serialDays = { first: 32_874, last: 73_051, epoch: 25_569 };

/**
 * Numbers read as seconds since the epoch: 2001 to 5138. As milliseconds they would be times of
 * 1970 to 1973, when no deployment wrote logs.
 */
const seconds = { least: 1e9, below: 1e11 };

/** The time that a record value denotes. */
interface ReadTime {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /**
   * The record names no zone; its number cannot be milliseconds and no unit was given; or it is written in a
   * form that can be read otherwise.
   */
  readonly remark?: 'NO_ZONE' | 'TIME_UNIT' | 'ASSUMED_TIME';
}

/** Returns the time that a record value denotes, as `readLogTime` does, in milliseconds since the epoch. */
export function toTime(value: unknown, zone: Zone = utcClocks): number | undefined {
  const read = readLogTime(value, zone);
  return read === 'DATE_ORDER' ? undefined : read?.time;
}

/**
 * Reads the time that a record value denotes; undefined if it is not a time, `DATE_ORDER` if it is a date
 * whose day and month can be exchanged and no order was given.
 *
 * A number or numeric text counts from the epoch in the unit of the zone. Without a unit it is
 * milliseconds, or seconds, microseconds or nanoseconds where its size tells, which is remarked on.
 * Digits of a date, and day numbers of a spreadsheet with a time of day, are read as such where
 * milliseconds would be no time of a deployment. A date with a time is read in its own zone, or in
 * the given one if it names none.
 *
 * A fraction after a point is a fraction of a second. After a comma it is the number of
 * milliseconds, which the classic log line does not pad: `,65` is 65 ms.
 */
export function readLogTime(value: unknown, zone: Zone): ReadTime | 'DATE_ORDER' | undefined {
  if (typeof value === 'number') return fromNumber(value, zone);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  // A double does not hold all digits of nanoseconds.
  if (zone.unit === 'ns' && /^-?\d{1,19}$/.test(text))
    return { time: Number(BigInt(text) / BigInt(milliseconds.ns[1])) };
  if (zone.unit === undefined && /^\d{19}$/.test(text)) {
    const time = Number(BigInt(text) / BigInt(milliseconds.ns[1]));
    if (isPlausible(time)) return { time, remark: 'TIME_UNIT' };
  }
  if (/^-?\d{1,19}(?:[.,]\d+)?(?:e[+-]?\d{1,2})?$/i.test(text)) {
    const read = fromNumber(Number(text.replace(',', '.')), zone, text);
    return read && /[e,]/i.test(text) ? { time: read.time, remark: 'ASSUMED_TIME' } : read;
  }
  const match = dateTime.exec(text);
  return match ? fromDateTime(match, zone) : fromOtherForm(text, zone);
}

/** Maximum number that a log time has in milliseconds. */
const mostMilliseconds = 1e14;

function fromNumber(number: number, zone: Zone, text = String(number)): ReadTime | undefined {
  const { unit } = zone;
  const special =
    unit === undefined ? (fromDigits(number, zone, text) ?? fromSerial(number, zone)) : undefined;
  if (special) return special;
  const assumed = unitOf(number);
  const [factor, divisor] = milliseconds[unit ?? assumed];
  const exact = (number * factor) / divisor;
  // A fraction of a second is written in decimals, which a double misses slightly.
  const time = 1 < factor ? Math.round(exact) : Math.trunc(exact);
  if (!(Math.abs(time) <= maxTime)) return undefined;
  const isOdd = unit === undefined && (assumed !== 'ms' || mostMilliseconds <= Math.abs(number));
  return { time, ...(isOdd && { remark: 'TIME_UNIT' as const }) };
}

/** Returns the unit of a number by its size: microseconds and nanoseconds only if that is plausible. */
function unitOf(number: number): TimeUnit {
  if (seconds.least <= number && number < seconds.below) return 's';
  if (mostMilliseconds <= number && isPlausible(number / 1e3)) return 'us';
  return mostMilliseconds <= number && isPlausible(number / 1e6) ? 'ns' : 'ms';
}

/** Reads a number whose digits are a date, with a time of day or without: yyyymmdd[hhmm[ss[fff]]]. */
function fromDigits(number: number, zone: Zone, text: string): ReadTime | undefined {
  // The least and the greatest have 8 and 17 digits.
  if (number < 19_900_101 || isPlausible(number)) return undefined;
  const found = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)(?:(\d\d)(\d{3})?)?)?$/.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction] = found;
  const read = fromParts({ year, month, day, hour, minute, second, mark: '.', fraction }, zone);
  return read && isPlausible(read.time) ? { time: read.time, remark: 'ASSUMED_TIME' } : undefined;
}

/** Reads the number of a day with a fraction, as spreadsheets store times. */
function fromSerial(number: number, zone: Zone): ReadTime | undefined {
  if (!(serialDays.first <= number && number < serialDays.last) || Number.isInteger(number)) return undefined;
  const reading = Math.round((number - serialDays.epoch) * 86_400) * 1_000;
  return { time: zone(reading), remark: 'ASSUMED_TIME' };
}

/** Parts of a date and a time of day, as they are written. */
type DateParts = { readonly [Part in (typeof dateParts)[number]]?: string | undefined };

const dateParts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'mark', 'fraction', 'zone'] as const;

function fromParts(parts: DateParts, assumed: Zone): ReadTime | undefined {
  const { year, month = '', day = '', hour = '0', minute = '0', second = '0', mark, fraction, zone } = parts;
  const two = (text: string) => text.padStart(2, '0');
  const rest = fraction === undefined ? '' : `${mark === ',' ? ',' : '.'}${fraction}`;
  const time = `${two(hour)}:${two(minute)}:${two(second)}${rest}`;
  const match = dateTime.exec(`${year}-${two(month)}-${two(day)}T${time}`);
  if (!match) return undefined;
  if (zone === undefined) return fromDateTime(match, assumed);
  const own = namedZone(zone);
  const read = own && fromDateTime(match, own);
  return read && { time: read.time };
}

/** Names of zones that mean one offset each. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['CET', '+01:00'],
  ['CEST', '+02:00'],
  ['GMT', 'UTC'],
]);

const knownZones = new Map<string, Zone | undefined>();

/** Returns the zone of a name in a record; undefined if it is unknown. */
export function namedZone(name: string): Zone | undefined {
  if (knownZones.has(name)) return knownZones.get(name);
  const plain = abbreviations.get(name.toUpperCase()) ?? name.replace(/^(?:utc|gmt)(?=[+-])/i, '');
  const zone = parseZone(plain.replace(/^([+-])(\d)(?=:|$)/, '$10$2'));
  if (knownZones.size < 1_000) knownZones.set(name, zone);
  return zone;
}

/** Longest text that may be a time. */
const longestTime = 60;

function fromOtherForm(text: string, assumed: Zone): ReadTime | 'DATE_ORDER' | undefined {
  if (longestTime < text.length) return undefined;
  const json = dotNet.exec(text);
  if (json) return { time: Number(json[1]) };
  const found = otherForms.reduce<RegExpExecArray | null>((match, form) => match ?? form.exec(text), null);
  if (!found) return undefined;
  const { monthName: month, half: halfOfDay, name, first = '', last = '', ...parts } = found.groups ?? {};
  const order = first === '' ? undefined : orderOf(Number(first), Number(last), assumed);
  if (order === 'DATE_ORDER') return order;
  const dated: { -readonly [Part in keyof DateParts]: DateParts[Part] } = { ...parts };
  if (month !== undefined) dated.month = String(months.indexOf(month.slice(0, 3).toLowerCase()) + 1);
  if (order) [dated.day, dated.month] = order === 'dmy' ? [first, last] : [last, first];
  if (halfOfDay !== undefined) dated.hour = hourOf(Number(parts.hour), halfOfDay);
  // An offset is surer than the name of its zone.
  dated.zone ??= name;
  return fromParts(dated, assumed);
}

/** Hour of a clock with two halves of a day; one that such a clock does not show stays no hour. */
function hourOf(hour: number, half: string): string {
  if (hour < 1 || 12 < hour) return '99';
  return String((hour % 12) + (/p/i.test(half) ? 12 : 0));
}

function orderOf(first: number, last: number, { order }: Zone): DateOrder | 'DATE_ORDER' {
  if (12 < first) return 'dmy';
  if (12 < last) return 'mdy';
  return order ?? (first === last ? 'dmy' : 'DATE_ORDER');
}

function fromDateTime(match: RegExpExecArray, assumed: Zone): ReadTime | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', mark, fraction = '', zone] = match;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || 12 < m || d < 1 || daysOf(y, m) < d || hour > '23' || minute > '59') return undefined;
  const time = startOfDay(y, m, d) + (Number(hour) * 60 + Number(minute)) * 60_000;
  const parts = mark === ',' && fraction.length < 3 ? Number(fraction) : toMilliseconds(fraction);
  if (second > '60') return undefined;
  const reading = time + Number(second) * 1_000 + parts;
  if (zone === undefined) return { time: assumed(reading), remark: 'NO_ZONE' };
  const offset = /^z$/i.test(zone) ? 0 : parseOffset(zone);
  return offset === undefined ? undefined : { time: reading - offset };
}

/** Returns the number of days of a month. */
function daysOf(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Returns the start of a day in UTC. `Date.UTC` takes the years before 100 for others. */
function startOfDay(year: number, month: number, day: number): number {
  return year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
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
export type Zone = ((reading: number) => number) & ZoneSettings;

/** Settings of reading beside the zone, if given. */
interface ZoneSettings {
  readonly unit?: TimeUnit;
  /** Order of day and month where both fit. */
  readonly order?: DateOrder;
  /** Path of the member with the log, or `none`. */
  readonly envelope?: string;
}

/** The zone of clocks that show UTC. */
export const utcClocks: Zone = (reading) => reading;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Parses the name of a zone: `UTC`, an offset like `+02:00`, or a name of the time zone database
 * like `Europe/Berlin`. Returns undefined for an unknown name.
 *
 * Settings may follow, each after a blank: a unit of numeric times, an order of day and month, and the
 * path of the member with the log, as in `UTC us dmy envelope:message`.
 *
 * When clocks are set back, a reading occurs twice: the first one is taken. When they are set
 * forward, a reading is skipped: it counts from the hour before.
 */
export function parseZone(name: string): Zone | undefined {
  const [bare = '', ...settings] = name.split(' ');
  if (0 < settings.length) return withSettings(parseZone(bare), settings);
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

function withSettings(zone: Zone | undefined, settings: readonly string[]): Zone | undefined {
  if (!zone) return undefined;
  const read: { -readonly [S in keyof ZoneSettings]: ZoneSettings[S] } = {};
  for (const setting of settings) {
    const unit = timeUnits.find((unit) => unit === setting);
    const order = dateOrders.find((order) => order === setting);
    if (unit) read.unit = unit;
    else if (order) read.order = order;
    else if (setting.startsWith('envelope:')) read.envelope = setting.slice('envelope:'.length);
    else return undefined;
  }
  return Object.assign((reading: number) => zone(reading), read);
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
