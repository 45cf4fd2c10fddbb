/** The units of times that are numbers since the epoch. */
export const timeUnits = ['s', 'ms', 'us', 'ns'] as const;

/** The unit of times that are numbers since the epoch. */
export type TimeUnit = (typeof timeUnits)[number];

/**
 * Gives the time that a clock without a zone meant. Both are milliseconds since
 * the epoch; the reading is what the clock would have shown in UTC. What writes
 * numbers instead may be known to count them in a unit.
 */
export type Zone = ((reading: number) => number) & { readonly unit?: TimeUnit };

/** The zone of clocks that show UTC. */
export const utc: Zone = (reading) => reading;

const minute = 60_000;
const hour = 60 * minute;

/**
 * The zone of a name: `UTC`, an offset like `+02:00`, or a name of the time
 * zone database like `Europe/Berlin`. Undefined when there is none of that name.
 *
 * A unit of times that are numbers may stand behind it: `UTC us`.
 *
 * When clocks are set back, a reading comes twice: it is taken for the first.
 * When they are set forward, a reading is left out: it counts from the hour
 * before.
 */
export function parseZone(name: string): Zone | undefined {
  const [, zoneName, unit] = /^(.+) (\w+)$/.exec(name) ?? [];
  if (zoneName !== undefined) return withUnit(parseZone(zoneName), unit);
  if (/^(utc|z)$/i.test(name)) return utc;
  const offset = offsetOf(name);
  if (offset !== undefined) return (reading) => reading - offset;
  // Newer versions of Node take any offset for the name of a zone, up to 23:59.
  return /^[+-]/.test(name) ? undefined : namedZone(name);
}

function withUnit(zone: Zone | undefined, written: string | undefined): Zone | undefined {
  const unit = timeUnits.find((each) => each === written);
  return zone && unit && Object.assign((reading: number) => zone(reading), { unit });
}

const offsetForm = /^([+-])(\d\d)(?::?(\d\d))?$/;

/** No clock is further from UTC than this, as Java's `ZoneOffset` has it. Milliseconds. */
const mostOffset = 18 * hour;

/**
 * The milliseconds by which an offset like `+02:00` is ahead of UTC, up to 18 hours; undefined when a text is none.
 */
export function offsetOf(text: string): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = offsetForm.exec(text) ?? [];
  const ahead = Number(hours) * hour + Number(minutes) * minute;
  if (sign === undefined || 59 < Number(minutes) || mostOffset < ahead) return undefined;
  return sign === '-' ? -ahead : ahead;
}

/** Zones change at full quarters of an hour, so what is true of one reading is true of its quarter. */
const quarter = 15 * minute;

/** So many quarters are remembered at most. */
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

/** By how much the clocks are ahead of UTC when they show a reading. */
function offsetOfReading(reading: number, offsetAt: (time: number) => number): number {
  const before = offsetAt(reading - 24 * hour);
  const after = offsetAt(reading + 24 * hour);
  const isShown = (offset: number) => offsetAt(reading - offset) === offset;
  return !isShown(before) && isShown(after) ? after : before;
}

/** Outside of these years there is no zone database to speak of. */
const years = { first: Date.UTC(1900, 0), last: Date.UTC(2100, 0) };

/** By how much the clocks of a zone are ahead of UTC at a time. */
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
