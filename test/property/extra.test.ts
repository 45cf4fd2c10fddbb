import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLineBatcher, regionReader } from '../../src/case/loading/read-regions.ts';
import { rounds } from '../effort.ts';
import { textOf } from '../store/text-of.ts';
import { jsonKey, jsonValue } from './json-text.ts';

/** The texts of `extra` of a region with these lines, and what is counted. */
function readExtra(read: ReturnType<typeof regionReader>, lines: readonly string[], skipFastPath: boolean) {
  const bytes = new Uint8Array(Buffer.from(lines.join('\n')));
  const { logs, counts } = read({
    region: { bytes, offset: 0, length: bytes.length, isCut: false },
    skipFastPath,
  });
  const width = logs.codes.length / logs.rows;
  const extra = Array.from({ length: logs.rows }, (_, row) =>
    textOf(logs.texts, logs.codes[row * width] ?? 0),
  );
  return { extra, counts };
}

const [fast, reference] = [regionReader(), regionReader()];

function checkExtra(lines: readonly string[]) {
  const expected = readExtra(reference, lines, true);
  expect(readExtra(fast, lines, false)).toEqual(expected);
  return expected.extra;
}

const member = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom('pod', 'node', 'labels', 'länge') }, jsonKey),
    jsonValue,
  )
  .map(([key, value]) => `"${key}":${value}`);

const line = fc
  .tuple(fc.nat({ max: 3 }), fc.array(member, { minLength: 1, maxLength: 3 }))
  .map(([at, members]) => `{${members.toSpliced(at, 0, '"msg":"a"').join(',')}}`);

test('members with unknown keys are written as JavaScript writes them', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40, size: 'max' }), (lines) => {
      checkExtra(lines);
    }),
    { numRuns: rounds(4_000) },
  );
});

/** Reports if the program reads a line by itself. */
function isPlain(line: string): boolean {
  const lines = plainLineBatcher();
  lines.setRegion(Buffer.from(line));
  // Nothing of a line is left for the next one.
  return lines.isPlainAt(0) && lines.isPlainAt(0);
}

const nestedObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([
  ['"pod":"a","node":"b"', '{"pod":"a","node":"b"}'],
  ['"":"" ,\t"__proto__" : null', '{"":"","__proto__":null}'],
  ['"länge":"ä😀\u2028\x7f"', '{"länge":"ä😀\u2028\x7f"}'],
  [
    String.raw`"a":"\"\\\/\b\f\n\r\t\u0022\u005C\u000a\u001F\u000b\u00e4"`,
    String.raw`{"a":"\"\\/\b\f\n\r\t\"\\\n\u001f\u000bä"}`,
  ],
  ['"a":0,"b":-1.50,"c":1.0,"d":10,"e":0.000001', '{"a":0,"b":-1.5,"c":1,"d":10,"e":0.000001}'],
  [
    '"a":9007199254740991,"b":1e+21,"c":1741651202.848123',
    '{"a":9007199254740991,"b":1e+21,"c":1741651202.848123}',
  ],
  ['"a":{"b":[ ],"c":{ },"d":[1,{"a":true},[false]]}', '{"a":{"b":[],"c":{},"d":[1,{"a":true},[false]]}}'],
  ['"a":[{"b":1},{"b":2}],"b":{"b":3},"c":{"a":4}', '{"a":[{"b":1},{"b":2}],"b":{"b":3},"c":{"a":4}}'],
  ['"logs":{"msg":"b","thread":1.5,"elapsed":1.0}', '{"logs":{"msg":"b","thread":1.5,"elapsed":1}}'],
  [`"a":[${nestedObject(19)}]`, `{"a":[${nestedObject(19)}]}`],
])('%s is read by the program', (members, expected) => {
  expect(checkExtra([`{"msg":"a",${members}}`])).toEqual([expected]);
  expect(isPlain(`{"msg":"a",${members}}`)).toBe(true);
});

test.each([
  ['"b":1,"a":2,"b":3', '{"b":3,"a":2}'],
  ['"a":{"b":1,"c":2,"b":3}', '{"a":{"b":3,"c":2}}'],
  ['"b":1,"1":2', '{"1":2,"b":1}'],
  ['"a":{"b":1,"10":2,"9":3}', '{"a":{"9":3,"10":2,"b":1}}'],
  [String.raw`"\u0061":1,"a":2`, '{"a":2}'],
  [String.raw`"a":"\ud83d\ude00\uD800"`, '{"a":"😀\ufffd"}'],
  ['"a":-0,"b":1e400,"c":18446744073709551616', '{"a":0,"b":"1e400","c":"18446744073709551616"}'],
  ['"a":0.0000001', '{"a":1e-7}'],
  ['"log":{"b":1}', '{"log":{"b":1}}'],
  ['"a":{"thread":1.0}', '{"a":{"thread":"1.0"}}'],
  [`"a":[${nestedObject(20)}]`, `{"a":[${nestedObject(20)}]}`],
  [`"${'x'.repeat(65)}":1`, `{"${'x'.repeat(65)}":1}`],
])('%s is left to the reference reader', (members, expected) => {
  // Another number makes that one read every number as it is written.
  expect(checkExtra([`{"msg":"a",${members},"e":1E1}`])).toEqual([expected.replace(/}$/, ',"e":10}')]);
  expect(isPlain(`{"msg":"a",${members}}`)).toBe(false);
});

test('more keys than are remembered, in another order at every turn', () => {
  const keys = Array.from({ length: 1_000 }, (_, at) => `"key ${(at * 7) % 500}":${at}`);
  const lines = keys.map((_, at) => `{${keys.slice(at, at + 5).join(',')},"msg":"a"}`);
  checkExtra([...lines, ...lines.toReversed(), `{"msg":"a",${keys.slice(0, 400).join(',')}}`]);
});
