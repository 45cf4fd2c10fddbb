import { type OffsetAt, parseZoneOffset, quarterHour } from './zone-offset.ts';

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

const hour = 3_600_000;

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
  const before = offsetAt(reading - 24 * hour);
  const after = offsetAt(reading + 24 * hour);
  const isShown = (offset: number) => offsetAt(reading - offset) === offset;
  return !isShown(before) && isShown(after) ? after : before;
}
