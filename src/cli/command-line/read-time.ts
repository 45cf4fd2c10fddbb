import { type DateOptions, parseDate } from '../../language/index.ts';
import { instantsOf, type TimeZone, utcZone } from '../../records/index.ts';

const day = 86_400_000;

/** Options of reading a time. */
export interface ReadTimeOptions extends DateOptions {
  /** Zone of a time that names none, of days and of months. Default: UTC. */
  readonly zone?: TimeZone;
}

/**
 * Reads a time of a command line to milliseconds since the epoch; undefined for any other text. It is
 * a date of the query language (`parseDate`), or one of the forms that people write and this program
 * prints: `today`, `yesterday` and `tomorrow`, also before a time of day; a blank instead of the `T`;
 * small letters; `UTC`, `(UTC)` or a blank before the zone. The end of a month or a year is that of its
 * last day, where the query language takes the end of its first.
 *
 * When clocks are set back, a time occurs twice: the first one is taken, with `roundUp` the second.
 * When they are set forward, a skipped time is that of the change.
 */
export function readTime(text: string, { zone = utcZone, ...options }: ReadTimeOptions): number | undefined {
  const written = text.trim().replace(/\s+/g, ' ');
  const wholeUnit = /^\d{4}(-\d\d)?$/.exec(written);
  const whole = wholeUnit ? `${written}||/${wholeUnit[1] === undefined ? 'y' : 'M'}` : written;
  const split = /^now/.test(whole) ? 3 : whole.indexOf('||');
  if (split === -1) return readMoment(toIsoText(whole, options.now, zone), options.roundUp, zone);
  const isNow = /^now/.test(whole);
  // The anchor of date math is not rounded; only the math is.
  const anchor = isNow ? options.now : readMoment(whole.slice(0, split), false, zone);
  const math = whole.slice(isNow ? 3 : split + 2);
  return anchor === undefined ? undefined : applyMath(anchor, math, { zone, ...options });
}

/** A date with a zone of its own, or milliseconds since the epoch. */
const isAbsolute = /^-?(\d{1,3}|\d{5,})$|T.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function readMoment(iso: string, roundUp: boolean, zone: TimeZone): number | undefined {
  const reading = parseDate(iso, { roundUp, now: 0 });
  if (reading === undefined || isAbsolute.test(iso)) return reading;
  return toInstant(reading, roundUp, zone);
}

function toInstant(reading: number, roundUp: boolean, zone: TimeZone): number {
  const { earliest, latest } = instantsOf(zone, reading);
  return roundUp ? latest : earliest;
}

/** Days and longer units are those of the calendar of the zone; shorter ones have a fixed length. */
function applyMath(
  anchor: number,
  math: string,
  { zone, ...options }: ReadTimeOptions & { readonly zone: TimeZone },
): number | undefined {
  const operations = math.match(/[+\-/]\d*[a-zA-Z]/g) ?? [];
  if (operations.join('') !== math) return undefined;
  return operations.reduce<number | undefined>((time, operation) => {
    if (time === undefined) return undefined;
    const offset = zone.offsetAt(time);
    const reading = isoOf(time + offset);
    const result = reading && parseDate(`${reading}||${operation}`, options);
    if (typeof result !== 'number') return undefined;
    const isRoundedUp = options.roundUp && operation.startsWith('/');
    return /[yMwd]$/.test(operation) ? toInstant(result, isRoundedUp, zone) : result - offset;
  }, anchor);
}

/** A text of `parseDate`, which takes numbers of four digits for years; undefined beyond all dates. */
function isoOf(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const dayWords = { yesterday: -day, today: 0, tomorrow: day } as const;

function toIsoText(written: string, now: number, zone: TimeZone): string {
  return written
    .replace(/^(yesterday|today|tomorrow)\b/i, (word) => {
      const shift = Object.entries(dayWords).find(([name]) => name === word.toLowerCase())?.[1] ?? 0;
      return new Date(now + zone.offsetAt(now) + shift).toISOString().slice(0, 10);
    })
    .replace(/^([+-]?\d{4,9}-\d\d-\d\d)[ t](?=\d)/, '$1T')
    .replace(/(\d) ?(?:utc|\(utc\)|z)$/i, '$1Z')
    .replace(/(:\d\d(?:[.,]\d+)?) (?=[+-]\d)/, '$1')
    .replace(/([.,]\d{9})\d+/, '$1');
}
