/** Returns the offset of local clocks from UTC at a time; both in milliseconds. */
export type OffsetAt = (time: number) => number;

const minute = 60_000;
const hour = 60 * minute;

/** Zones change at full quarters of an hour, so an offset holds for its whole quarter. */
export const quarterHour = 15 * minute;

/**
 * Parses the name of a zone: `UTC`, an offset like `+02:00`, or a name of the time zone database like
 * `Europe/Berlin`. Returns undefined for an unknown name.
 */
export function parseZoneOffset(name: string): OffsetAt | undefined {
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
export function parseOffset(text: string): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = offsetForm.exec(text) ?? [];
  const distance = Number(hours) * hour + Number(minutes) * minute;
  if (sign === undefined || 59 < Number(minutes) || mostOffset < distance) return undefined;
  return sign === '-' ? -distance : distance;
}

/** Maximum number of cached quarters. */
const maxQuarters = 10_000;

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
