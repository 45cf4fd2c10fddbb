import { describe, expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import { plan } from '../../src/language/logic/plan.ts';
import { simplify } from '../../src/language/logic/simplify.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { toSchema } from '../../src/language/meaning/schema.ts';
import {
  compareNumbers,
  nextWhole,
  numberOrderOf,
  numberText,
  parseInteger,
  toNumberValue,
} from '../../src/language/meaning/values.ts';
import { parse } from '../../src/language/parse/parse.ts';

const filterOf = (text: string) => resolve(parse(text).query);

test.each([
  ['9007199254740991', 2 ** 53 - 1],
  ['9007199254740992', 2n ** 53n],
  ['+9007199254740993', 2n ** 53n + 1n],
  ['9.007199254740993e15', 2n ** 53n + 1n],
  ['90071992547409930e-1', 2n ** 53n + 1n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['9223372036854775807.9', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)],
  ['9223372036854775808', undefined],
  ['-9223372036854775809', undefined],
  ['1e300', undefined],
  ['1e400', undefined],
  ['1e-400', 0],
  ['-0', 0],
  ['0e999999999', 0],
  ['1.5', 1.5],
  // The double of this is 1, so the engine cuts its digits off.
  ['0.99999999999999999999', 0],
])('an integer field reads %s as %s', (text, value) => {
  expect(parseInteger(text)).toBe(value);
});

test('numbers are ordered exactly, whichever they are', () => {
  const ordered = [
    Number.NEGATIVE_INFINITY,
    -(2n ** 63n),
    -1.5,
    0,
    2 ** 53 - 1,
    2n ** 53n,
    2n ** 53n + 1n,
    1e300,
  ];
  expect(ordered.toReversed().sort(compareNumbers)).toEqual(ordered);
  expect(compareNumbers(2 ** 53, 2n ** 53n)).toBe(0);
});

test('a whole number is a bigint just where a number is not exact', () => {
  expect([2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n) + 1n, -(2n ** 53n)].map(toNumberValue)).toEqual([
    ...[2 ** 53 - 1, 2n ** 53n, -(2 ** 53) + 1, -(2n ** 53n)],
  ]);
  expect([nextWhole(5), nextWhole(5, -1), nextWhole(2 ** 53 - 1), nextWhole(2n ** 53n, -1)]).toEqual([
    ...[6, 4, 2n ** 53n, 2 ** 53 - 1],
  ]);
  expect([nextWhole(2n ** 60n), nextWhole(-(2 ** 53) + 1, -1)]).toEqual([2n ** 60n + 1n, -(2n ** 53n)]);
});

test('what has no order is not equal either', () => {
  expect(compareNumbers(Number.NaN, 1)).toBeNaN();
  expect(numberOrderOf('decimal')(Number.NaN, Number.NaN)).toBeNaN();
  expect([
    numberOrderOf('decimal')(-0, 0),
    numberOrderOf('decimal')(0, -0),
    numberOrderOf('decimal')(-0, -0),
  ]).toEqual([-1, 1, 0]);
  expect([
    numberOrderOf('integer')(-0, 0),
    numberOrderOf('decimal')(1, 2),
    numberOrderOf('decimal')(2, 1),
  ]).toEqual([0, -1, 1]);
});

test.each([
  ['date', 0, '1970-01-01T00:00:00.000Z'],
  ['date', 8.64e15 + 1, '8640000000000001'],
  ['date', 2n ** 60n, '1152921504606846976'],
  ['integer', 5, '5'],
  ['integer', 2n ** 60n, '1152921504606846976'],
  ['decimal', -0, '-0'],
  ['decimal', 1.5, '1.5'],
] as const)('a %s of %s is written %s', (type, value, text) => {
  expect(numberText(type, value)).toBe(text);
});

test('a default field that is not listed is an error', () => {
  expect(() => toSchema([], ['msg'])).toThrow('The default field "msg" is not in the list of fields');
});

describe('negative zero', () => {
  test.each([
    ['elapsed:[\\-0 TO 0]', true],
    ['elapsed:{\\-0 TO 0]', true],
    ['elapsed:[* TO \\-0]', false],
    ['elapsed:"-0"', false],
    ['elapsed:0', true],
    ['logCode:"-0"', true],
    ['logCode:[* TO -0]', true],
  ])('%s selects a log of zeros: %s', (text, selects) => {
    expect(match(filterOf(text), { elapsed: 0, logCode: 0 })).toBe(selects);
    expect(match(filterOf(text), { elapsed: -0, logCode: -0 })).toBe(selects);
  });

  test('lies below zero for comparisons too', () => {
    expect(compare(filterOf('elapsed:[* TO -0]'), filterOf('elapsed:[* TO 0}'))).toEqual({ same: true });
    expect(compare(filterOf('elapsed:"-0"'), filterOf('elapsed:0')).same).toBe(false);
    expect(simplify(filterOf('elapsed:[0 TO -0]')).kind).toBe('none');
  });
});

describe('codes beyond 2^53', () => {
  test.each(['logCode:9007199254740993', 'logCode:[9007199254740992 TO 9007199254740994]'])(
    '%s is planned in an instant, and left to the query',
    (text) => {
      const { necessary, residual, reasons } = plan(filterOf(text));
      expect(necessary).toEqual({});
      expect(residual).toBeDefined();
      expect(reasons).toEqual([{ parameter: 'logCode', reason: 'Codes beyond 2^53 can match' }]);
    },
  );

  test('neighbours differ', () => {
    const [one, next] = [filterOf('logCode:9007199254740992'), filterOf('logCode:9007199254740993')];
    expect(compare(one, next).same).toBe(false);
    expect(match(next, { logCode: 2n ** 53n + 1n })).toBe(true);
    expect(match(one, { logCode: 2n ** 53n + 1n })).toBe(false);
    expect(simplify(filterOf('logCode:9007199254740992 AND logCode:9007199254740993')).kind).toBe('none');
  });

  test('the ends of 64 bits are open', () => {
    const any = filterOf('logCode:[* TO *]');
    expect(compare(filterOf('logCode:[-9223372036854775808 TO 9223372036854775807]'), any)).toEqual({
      same: true,
    });
    expect(compare(filterOf('logCode:{* TO 9223372036854775806]'), any).same).toBe(false);
    expect(simplify(filterOf('logCode:{9223372036854775807 TO *]')).kind).toBe('none');
  });
});
