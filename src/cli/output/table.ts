import { escapeUnsafe } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { displayWidth, padToWidth, shortenToWidth, wrapToWidth } from '../terminal/width.ts';
import { type Fit, type FittedColumn, fitColumns } from './fit-columns.ts';

/** A column of a table. */
export interface Column extends FittedColumn {
  /** Default left; numbers go to the right. */
  readonly align?: 'left' | 'right';
}

/** Options of a table. */
export interface TableOptions {
  readonly style: Style;
  /** Columns of the terminal, if there is one, to fit the table. */
  readonly width?: number | undefined;
  /** Fit of the preceding rows. Default: the first that fits. */
  readonly before?: Fit | undefined;
}

/** The lines of a table. */
export interface LaidOut {
  readonly fit: Fit;
  readonly heading: readonly string[];
  readonly rows: readonly string[];
  /** Lines between the preceding rows and these: the heading again if the layout differs. */
  readonly between: readonly string[];
}

/** Formats a table with a heading. Unsafe characters in cells are escaped. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string[] {
  const laidOut = layOutTable(columns, rows, options);
  return [...laidOut.heading, ...laidOut.rows];
}

/** Lays out a table, with its heading separate from the rows. */
export function layOutTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): LaidOut {
  const isTerminal = options.width !== undefined;
  const safe: Shown = {
    columns: columns.map((column) => ({ ...column, name: escapeUnsafe(column.name) })),
    cells: rows.map((row) =>
      row.map((cell, index) => escapeUnsafe(isTerminal ? cell.slice(0, columns[index]?.prefix) : cell)),
    ),
  };
  const fit = fitColumns(safe.columns, safe.cells, options);
  const lines = linesOf(pick(safe, fit.shown), fit, options.style);
  return { fit, ...lines, between: betweenOf(lines.heading, fit, options.before) };
}

function linesOf(shown: Shown, fit: Fit, style: Style): Lines {
  switch (fit.layout) {
    case 'columns':
      return inColumns(shown, fit, style);
    case 'folded':
      return folded(shown, fit, style);
    case 'stacked':
      return { heading: [], rows: stacked(shown, fit, style) };
  }
}

/** Keeps the columns of these indexes. */
function pick({ columns, cells }: Shown, indexes: readonly number[]): Shown {
  return {
    columns: columns.filter((_, index) => indexes.includes(index)),
    cells: cells.map((row) => row.filter((_, index) => indexes.includes(index))),
  };
}

function betweenOf(heading: readonly string[], fit: Fit, before: Fit | undefined): readonly string[] {
  if (fit.layout === 'stacked') return [''];
  return before?.layout === fit.layout && before.shown.length === fit.shown.length ? [] : heading;
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
        return padToWidth(shortenToWidth(row[index] ?? '', width), width, align);
      })
      .join('  ')
      .trimEnd();
  return { heading: [bold(line(columns.map(({ name }) => name)))], rows: cells.map(line) };
}

/** Indent of the last column on its own line. */
const indent = '    ';

/** Puts the last column on a line of its own unless it is empty. */
function folded({ columns, cells }: Shown, fit: Fit, style: Style): Lines {
  const others = inColumns({ columns: columns.slice(0, -1), cells }, fit, style);
  const below = (text = '') =>
    text === '' ? [] : [`${indent}${shortenToWidth(text, fit.available - indent.length)}`];
  return {
    heading: [...others.heading, ...below(columns.at(-1)?.name).map(style.bold)],
    rows: others.rows.flatMap((line, index) => [line, ...below(cells[index]?.[columns.length - 1])]),
  };
}

/** Approximate maximum number of lines of a value; longer ones are cut. */
const mostLines = 10;

/** Minimum width of a value, for readability. */
const narrowestValue = 10;

/** Blanks between a name and its value. */
const nameGap = 2;

/** Formats each row as lines of name and value, with a blank line between rows. */
function stacked({ columns, cells }: Shown, { available }: Fit, { bold }: Style): string[] {
  const longest = columns.reduce((most, { name }) => Math.max(most, displayWidth(name)), 0);
  const nameWidth = Math.min(
    longest,
    Math.floor(available / 2),
    Math.max(1, available - nameGap - narrowestValue),
  );
  const valueLines = (value: string, width: number) =>
    wrapToWidth(shortenToWidth(value, width * mostLines), width);
  const lines = ({ name }: Column, value: string) => {
    // A mark has no name and stands alone.
    if (name === '') return value === '' ? [] : valueLines(value, available);
    const [first = '', ...rest] = valueLines(value, Math.max(2, available - nameWidth - nameGap));
    const head = `${bold(padToWidth(shortenToWidth(name, nameWidth), nameWidth))}  ${first}`;
    return [head.trimEnd(), ...rest.map((line) => `${' '.repeat(nameWidth)}  ${line}`)];
  };
  return cells.flatMap((row, at) => [
    ...(at === 0 ? [] : ['']),
    ...columns.flatMap((column, index) => lines(column, row[index] ?? '')),
  ]);
}
