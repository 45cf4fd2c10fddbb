import type { FieldType } from './fields.ts';

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
