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
export const utc: Zone = (reading) => reading;

const minute = 60_000;
const hour = 60 * minute;

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
  if (/^(utc|z)$/i.test(name)) return utc;
  const offset = parseOffset(name);
  if (offset !== undefined) return (reading) => reading - offset;
  // Newer versions of Node take any offset for the name of a zone, up to 23:59.
  return /^[+-]/.test(name) ? undefined : namedZone(name);
}

function withUnit(zone: Zone | undefined, written: string | undefined): Zone | undefined {
  const unit = timeUnits.find((each) => each === written);
  return zone && unit && Object.assign((reading: number) => zone(reading), { unit });
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

/** Zones change at full quarters of an hour, so the offset of a reading holds for its whole quarter. */
const quarter = 15 * minute;

/** Maximum number of cached quarters. */
const maxQuarters = 10_000;

function namedZone(name: string): Zone | undefined {
  const offsetAt = offsetsOf(name);
  if (!offsetAt) return undefined;
  const known = new Map<number, number>();
  return (reading) => {
    const key = Math.floor(reading / quarter);
    const offset = known.get(key) ?? offsetOfReading(key * quarter, offsetAt);
    if (known.size === maxQuarters) known.clear();
    known.set(key, offset);
    return reading - offset;
  };
}

/** Returns the offset from UTC of clocks that show a reading. */
function offsetOfReading(reading: number, offsetAt: (time: number) => number): number {
  const before = offsetAt(reading - 24 * hour);
  const after = offsetAt(reading + 24 * hour);
  const isShown = (offset: number) => offsetAt(reading - offset) === offset;
  return !isShown(before) && isShown(after) ? after : before;
}

/** Range of the time zone database that is used. */
const years = { first: Date.UTC(1900, 0), last: Date.UTC(2100, 0) };

/** Returns a function from a time to the offset of a zone from UTC; undefined for an unknown zone. */
function offsetsOf(timeZone: string): ((time: number) => number) | undefined {
  const format = formatOf(timeZone);
  if (!format) return undefined;
  return (time) => {
    const within = Math.min(Math.max(time, years.first), years.last);
    const shown = new Map(format.formatToParts(within).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
    const reading = Date.UTC(
      ...([part('year'), part('month') - 1, part('day')] as const),
      ...([part('hour'), part('minute'), part('second')] as const),
    );
    return reading - Math.floor(within / 1000) * 1000;
  };
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
