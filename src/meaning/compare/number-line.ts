import type { Bound } from '../filter.ts';
import type { Interval } from './interval.ts';
import type { Line } from './line-theory.ts';
import type { Leaf } from './logic.ts';

/** A number type: which numbers it has. */
interface NumberType {
  readonly whole: boolean;
  readonly least: number;
  readonly greatest: number;
}

/** Integers have 64 bits; of those beyond 53 bits a log holds the ones that are doubles. Dates are what `Date` can hold. */
const types = {
  integer: { whole: true, least: -(2 ** 63), greatest: 2 ** 63 - 1024 },
  decimal: { whole: false, least: -Number.MAX_VALUE, greatest: Number.MAX_VALUE },
  date: { whole: true, least: -8.64e15, greatest: 8.64e15 },
} as const satisfies Record<string, NumberType>;

/** The values of a number or date field. */
export function numberLine(name: keyof typeof types): Line<number> {
  return lines[name];
}

const lines = { integer: lineOf(types.integer), decimal: lineOf(types.decimal), date: lineOf(types.date) };

function lineOf(type: NumberType): Line<number> {
  return {
    compare: (a, b) => a - b,
    interval: (leaf) => intervalOf(leaf, type),
    valuesIn: (interval) => valuesIn(interval, type),
    valuesFitting: () => [],
    only: ({ from, to }) => (from !== undefined && to === above(from, type) ? from : undefined),
  };
}

function intervalOf(leaf: Leaf, type: NumberType): Interval<number> | undefined {
  if (leaf.kind !== 'range') return undefined;
  const { lower, upper } = leaf;
  return {
    from: lower && firstAt(lower, type),
    to: upper && firstAt({ ...upper, inclusive: !upper.inclusive }, type),
  };
}

/** The first number of a type at a lower bound; infinity when there is none. */
function firstAt({ value, inclusive }: Bound<number>, type: NumberType): number {
  const first = inclusive ? atLeast(value, type) : above(value, type);
  return first <= type.greatest ? Math.max(first, type.least) : Number.POSITIVE_INFINITY;
}

function atLeast(value: number, { whole }: NumberType): number {
  return whole ? Math.ceil(value) : value;
}

function above(value: number, { whole }: NumberType): number {
  const next = whole ? Math.floor(value) + 1 : nextUp(value);
  // Beyond 53 bits adding one changes nothing; all doubles there are whole.
  return value < next ? next : nextUp(value);
}

/** One double, and its bits. */
const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The least double above another one. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  if (!Number.isFinite(value)) return value;
  double[0] = value;
  bits[0] = (bits[0] ?? 0n) + (0 < value ? 1n : -1n);
  return double[0];
}

function valuesIn({ from, to }: Interval<number>, type: NumberType): number[] {
  const least = from ?? type.least;
  const first = atLeast(least, type);
  const candidates = [0, 1, first, Math.ceil(least), Math.ceil(least) + 1];
  if (to !== undefined)
    candidates.push(Math.ceil(to) - 1, Math.floor(least / 2 + to / 2), least / 2 + to / 2);
  const values = candidates.filter(
    (value) =>
      first <= value &&
      value <= type.greatest &&
      (to === undefined || value < to) &&
      (!type.whole || Number.isInteger(value)),
  );
  // Adding zero makes a zero of a negative zero, which prints and compares alike but is another value.
  return [...new Set(values.map((value) => value + 0))].sort((a, b) => String(a).length - String(b).length);
}
