import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, formatTable, layOutTable } from '../../src/cli/output/table.ts';
import { displayWidth, toStyle, wrapToWidth } from '../../src/cli/terminal/text.ts';

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.lorem({ maxCount: 20 }),
);
const column: fc.Arbitrary<Column> = fc.record(
  {
    name: fc.string({ maxLength: 20 }),
    align: fc.constantFrom('left', 'right'),
    canShrink: fc.boolean(),
    dropRank: fc.integer({ min: 1, max: 3 }),
    least: fc.constantFrom(20, 60),
    prefix: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: ['name'] },
);
const cells = fc
  .array(column, { minLength: 1, maxLength: 8 })
  .chain((columns) =>
    fc.tuple(
      fc.constant(columns),
      fc.array(fc.array(text, { minLength: columns.length, maxLength: columns.length }), { maxLength: 5 }),
    ),
  );

test('no table is wider than its terminal', () => {
  fc.assert(
    fc.property(cells, fc.integer({ min: 24, max: 200 }), ([columns, rows], width) => {
      const lines = formatTable(columns, rows, { style: toStyle(false), width });
      expect(lines.filter((line) => width < displayWidth(line))).toEqual([]);
    }),
  );
});

test('no row is lost, and later rows keep to the terminal as well', () => {
  fc.assert(
    fc.property(cells, fc.integer({ min: 24, max: 200 }), ([columns, rows], width) => {
      // Marked in a column that stays, so that each row can be counted.
      const marked: Column[] = [{ name: 'number' }, ...columns];
      const numbered = rows.map((row, index) => [
        `#${index}#`,
        ...row.map((each) => each.replaceAll('#', '')),
      ]);
      const [first, second] = [numbered.slice(0, 2), numbered.slice(2)];
      const before = layOutTable(marked, first, { style: toStyle(false), width });
      const after = layOutTable(marked, second, { style: toStyle(false), width, before: before.fit });
      const lines = [...before.heading, ...before.rows, ...after.between, ...after.rows];
      expect(lines.filter((line) => width < displayWidth(line))).toEqual([]);
      const shown = lines.flatMap((line) => line.match(/#\d#/g) ?? []);
      expect(shown).toEqual(rows.map((_, index) => `#${index}#`));
    }),
  );
});

test('a wrapped text is the text, blanks aside, in lines that fit', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 40 }), (whole, width) => {
      const lines = wrapToWidth(whole, width);
      expect(lines.filter((line) => width < displayWidth(line))).toEqual([]);
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(whole.replaceAll(/\s/g, ''));
    }),
  );
});
