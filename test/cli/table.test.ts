import { expect, test } from 'vitest';
import { type TableOptions, table } from '../../src/cli/output/table.ts';
import { toStyle } from '../../src/cli/terminal/style.ts';

function checkTable(rows: string[][], expected: string, options: Partial<TableOptions> = {}): void {
  const columns = [{ name: 'name' }, { name: 'count', align: 'right' as const }, { name: 'text' }];
  const lines = table(columns, rows, { style: toStyle(false), ...options });
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
  const lines = table([{ name: 'a' }, { name: 'b' }], [['x'.repeat(500), 'y'.repeat(500)]], {
    style: toStyle(false),
  });
  expect(lines[1]).toBe(`${'x'.repeat(500)}  ${'y'.repeat(500)}`);
});
