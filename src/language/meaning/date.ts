/**
 * Dates in the engine's formats: ISO dates whose end may be missing, milliseconds since the epoch,
 * and date math (section 5 of the language specification). All in UTC.
 */
export interface DateOptions {
  /** True to fill missing parts and `/unit` up to the last millisecond, false for the first. */
  readonly roundUp: boolean;
  /** The value of `now`, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Parses a date to milliseconds since the epoch; undefined for any other text, or a date that does
 * not exist.
 *
 * ```ts
 * parseDate('2025-03-12', { roundUp: false, now: Date.now() });
 * ```
 */
export function parseDate(text: string, options: DateOptions): number | undefined {
  const split = text.startsWith('now') ? 3 : text.indexOf('||');
  if (split === -1) return parseInstant(text, options.roundUp);
  // The anchor of date math is not rounded; only the math is.
  const anchor = text.startsWith('now') ? options.now : parseInstant(text.slice(0, split), false);
  const math = text.slice(text.startsWith('now') ? 3 : split + 2);
  return anchor === undefined ? undefined : applyMath(anchor, math, options.roundUp);
}

const isoDate =
  /^([+-]?\d{4,9})(?:-(\d\d)(?:-(\d\d)(?:T(?:(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/;

function parseInstant(text: string, roundUp: boolean): number | undefined {
  // Four digits are a year; any other whole number counts milliseconds.
  if (/^-?\d+$/.test(text) && !/^\d{4}$/.test(text)) return withinDates(Number(text));
  const match = isoDate.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const last = roundUp ? { hour: 23, minute: 59, second: 59, millisecond: 999 } : undefined;
  const parts = {
    year: Number(year),
    month: Number(month ?? 1),
    day: Number(day ?? 1),
    hour: Number(hour ?? last?.hour ?? 0),
    minute: Number(minute ?? last?.minute ?? 0),
    second: Number(second ?? last?.second ?? 0),
    millisecond: fraction ? Number(fraction.padEnd(3, '0').slice(0, 3)) : (last?.millisecond ?? 0),
  };
  const time = toTime(parts);
  return time === undefined ? undefined : withinDates(time - zoneOffset(zone));
}

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

function toTime({ year, month, day, hour, minute, second, millisecond }: DateParts): number | undefined {
  if (23 < hour || 59 < minute || 59 < second) return undefined;
  // The setters accept years below 100, which `Date.UTC` moves to the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second, millisecond);
}

function zoneOffset(zone: string | undefined): number {
  if (!zone || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)) * (3 < zone.length ? 1 : 0);
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

function withinDates(time: number): number | undefined {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? time : undefined;
}

type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's';

function applyMath(anchor: number, math: string, roundUp: boolean): number | undefined {
  let time = anchor;
  let position = 0;
  for (const [operation, sign, count, letter] of math.matchAll(/([+\-/])(\d*)([yMwdhHms])/gy)) {
    position += operation.length;
    const unit = (letter === 'H' ? 'h' : letter) as Unit;
    if (sign === '/') {
      if (count) return undefined;
      const start = startOf(time, unit);
      time = roundUp ? add(start, 1, unit) - 1 : start;
    } else {
      time = add(time, (sign === '-' ? -1 : 1) * Number(count || 1), unit);
    }
  }
  return position === math.length ? withinDates(time) : undefined;
}

const lengths = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

function add(time: number, count: number, unit: Unit): number {
  if (unit !== 'y' && unit !== 'M') return time + count * lengths[unit];
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'y' ? 12 : 1));
  // The last day of a month stays the last day: a month after 31 January is the end of February.
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime();
}

function startOf(time: number, unit: Unit): number {
  const date = new Date(time);
  if (unit === 'y' || unit === 'M') {
    date.setUTCMonth(unit === 'y' ? 0 : date.getUTCMonth(), 1);
    return date.setUTCHours(0, 0, 0, 0);
  }
  // Weeks begin on Monday; the epoch was a Thursday.
  const shift = unit === 'w' ? 3 * lengths.d : 0;
  return Math.floor((time + shift) / lengths[unit]) * lengths[unit] - shift;
}
