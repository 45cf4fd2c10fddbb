import type { FieldType } from './fields.ts';

/**
 * A number of a log or of a bound. Whole numbers beyond ±(2^53 - 1), some of
 * which no double is, are a `bigint`; all others are a `number`. JavaScript
 * compares the two exactly.
 */
export type NumberValue = number | bigint;

/** The whole numbers that an integer field holds: those of 64 bits. */
export const leastInteger: NumberValue = -(2n ** 63n);
export const greatestInteger: NumberValue = 2n ** 63n - 1n;

/** A whole number as a `NumberValue`. */
export function toNumberValue(whole: bigint): NumberValue {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

/** The whole number that follows, or lies `step` away. */
export function nextWhole(value: NumberValue, step = 1): NumberValue {
  const next = typeof value === 'number' ? value + step : Number.NaN;
  return Number.isSafeInteger(next) ? next : toNumberValue(BigInt(value) + BigInt(step));
}

type Order = (a: NumberValue, b: NumberValue) => number;

/** Orders numbers exactly: below zero, zero or above it; NaN of what has no order. */
export const compareNumbers: Order = (a, b) => {
  if (a < b) return -1;
  if (b < a) return 1;
  return a <= b ? 0 : Number.NaN;
};

/** Orders doubles as the engine does, by their bits: -0 is the last one below 0. */
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

/** The text of a number or date as a query has it: a date in ISO 8601 where it is one, `-0` with its sign. */
export function numberText(type: FieldType, value: NumberValue): string {
  const date = type === 'date' ? new Date(Number(value)) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date.toISOString();
  return Object.is(value, -0) ? '-0' : String(value);
}
