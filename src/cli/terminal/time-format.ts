import { openStart } from '../../export/index.ts';
import { type TimeZone, utcZone } from '../../records/index.ts';

/**
 * Formats a time: `2025-03-12 08:24:10.123` in UTC, `2025-03-12 09:24:10.123 +01:00` in another zone, or
 * "the beginning" without a bound.
 */
export function formatTime(time: number, zone: TimeZone = utcZone): string {
  if (time <= openStart) return 'the beginning';
  return `${readingOf(time, zone)}${offsetSuffix(time, zone)}`;
}

/** Like `formatTime`, to the second. */
export function formatSecond(time: number, zone: TimeZone = utcZone): string {
  if (time <= openStart) return 'the beginning';
  return `${readingOf(time, zone).slice(0, -4)}${offsetSuffix(time, zone)}`;
}

/** Like `formatTime`, to the minute. */
export function formatMinute(time: number, zone: TimeZone = utcZone): string {
  return `${readingOf(time, zone).slice(0, -7)}${offsetSuffix(time, zone)}`;
}

/** Formats a range: `2025-03-12 08:24:10.123 to 2025-03-12 09:00:00.000 (UTC)`. */
export function formatRange(
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
  zone: TimeZone = utcZone,
): string {
  return `${formatTime(oldest, zone)} to ${formatTime(newest, zone)}${zoneNote(zone)}`;
}

const day = 86_400_000;

/** The beginning of an interval of a length, as exact as the length requires; a day needs no offset. */
export function formatStart(time: number, length: number, zone: TimeZone = utcZone): string {
  const reading = readingOf(time, zone);
  if (length % day === 0) return reading.slice(0, -13);
  const cut = length % 60_000 === 0 ? 7 : length % 1_000 === 0 ? 4 : 0;
  return `${reading.slice(0, reading.length - cut)}${offsetSuffix(time, zone)}`;
}

/** Follows a time or a range: " (UTC)", or nothing in another zone, whose times have their offset. */
export function zoneNote({ name }: TimeZone = utcZone): string {
  return name === utcZone.name ? ' (UTC)' : '';
}

/** The heading of a column of times: `time (UTC)`. */
export function timeHeading(text: string, { name }: TimeZone): string {
  return `${text} (${name})`;
}

/** The local date and time to the millisecond. */
function readingOf(time: number, zone: TimeZone): string {
  const local = new Date(time + offsetWithin(time, zone));
  return local.toISOString().replace('T', ' ').replace('Z', '');
}

/** The offset of a zone; 0 where local times are beyond all dates. */
function offsetWithin(time: number, { offsetAt }: TimeZone): number {
  const offset = offsetAt(time);
  return Number.isNaN(new Date(time + offset).getTime()) ? 0 : offset;
}

/** The offset after a time: ` +02:00`, nothing in UTC; with seconds for historical local times. */
function offsetSuffix(time: number, zone: TimeZone): string {
  if (zone.name === utcZone.name) return '';
  const offset = offsetWithin(time, zone);
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 19).replace(/:00$/, '');
  return ` ${offset < 0 ? '-' : '+'}${text}`;
}
