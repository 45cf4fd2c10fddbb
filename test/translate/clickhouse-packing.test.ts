import { expect, test } from 'vitest';
import { type ClickhouseParameter, packParameters } from '../../src/language/translate/clickhouse.ts';

const kinds: readonly Omit<ClickhouseParameter, 'name'>[] = [
  { type: 'String', value: '{p1:String}' },
  { type: 'Array(String)', value: ['a', 'b'] },
  { type: 'Int64', value: '9223372036854775807' },
  { type: 'Float64', value: '0.1' },
];

/** A condition of four parameters, some times. */
function asked(times: number) {
  const parameters = Array.from({ length: times }, (_, index) =>
    kinds.map((each, kind) => ({ ...each, name: `p${4 * index + kind}` })),
  ).flat();
  return { sql: parameters.map(({ name, type }) => `{${name}:${type}}`).join(' '), parameters };
}

test('some hundred parameters stay as they are', () => {
  expect(packParameters(asked(125))).toEqual(asked(125));
});

test('more are read from arrays of texts', () => {
  const { sql, parameters } = packParameters(asked(300));
  expect(parameters.length).toBeLessThanOrEqual(500);
  expect(parameters[0]).toEqual({
    name: 'a0',
    type: 'Array(String)',
    value: ['{p1:String}', 'a', 'b', '9223372036854775807', '0.1', '{p1:String}'],
  });
  expect(sql.split(' arraySlice({a1:')[0]).toBe(
    [
      '{a0:Array(String)}[1]',
      'arraySlice({a0:Array(String)}, 2, 2)',
      'toInt64({a0:Array(String)}[4])',
      'toFloat64({a0:Array(String)}[5])',
      '{a0:Array(String)}[6]',
    ].join(' '),
  );
  expect(sql).not.toContain('{p');
});

test('an array is no longer than a server takes', () => {
  const value = 'x'.repeat(20_000);
  const parameters = Array.from(
    { length: 501 },
    (_, index): ClickhouseParameter => ({ name: `p${index}`, type: 'String', value }),
  );
  const packed = packParameters({ sql: '', parameters });
  expect(new Set(packed.parameters.map((each) => each.value.length))).toEqual(new Set([1]));
});
