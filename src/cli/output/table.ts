import { printable } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { padded, shortened, widthOf } from '../terminal/width.ts';

/** One column of a table. */
export interface Column {
  readonly name: string;
  /** Numbers are set to the right. Default left. */
  readonly align?: 'left' | 'right';
  /** Whether long texts are cut where the terminal is narrow. The last column always may be. Default false. */
  readonly canShrink?: boolean;
}

/** How a table is to look. */
export interface TableOptions {
  readonly style: Style;
  /** The columns of the terminal, where there is one: the last column of the table is then cut to fit. */
  readonly width?: number | undefined;
}

/** A column that can shrink takes a fifth of the terminal at most, and never less than this. */
const narrowest = 10;

/** Narrower than this, the last column would say nothing. */
const narrowestLast = 20;

/** The lines of a table with a heading. Cells may hold any text: what is unsafe to show is escaped. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string[] {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  const widths = widthsOf(columns, cells, options.width);
  const line = (row: readonly string[]) =>
    columns
      .map(({ align = 'left' }, index) => cellOf(row[index] ?? '', { align, width: widths[index] ?? 0 }))
      .join('  ')
      .trimEnd();
  return [options.style.bold(line(columns.map(({ name }) => printable(name)))), ...cells.map(line)];
}

function cellOf(text: string, { align, width }: { align: 'left' | 'right'; width: number }): string {
  return padded(shortened(text, width), width, align);
}

function widthsOf(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  available: number | undefined,
): number[] {
  const natural = columns.map(({ name }, index) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[index] ?? '')), widthOf(printable(name))),
  );
  if (available === undefined) return natural;
  const last = columns.length - 1;
  const most = Math.max(narrowest, Math.floor(available / 5));
  const widths = natural.map((width, index) => (columns[index]?.canShrink ? Math.min(width, most) : width));
  const others = widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(narrowestLast, available - others);
  return widths.map((width, index) => (index === last ? Math.min(width, room) : width));
}
