import type { FilterBound, RangeFilter } from '../meaning/filter.ts';
import {
  compareNumbers,
  greatestInteger,
  leastInteger,
  type NumberValue,
  nextWhole,
  toNumberValue,
} from '../meaning/number-value.ts';
import type { LeafFilter } from './boolean-logic.ts';
import type { Interval } from './interval.ts';
import type { ValueLine } from './line-theory.ts';

/** The numbers of a field type. */
interface NumberType {
  readonly least: NumberValue;
  readonly greatest: NumberValue;
  /** The first number at a bound, even if the type does not reach it. */
  readonly first: (bound: FilterBound<NumberValue>) => NumberValue;
  /** Some numbers between two others, both included. */
  readonly samples: (first: NumberValue, last: NumberValue) => readonly NumberValue[];
  /** The predecessor of a number. */
  readonly previous: (value: NumberValue) => NumberValue;
}

type Whole = Pick<NumberType, 'least' | 'greatest'>;

/**
 * Integers have 64 bits; dates are those of `Date`. A decimal is any double but -0: `toDocument`
 * makes it 0.
 */
const types = {
  integer: wholeType({ least: leastInteger, greatest: greatestInteger }),
  decimal: {
    least: -Number.MAX_VALUE,
    greatest: Number.MAX_VALUE,
    first: firstDouble,
    samples: doublesBetween,
    previous: (value) => 0 - nextUp(0 - Number(value)),
  },
  date: wholeType({ least: -8.64e15, greatest: 8.64e15 }),
} as const satisfies Record<string, NumberType>;

type NumberTypeName = keyof typeof types;

/** The values of a number or date field. An empty interval starts at infinity, which is not one of them. */
export function numberLine(name: NumberTypeName): ValueLine<NumberValue> {
  return lines[name];
}

const lines = {
  integer: lineOf(types.integer),
  decimal: lineOf(types.decimal),
  date: lineOf(types.date),
};

/** The first and the last value of a range on an integer or date field; undefined if it contains none. */
export function wholeEnds(
  range: RangeFilter,
  name: 'integer' | 'date',
): { readonly first: NumberValue | undefined; readonly last: NumberValue | undefined } | undefined {
  const { from, to } = intervalOf(range, types[name]) ?? {};
  if (from === Number.POSITIVE_INFINITY) return undefined;
  const last = to === undefined ? undefined : nextWhole(to, -1);
  return last !== undefined && last < (from ?? types[name].least) ? undefined : { first: from, last };
}

function wholeType(ends: Whole): NumberType {
  const previous = (value: NumberValue) => nextWhole(value, -1);
  return { ...ends, first: firstWhole, samples: wholesBetween, previous };
}

function lineOf(type: NumberType): ValueLine<NumberValue> {
  return {
    compare: compareNumbers,
    interval: (leaf) => intervalOf(leaf, type),
    valuesIn: (interval) => valuesIn(interval, type),
    valuesFitting: () => [],
    onlyValue: (interval) => {
      const isOne = interval.to !== undefined && interval.from === lastIn(interval, type);
      return isOne ? interval.from : undefined;
    },
  };
}

function intervalOf(leaf: LeafFilter, type: NumberType): Interval<NumberValue> | undefined {
  if (leaf.kind !== 'range') return undefined;
  const { lower, upper } = leaf;
  const to = upper && firstAt({ ...upper, inclusive: !upper.inclusive }, type);
  // No number exceeds the greatest, so an end there is open.
  return { from: lower && firstAt(lower, type), to: to === Number.POSITIVE_INFINITY ? undefined : to };
}

/** The first number of a type at a lower bound; infinity if there is none. */
function firstAt(bound: FilterBound<NumberValue>, { first, least, greatest }: NumberType): NumberValue {
  const value = first(bound);
  if (!(value <= greatest)) return Number.POSITIVE_INFINITY;
  return value < least ? least : value;
}

/** The last number before the end of an interval. */
function lastIn({ to }: Interval<NumberValue>, { greatest, previous }: NumberType): NumberValue {
  return to === undefined || greatest < to ? greatest : previous(to);
}

function valuesIn(interval: Interval<NumberValue>, type: NumberType): readonly NumberValue[] {
  const first = interval.from ?? type.least;
  const last = lastIn(interval, type);
  if (last < first) return [];
  const values = type.samples(first, last).filter((value) => first <= value && value <= last);
  return [...new Set(values)].sort((a, b) => String(a).length - String(b).length);
}

function firstWhole({ value, inclusive }: FilterBound<NumberValue>): NumberValue {
  // A filter made by hand may contain infinity and NaN, which stay as they are.
  if (typeof value === 'number' && !Number.isFinite(value)) return value;
  const least = toNumberValue(BigInt(typeof value === 'number' ? Math.ceil(value) : value));
  return inclusive || value < least ? least : nextWhole(least);
}

function wholesBetween(first: NumberValue, last: NumberValue): readonly NumberValue[] {
  const middle = toNumberValue((BigInt(first) + BigInt(last)) / 2n);
  return [0, 1, first, nextWhole(first), last, middle];
}

function firstDouble({ value, inclusive }: FilterBound<NumberValue>): number {
  const double = Number(value);
  const isReached = inclusive ? value <= double : value < double;
  return isReached ? double + 0 : nextUp(double);
}

function doublesBetween(first: NumberValue, last: NumberValue): readonly number[] {
  const [from, to] = [Number(first), Number(last)];
  const middle = from / 2 + to / 2;
  const whole = Math.ceil(from);
  // Adding zero turns negative zero into zero.
  return [0, 1, from, whole, whole + 1, Math.floor(to), Math.floor(middle), middle].map((value) => value + 0);
}

/** A double and its bits. */
const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The next double. For -0 it is 0, although no bound passes one. */
function nextUp(value: number): number {
  if (Object.is(value, -0)) return 0;
  if (value === 0) return Number.MIN_VALUE;
  if (!Number.isFinite(value)) return value;
  double[0] = value;
  bits[0] = (bits[0] ?? 0n) + (0 < value ? 1n : -1n);
  return double[0] + 0;
}
