import { parseDate } from '../../language/index.ts';
import { instantsOf, parseTimeZone, type TimeZone, utcZone } from '../../records/index.ts';

const zones = new Map<string, TimeZone>();

/** The zone of a name; UTC for a name that is not known. */
export function zoneOf(name: string): TimeZone {
  const found = zones.get(name) ?? parseTimeZone(name) ?? utcZone;
  zones.set(name, found);
  return found;
}

/**
 * A time on the clock of a zone: `2025-03-12 08:24:10.123`. The offset follows where the clock shows the same twice,
 * so that no two times are written alike.
 */
export function formatTime(time: number, zone: string): string {
  const written = readingOf(time, zone);
  if (zone === 'UTC') return written;
  const { earliest, latest } = instantsOf(zoneOf(zone), time + zoneOf(zone).offsetAt(time));
  return earliest === latest ? written : `${written} ${offsetOf(time, zone)}`;
}

/** A time on the clock of a zone, without an offset. */
function readingOf(time: number, zone: string): string {
  const reading = new Date(time + zoneOf(zone).offsetAt(time));
  const shown = Number.isNaN(reading.getTime()) ? new Date(time) : reading;
  return shown.toISOString().replace('T', ' ').replace('Z', '');
}

/** The offset of a zone from UTC at a time: `+01:00`. */
export function offsetOf(time: number, zone: string): string {
  const minutes = Math.round(zoneOf(zone).offsetAt(time) / 60_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(distance / 60)}:${two(distance % 60)}`;
}

/** A time that no zone changes: one with a zone of its own, milliseconds since the epoch, and `now`. */
const isAbsolute = /^now|^-?(?:\d{1,3}|\d{5,})$|T.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/**
 * Parses a time on the clock of a zone, such as `2025-03-12 08:24`, or `now-2h`; undefined if it is none. As the end
 * of an interval, missing parts are full, and of a time that the clock shows twice it is the second, as `--to` has it.
 */
export function parseTime(text: string, zone: string, isEnd = false): number | undefined {
  const written = text
    .trim()
    .replace(/^([+-]?\d{4,9}-\d\d-\d\d)[ t]+(?=\d)/, '$1T')
    .replace(/(\d) +(?=Z$|[+-]\d\d(?::?\d\d)?$)/, '$1');
  const reading = parseDate(written, { roundUp: isEnd, now: Date.now() });
  if (reading === undefined || isAbsolute.test(written)) return reading;
  const { earliest, latest } = instantsOf(zoneOf(zone), reading);
  return isEnd ? latest : earliest;
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A length of time in its two largest units: `3 h 12 min`. */
export function formatDuration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < 1000) return `${Math.round(length)} ms`;
  const index = units.findIndex(([unit]) => unit <= length);
  const [first, name] = units[index] ?? units[3];
  const [second, small] = units[index + 1] ?? [0, ''];
  const rest = second === 0 ? 0 : Math.floor((length % first) / second);
  if (second === 0) return `${(length / 1000).toFixed(length < 10_000 ? 2 : 0)} s`;
  return `${Math.floor(length / first)} ${name}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
