import { describe, expect, test } from 'vitest';
import { type Column, formatTable, type TableOptions } from '../../src/cli/output/table.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';

function checkTable(rows: string[][], expected: string, options: Partial<TableOptions> = {}): void {
  const columns = [{ name: 'name' }, { name: 'count', align: 'right' as const }, { name: 'text' }];
  const lines = formatTable(columns, rows, { style: toStyle(false), ...options });
  expect(`\n${lines.join('\n')}`).toBe(expected);
}

test('columns are as wide as what they hold', () =>
  checkTable(
    [
      ['a', '1', 'short'],
      ['longer', '1234567', 'x'],
    ],
    `
name      count  text
a             1  short
longer  1234567  x`,
  ));

test('characters of two columns do not move what follows', () =>
  checkTable(
    [
      ['中国', '1', 'x'],
      ['abcd', '2', 'x'],
    ],
    `
name  count  text
中国      1  x
abcd      2  x`,
  ));

test('control characters are shown, not obeyed', () =>
  checkTable(
    [['a\u001b[2J', '1', 'b\nc']],
    `
name      count  text
a\\x1b[2J      1  b\\nc`,
  ));

test('the last column is cut to the width of a terminal', () =>
  checkTable(
    [['a', '1', 'x'.repeat(100)]],
    `
name  count  text
a         1  ${'x'.repeat(26)}…`,
    { width: 40 },
  ));

test('nothing is cut where there is no terminal', () => {
  const lines = formatTable([{ name: 'a' }, { name: 'b' }], [['x'.repeat(500), 'y'.repeat(500)]], {
    style: toStyle(false),
  });
  expect(lines[1]).toBe(`${'x'.repeat(500)}  ${'y'.repeat(500)}`);
});

describe('where a terminal is narrow', () => {
  const columns: readonly Column[] = [
    { name: 'id', align: 'right' },
    { name: 'source', canShrink: true },
    { name: 'message' },
  ];
  const rows = [
    ['1', 'Planning/Parcels.FeatureServer', 'Wait time for the service request is 30002 milliseconds.'],
    ['20', 'Sharing', ''],
  ];

  test.each<[number, string]>([
    [
      80,
      `
id  source            message
 1  Planning/Parcel…  Wait time for the service request is 30002 milliseconds.
20  Sharing`,
    ],
    [
      36,
      `
id  source      message
 1  Planning/…  Wait time for the s…
20  Sharing`,
    ],
    [
      34,
      `
id  source
    message
 1  Planning/…
    Wait time for the service req…
20  Sharing`,
    ],
  ])('%i columns', (width, expected) => {
    const lines = formatTable(columns, rows, { style: toStyle(false), width });
    expect(`\n${lines.join('\n')}`).toBe(expected);
  });

  test('each row becomes lines of names and values where its columns do not fit', () => {
    const many: readonly Column[] = [{ name: '' }, { name: 'when it was' }, ...columns];
    const lines = formatTable(
      many,
      rows.map((row, index) => [index === 0 ? '' : '>', '2025-03-12 10:05:21.306', ...row]),
      { style: toStyle(false), width: 40 },
    );
    expect(`\n${lines.join('\n')}`).toBe(`
when it was  2025-03-12 10:05:21.306
id           1
source       Planning/Parcels.
             FeatureServer
message      Wait time for the service
             request is 30002
             milliseconds.

>
when it was  2025-03-12 10:05:21.306
id           20
source       Sharing
message`);
  });

  test('a value that would fill the screen is cut', () => {
    const two = [{ name: 'x'.repeat(30) }, { name: 'b' }];
    const lines = formatTable(two, [['y'.repeat(500), 'z']], { style: toStyle(false), width: 40 });
    expect(lines.length).toBe(11);
    expect(lines[9]).toBe(`${' '.repeat(22)}${'y'.repeat(17)}…`);
    expect(lines[10]).toBe(`b${' '.repeat(21)}z`);
  });
});
