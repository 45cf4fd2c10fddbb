import { printable } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { padded, shortened, widthOf, wrapped } from '../terminal/width.ts';
import { type Fit, type FittedColumn, fitColumns, type Layout } from './fit-columns.ts';

/** One column of a table. */
export interface Column extends FittedColumn {
  /** Numbers are set to the right. Default left. */
  readonly align?: 'left' | 'right';
}

/** How a table is to look. */
export interface TableOptions {
  readonly style: Style;
  /** The columns of the terminal, where there is one: the table is then made to fit. */
  readonly width?: number | undefined;
  /** The layout of the rows before these; unless given, the first that fits. */
  readonly layout?: Layout | undefined;
}

/** A table in lines. */
export interface LaidOut {
  readonly layout: Layout;
  readonly heading: readonly string[];
  readonly rows: readonly string[];
  /** What stands between these rows and more of them. */
  readonly between: readonly string[];
}

/** The lines of a table with a heading. Cells may hold any text: what is unsafe to show is escaped. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string[] {
  const laidOut = layOut(columns, rows, options);
  return [...laidOut.heading, ...laidOut.rows];
}

/** The same where the heading is not wanted, or more rows follow. */
export function layOut(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): LaidOut {
  const shown: Shown = {
    columns: columns.map((column) => ({ ...column, name: printable(column.name) })),
    cells: rows.map((row) => row.map((cell) => printable(cell))),
  };
  const fit = fitColumns(shown.columns, shown.cells, options);
  switch (fit.layout) {
    case 'columns':
      return { layout: fit.layout, ...inColumns(shown, fit, options.style), between: [] };
    case 'folded':
      return { layout: fit.layout, ...folded(shown, fit, options.style), between: [] };
    case 'stacked':
      return { layout: fit.layout, heading: [], rows: stacked(shown, fit, options.style), between: [''] };
  }
}

/** Columns and cells that are safe to show. */
interface Shown {
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly string[])[];
}

type Lines = Pick<LaidOut, 'heading' | 'rows'>;

function inColumns({ columns, cells }: Shown, { widths }: Fit, { bold }: Style): Lines {
  const line = (row: readonly string[]) =>
    columns
      .map(({ align }, index) => {
        const width = widths[index] ?? 0;
        return padded(shortened(row[index] ?? '', width), width, align);
      })
      .join('  ')
      .trimEnd();
  return { heading: [bold(line(columns.map(({ name }) => name)))], rows: cells.map(line) };
}

/** So far in is the last column below the others. */
const indent = '    ';

/** The last column has a line of its own, where there is something in it. */
function folded({ columns, cells }: Shown, fit: Fit, style: Style): Lines {
  const others = inColumns({ columns: columns.slice(0, -1), cells }, fit, style);
  const below = (text = '') =>
    text === '' ? [] : [`${indent}${shortened(text, fit.available - indent.length)}`];
  return {
    heading: [...others.heading, ...below(columns.at(-1)?.name).map(style.bold)],
    rows: others.rows.flatMap((line, index) => [line, ...below(cells[index]?.[columns.length - 1])]),
  };
}

/** A value takes so many lines at most, give or take one: what is longer is cut. */
const mostLines = 10;

/** Narrower than this, a value would be a column of letters. */
const narrowestValue = 10;

/** Each row as lines of a name and a value, with a blank line between two rows. */
function stacked({ columns, cells }: Shown, { available }: Fit, { bold }: Style): string[] {
  const longest = columns.reduce((most, { name }) => Math.max(most, widthOf(name)), 0);
  const nameWidth = Math.min(longest, Math.floor(available / 2));
  const linesOf = (value: string, width: number) => wrapped(shortened(value, width * mostLines), width);
  const lines = ({ name }: Column, value: string) => {
    // A mark has no name, and stands alone where there is one.
    if (name === '') return value === '' ? [] : linesOf(value, available);
    const [first = '', ...rest] = linesOf(value, Math.max(narrowestValue, available - nameWidth - 2));
    const head = `${bold(padded(shortened(name, nameWidth), nameWidth))}  ${first}`;
    return [head.trimEnd(), ...rest.map((line) => `${' '.repeat(nameWidth)}  ${line}`)];
  };
  return cells.flatMap((row, at) => [
    ...(at === 0 ? [] : ['']),
    ...columns.flatMap((column, index) => lines(column, row[index] ?? '')),
  ]);
}
