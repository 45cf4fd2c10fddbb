import fc from 'fast-check';
import type { NumberValue } from '../language/index.ts';

/**
 * Numbers at which programs go wrong, for the generators of all properties:
 * where doubles begin to skip whole numbers, where 64 bits end, the neighbours
 * of both, zeros, and numbers that only a double can be.
 */

const large = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, 2n ** 62n + 1n, 2n ** 63n - 2n, 2n ** 63n - 1n];
const doubles = [2 ** 53, 2 ** 53 + 2, 2 ** 63, 1e30, 1e300, Number.MAX_VALUE, Number.MIN_VALUE, 0.1, 1 / 3];

function withNegative<N extends NumberValue>(numbers: readonly N[]): NumberValue[] {
  return numbers.flatMap((number) => [number, -number]);
}

/** Edges among the values of a field by its type. */
export const edgeValues: { readonly [T in 'integer' | 'decimal' | 'date']: readonly NumberValue[] } = {
  integer: [...withNegative([Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, ...large]), -(2n ** 63n)],
  decimal: [...withNegative(doubles), 0],
  date: withNegative([8.64e15, 8.64e15 - 1, 253_402_300_800_000]),
};

const beyond = [2n ** 63n, 2n ** 63n + 1n, 2n ** 64n];

/** Edges among the bounds of a filter by the type of its field: the values, and what lies between and behind them. */
export const edgeBounds: typeof edgeValues = {
  integer: [...edgeValues.integer, ...withNegative([...beyond, 1e300, 2 ** 60, 0.5]), -0],
  decimal: [...edgeValues.decimal, -0],
  date: [...edgeValues.date, ...withNegative([8.64e15 + 1, 2n ** 53n + 1n, 1e300]), -0],
};

/** The same as people and programs write them, with others that no field holds. */
export const edgeNumberTexts: readonly string[] = [
  ...['9007199254740991', '9007199254740992', '9007199254740993', '9007199254740994', '1234567890123456789'],
  ...['9223372036854775806', '9223372036854775807', '9223372036854775808', '18446744073709551616'],
  ...['9007199254740993.0', '9007199254740992.5', '9.007199254740993e15', '9223372036854775807.0'],
  ...['1e18', '1e19', '1e22', '1e30', '1e300', '1e308', '1e309', '1e400', '1e-400', '5e-324', '0.1', '0'],
  ...['0.99999999999999999999', '123456789012345.678901', '100000000000000000000', '1.0', '0.0', '10e-1'],
].flatMap((text) => [text, `-${text}`]);

/** One of the edges as text. */
export const edgeNumberText: fc.Arbitrary<string> = fc.constantFrom(...edgeNumberTexts);

/** Ranges with edges for bounds, open and reversed ones included, as query text. */
export const edgeRange: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('[', '{'),
    fc.oneof(edgeNumberText, fc.constantFrom('*', '5')),
    fc.oneof(edgeNumberText, fc.constantFrom('*', '5')),
    fc.constantFrom(']', '}'),
  )
  .map(([open, lower, upper, close]) => `${open}${lower} TO ${upper}${close}`);
