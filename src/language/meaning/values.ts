import type { FieldType } from './schema.ts';

/**
 * A number of a log or of a bound. Whole numbers beyond ±(2^53 - 1) are a `bigint`, since doubles
 * cannot represent all of them; all others are a `number`. JavaScript compares the two exactly.
 */
export type NumberValue = number | bigint;

/** The whole numbers that an integer field holds: those of 64 bits. */
export const leastInteger: NumberValue = -(2n ** 63n);
export const greatestInteger: NumberValue = 2n ** 63n - 1n;

/** Converts a whole number to a `NumberValue`. */
export function toNumberValue(whole: bigint): NumberValue {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

/** The next whole number, or the one `step` away. */
export function nextWhole(value: NumberValue, step = 1): NumberValue {
  const next = typeof value === 'number' ? value + step : Number.NaN;
  return Number.isSafeInteger(next) ? next : toNumberValue(BigInt(value) + BigInt(step));
}

type Order = (a: NumberValue, b: NumberValue) => number;

/** Orders numbers exactly, as a comparator; NaN for a NaN. */
export const compareNumbers: Order = (a, b) => {
  if (a < b) return -1;
  if (b < a) return 1;
  return a <= b ? 0 : Number.NaN;
};

/** Orders doubles by their bits, as the engine does: -0 is the last one below 0. */
const compareDoubles: Order = (a, b) => {
  const order = compareNumbers(a, b);
  return order === 0 ? signOfZero(a) - signOfZero(b) : order;
};

function signOfZero(value: NumberValue): number {
  return Object.is(value, -0) ? -1 : 0;
}

/** The order of the numbers of a field. */
export function numberOrderOf(type: FieldType): Order {
  return type === 'decimal' ? compareDoubles : compareNumbers;
}

/** The text of a number or date in a query: a valid date in ISO 8601, `-0` with its sign. */
export function numberText(type: FieldType, value: NumberValue): string {
  const date = type === 'date' ? new Date(Number(value)) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date.toISOString();
  return Object.is(value, -0) ? '-0' : String(value);
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a number: digits with an optional fraction and exponent; undefined for any other text. */
export function parseNumber(text: string): number | undefined {
  const number = isNumberText(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Returns whether a text is a number, of any size. */
export function isNumberText(text: string): boolean {
  // A shortcut: most texts begin with a letter, and no number does.
  return text < 'A' && decimal.test(text);
}

/**
 * Parses a number for an integer field, exact to 64 bits; undefined beyond them. As in the engine,
 * a text whose double is whole has the value of its digits before the point. Any other has the
 * value of its double (section 5 of the language specification).
 */
export function parseInteger(text: string): NumberValue | undefined {
  const number = parseNumber(text);
  // Adding zero turns negative zero into zero; integers have no negative one.
  if (number === undefined || !Number.isInteger(number)) return number;
  if (/^[+-]?\d{1,15}$/.test(text)) return number + 0;
  const whole = Math.abs(number) <= 2 ** 63 ? digitsBeforePoint(text) : undefined;
  return whole === undefined || whole < leastInteger || greatestInteger < whole
    ? undefined
    : toNumberValue(whole);
}

/** The whole part of a number, exactly. The text must be a number of at most 2^63. */
function digitsBeforePoint(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE](.*))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0 || !/[1-9]/.test(digits)) return 0n;
  const value = BigInt(digits.slice(0, point).padEnd(point, '0'));
  return sign === '-' ? -value : value;
}

/**
 * Parses a number for a number field. Like Java, the engine accepts blanks around a decimal and a
 * type letter behind it, for example `1.5d`.
 */
export function parseFieldNumber(type: FieldType, text: string): NumberValue | undefined {
  if (type !== 'decimal') return parseInteger(text);
  return parseNumber(text) ?? parseNumber(text.replace(/^[\0- ]+|[dDfF]?[\0- ]+$|[dDfF]$/g, ''));
}

/**
 * Dates in the engine's formats: ISO dates whose end may be missing, milliseconds since the epoch,
 * and date math (section 5 of the language specification). All in UTC.
 */
export interface DateOptions {
  /** True to fill missing parts and `/unit` up to the last millisecond, false for the first. */
  readonly roundUp: boolean;
  /** The value of `now`, in milliseconds since the epoch. */
  readonly now: number;
  /**
   * True to read a day that its month does not have, up to the 31st, as its last one if it is rounded up, and 24:00:00.000
   * as the next day: so does the engine at the ends of ranges, though it refuses them anywhere else.
   */
  readonly clampDays?: boolean;
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
  if (split === -1) return parseInstant(text, options);
  // The anchor of date math is not rounded; only the math is.
  const anchor = text.startsWith('now')
    ? options.now
    : parseInstant(text.slice(0, split), { roundUp: false });
  const math = text.slice(text.startsWith('now') ? 3 : split + 2);
  return anchor === undefined ? undefined : applyMath(anchor, math, options.roundUp);
}

/** A year beyond four digits has a sign, and a zone follows a time alone. */
const isoDate =
  /^(-?\d{4}|[+-]\d{5,9})(?:-(\d\d)(?:-(\d\d))?)?(?:T(?:(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?$/;

function parseInstant(
  text: string,
  { roundUp, clampDays = false }: Pick<DateOptions, 'roundUp' | 'clampDays'>,
): number | undefined {
  // Four digits are a year; any other number counts milliseconds, of which the engine takes whole ones.
  const [, whole, part] = /^(?!-?\d{4}$)(?:(-?\d+)|(\d+)\.\d{0,6})$/.exec(text) ?? [];
  const milliseconds = whole ?? part;
  if (milliseconds !== undefined) return toMilliseconds(milliseconds);
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
  const time = toTime(parts, roundUp && clampDays);
  const offset = zoneOffset(zone);
  return time === undefined || offset === undefined ? undefined : withinDates(time - offset);
}

/** Milliseconds of 64 bits. Those beyond all dates are the first or the last date. */
function toMilliseconds(digits: string): number | undefined {
  const whole = BigInt(digits);
  if (whole < leastInteger || greatestInteger < whole) return undefined;
  return Math.max(-lastDate, Math.min(Number(whole), lastDate));
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

function toTime(
  { year, month, day, hour, minute, second, millisecond }: DateParts,
  isClamped: boolean,
): number | undefined {
  const isMidnight = isClamped && hour === 24 && minute + second + millisecond === 0;
  if ((23 < hour && !isMidnight) || 59 < minute || 59 < second) return undefined;
  if (month < 1 || 12 < month || day < 1 || 31 < day) return undefined;
  // The setters accept years below 100, which `Date.UTC` moves to the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) {
    if (!isClamped) return undefined;
    date.setUTCDate(0);
  }
  return date.setUTCHours(hour, minute, second, millisecond);
}

/** The offset of a zone in milliseconds; undefined beyond 18 hours, which no zone has. */
function zoneOffset(zone: string | undefined): number | undefined {
  if (!zone || zone === 'Z') return 0;
  const rest = 3 < zone.length ? Number(zone.slice(-2)) : 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + rest;
  if (59 < rest || 18 * 60 < minutes) return undefined;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** The last date of JavaScript, in milliseconds since the epoch; the first one is as far before it. */
const lastDate = 8.64e15;

function withinDates(time: number): number | undefined {
  return Number.isFinite(time) && Math.abs(time) <= lastDate ? time : undefined;
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
