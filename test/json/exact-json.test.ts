import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  duplicateMembers,
  ExactNumber,
  isSameNumber,
  readExactJson,
  writeExactJson,
} from '../../src/records/exact-json.ts';
import { rounds } from '../effort.ts';

/** Numbers as JSON has them: whole and not, of any size, with trailing zeros, exponents and a minus before zero. */
const numeral = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt({ min: 1n, max: 10n ** 24n }).map(String)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,20}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][-+]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''));

/** JSON without white space, its numbers as they were drawn. */
const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numeral,
    fc.constantFrom('null', 'true', 'false'),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.string({ minLength: 1 }).filter((key) => !/^\d+$/.test(key)),
          tie('value'),
        ),
        {
          maxLength: 4,
          selector: ([key]) => key,
        },
      )
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).value;

test('JSON is written as it was read, to the last digit', () => {
  fc.assert(
    fc.property(json, (text) => {
      expect(writeExactJson(readExactJson(text))).toBe(text);
    }),
    { numRuns: rounds(1000) },
  );
});

test('what is read is what JSON.parse reads, and indented as JSON.stringify does', () => {
  fc.assert(
    fc.property(json, (text) => {
      const read = readExactJson(text);
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
      const plain: unknown = JSON.parse(JSON.stringify(JSON.parse(text)));
      expect(writeExactJson(plain, 2)).toBe(JSON.stringify(plain, null, 2));
    }),
    { numRuns: rounds(500) },
  );
});

describe('numbers', () => {
  test('that a double writes in the same way stay numbers', () => {
    expect(readExactJson('[1,0.5,-7,1e+21]')).toEqual([1, 0.5, -7, 1e21]);
    expect(readExactJson('[12345678901234567890,1.0,-0,1e3]')).toEqual(
      ['12345678901234567890', '1.0', '-0', '1e3'].map((text) => new ExactNumber(text)),
    );
  });

  test('are the same however they are written', () => {
    expect(isSameNumber('1.0', '1')).toBe(true);
    expect(isSameNumber('12e2', '1200')).toBe(true);
    expect(isSameNumber('12345678901234567890', '12345678901234567891')).toBe(false);
    expect(isSameNumber('-1', '1')).toBe(false);
  });

  test('of a text that is no JSON are not read', () => {
    expect(() => readExactJson('{"a":01}')).toThrow(SyntaxError);
  });
});

test('what JSON has no form for is left out, as JSON.stringify does', () => {
  expect(writeExactJson({ a: undefined, b: [undefined, () => 1], c: Number.NaN })).toBe(
    '{"b":[null,null],"c":null}',
  );
  expect(writeExactJson(undefined)).toBe('null');
});

test.each<[text: string, paths: readonly string[]]>([
  ['{"a":1,"b":{"a":2}}', []],
  ['[{"a":1},{"a":1}]', []],
  ['{"a":1,"a":1}', ['a']],
  ['{"a":{"b":[1,{"c":1,"c":[],"\\u0063":2}]}}', ['a.b.1.c']],
  ['{"a":"x","b":null,"a":{"b":true}}', ['a']],
])('members that are twice in %s', (text, paths) => {
  expect(duplicateMembers(text)).toEqual(paths);
});
