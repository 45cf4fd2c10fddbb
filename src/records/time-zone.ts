import { type OffsetAt, parseZoneOffset } from './zone-offset.ts';

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
export interface Instants {
  readonly earliest: number;
  readonly latest: number;
}

const day = 86_400_000;

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
