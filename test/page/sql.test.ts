import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartData, completeSql, type SqlNames } from '../../src/page/sql.ts';
import { rounds } from '../effort.ts';

const names: SqlNames = {
  columns: [
    { table: 'logs', name: 'time', type: 'TIMESTAMP' },
    { table: 'logs', name: 'source', type: 'VARCHAR' },
    { table: 'requests', name: 'requestID', type: 'VARCHAR' },
    { table: 'requests', name: 'seconds', type: 'DOUBLE' },
  ],
  functions: ['count', 'coalesce', 'sum'],
};

/** The suggestions at "|". */
function suggested(marked: string): readonly string[] {
  const cursor = marked.indexOf('|');
  return completeSql(marked.replace('|', ''), cursor, names).suggestions.map(({ label }) => label);
}

describe('completion of SQL', () => {
  test.each([
    ['SELECT so|', ['source']],
    ['SELECT so| FROM logs', ['source']],
    ['SELECT se| FROM requests', ['seconds', 'SELECT']],
    ['SELECT * FROM |', ['logs', 'requests']],
    ['SELECT * FROM logs l JOIN r|', ['requests']],
    ['SELECT l.| FROM logs AS l', ['time', 'source']],
    ['SELECT requests.s| FROM requests', ['seconds']],
    ['SELECT co|', ['count', 'coalesce']],
    ['SELECT * FROM logs wh|', ['WHERE', 'WHEN']],
    ["SELECT 'so|", []],
    ["SELECT 'it''s so|", []],
    ['SELECT "so|', []],
    ['SELECT 1 -- so|', []],
    ['SELECT 1 /* so|', []],
    ["SELECT 'a' , so|", ['source']],
    ['SELECT x.|', []],
    ['|', []],
  ])('%s', (marked, expected) => expect(suggested(marked)).toEqual(expected));

  test('never fails, and replaces only the word before the cursor', () => {
    const pieces = fc.constantFrom(
      'SELECT ',
      'FROM ',
      'logs ',
      'l.',
      "'",
      '"',
      '--',
      '/*',
      '*/',
      '\n',
      'so',
      '(',
      'ü',
    );
    fc.assert(
      fc.property(fc.array(pieces), fc.nat(40), (all, at) => {
        const text = all.join('');
        const cursor = Math.min(at, text.length);
        const { from, to } = completeSql(text, cursor, names);
        expect([to, /^[\p{L}\p{N}_]*$/u.test(text.slice(from, to))]).toEqual([cursor, true]);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('the chart of a result', () => {
  const count = { name: 'logs', type: 'BIGINT' };

  test('has the points of time in order, with breaks', () => {
    const columns = [{ name: 'hour', type: 'TIMESTAMP' }, count, { name: 'x', type: 'VARCHAR' }];
    const rows = [
      ['2025-03-11 01:00:00', 5, 'a'],
      ['2025-03-11 00:00:00.5', '3', 'b'],
      [null, 7, 'c'],
      ['2025-03-11 02:00:00', null, 'd'],
    ];
    expect(chartData({ columns, rows })).toEqual({
      kind: 'time',
      name: 'hour',
      least: 0,
      most: 5,
      points: [Date.UTC(2025, 2, 11, 0, 0, 0, 500), Date.UTC(2025, 2, 11, 1), Date.UTC(2025, 2, 11, 2)],
      series: [{ name: 'logs', values: [3, 5, undefined] }],
    });
  });

  test('reads times with a zone and dates', () => {
    const points = (type: string, first: string, second: string) =>
      chartData({
        columns: [{ name: 't', type }, count],
        rows: [
          [first, 1],
          [second, 2],
        ],
      })?.points;
    expect(points('TIMESTAMP WITH TIME ZONE', '2025-03-11 01:00:00+01', '2025-03-11 01:00:00+00')).toEqual([
      ...[Date.UTC(2025, 2, 11), Date.UTC(2025, 2, 11, 1)],
    ]);
    expect(points('DATE', '2025-03-11', '2025-03-12')).toEqual([
      Date.UTC(2025, 2, 11),
      Date.UTC(2025, 2, 12),
    ]);
  });

  test('makes a series of each text where a time stands in several rows', () => {
    const columns = [{ name: 'hour', type: 'TIMESTAMP' }, { name: 'level', type: 'VARCHAR' }, count];
    const rows = [
      ['2025-03-11 00:00:00', 'INFO', 40],
      ['2025-03-11 00:00:00', 'SEVERE', 2],
      ['2025-03-11 01:00:00', 'INFO', 50],
    ];
    expect(chartData({ columns, rows })).toMatchObject({
      points: [Date.UTC(2025, 2, 11, 0), Date.UTC(2025, 2, 11, 1)],
      series: [
        { name: 'INFO', values: [40, 50] },
        { name: 'SEVERE', values: [2, undefined] },
      ],
    });
    // Nothing tells the rows of one hour apart: a line through them would be a zig-zag.
    const twice = [...rows, ['2025-03-11 01:00:00', 'INFO', 7]];
    expect(chartData({ columns, rows: twice })).toBeUndefined();
    const untold = rows.map(([hour, , logs]) => [hour, logs]);
    expect(chartData({ columns: [columns[0] ?? count, count], rows: untold })).toBeUndefined();
    const many = Array.from({ length: 18 }, (_, at) => [
      `2025-03-11 0${at % 2}:00:00`,
      `text ${at >> 1}`,
      at,
    ]);
    expect(chartData({ columns, rows: many })).toBeUndefined();
  });

  test('has a bar for each category, also below zero', () => {
    const columns = [{ name: 'source', type: 'VARCHAR' }, { name: 'd', type: 'DOUBLE' }, count];
    expect(
      chartData({
        columns,
        rows: [
          ['a', -2, 1],
          [null, 4, 3],
        ],
      }),
    ).toEqual({
      kind: 'category',
      name: 'source',
      least: -2,
      most: 4,
      points: ['a', 'NULL'],
      series: [
        { name: 'd', values: [-2, 4] },
        { name: 'logs', values: [1, 3] },
      ],
    });
  });

  test.each([
    [
      'a number first',
      [count, count],
      [
        [1, 2],
        [2, 3],
      ],
    ],
    ['no number', [{ name: 'a', type: 'VARCHAR' }], [['a'], ['b']]],
    ['one row', [{ name: 'a', type: 'VARCHAR' }, count], [['a', 1]]],
    [
      'no value',
      [{ name: 'a', type: 'VARCHAR' }, count],
      [
        ['a', null],
        ['b', 'NaN'],
      ],
    ],
    [
      'many categories',
      [{ name: 'a', type: 'VARCHAR' }, count],
      Array.from({ length: 41 }, (_, at) => [`${at}`, at]),
    ],
  ])('is left out for %s', (_, columns, rows) => expect(chartData({ columns, rows })).toBeUndefined());
});
