import { parseDate } from './date.ts';
import type { Field, FieldType } from './fields.ts';
import { type Filter, type FilterBound, matchNoneFilter, type RangeFilter } from './filter.ts';
import { greatestInteger, leastInteger, type NumberValue, toNumberValue } from './number-value.ts';

/** A bound of a range as written; an open end is undefined. */
export type WrittenBound = FilterBound<string> | undefined;

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
 * The filter for one value of a number or date field. It selects nothing for a text that is no
 * such value, or a fraction on an integer field. A date without a time is the whole day (sections
 * 5 and 7.5 of the language specification).
 */
export function equalityFilter(field: Field, text: string, now: number): Filter {
  const bound: FilterBound<string> = { value: text, inclusive: true };
  if (field.type === 'date') return numberRangeFilter(field, { lower: bound, upper: bound, now });
  const value = parseFieldNumber(field.type, text);
  if (value === undefined) return matchNoneFilter;
  return { kind: 'range', field, lower: { value, inclusive: true }, upper: { value, inclusive: true } };
}

/** The filter for a range over a number or date field; it selects nothing if a bound is no number or date. */
export function numberRangeFilter(
  field: Field,
  { lower, upper, now }: { lower: WrittenBound; upper: WrittenBound; now: number },
): Filter {
  const from = lower && toBound(field, lower, { roundUp: !lower.inclusive, now });
  const to = upper && toBound(field, upper, { roundUp: upper.inclusive, now });
  if ((lower && !from) || (upper && !to)) return matchNoneFilter;
  const range: RangeFilter = { kind: 'range', field, ...(from && { lower: from }), ...(to && { upper: to }) };
  return range;
}

function toBound(
  field: Field,
  { value, inclusive }: FilterBound<string>,
  rounding: { roundUp: boolean; now: number },
): FilterBound<NumberValue> | undefined {
  const number = field.type === 'date' ? parseDate(value, rounding) : parseFieldNumber(field.type, value);
  if (number === undefined) return undefined;
  const isRelative = field.type === 'date' && value.startsWith('now');
  return { value: number, inclusive, ...(isRelative && { relative: value }) };
}
