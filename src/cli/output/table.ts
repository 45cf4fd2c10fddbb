import { escapeUnsafe } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { displayWidth, padToWidth, shortenToWidth } from '../terminal/width.ts';
import { type Fit, type FittedColumn, fitColumns } from './fit-columns.ts';
import {
  cellText,
  fitCell,
  type SafeCell,
  shortenCell,
  type TableCell,
  toSafeCell,
  withFieldNote,
  wrapCell,
} from './table-cell.ts';

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
  rows: readonly (readonly TableCell[])[],
  options: TableOptions,
): string[] {
  const laidOut = layOutTable(columns, rows, options);
  return [...laidOut.heading, ...laidOut.rows];
}

/** Lays out a table, with its heading separate from the rows. */
export function layOutTable(
  columns: readonly Column[],
  rows: readonly (readonly TableCell[])[],
  options: TableOptions,
): LaidOut {
  const isTerminal = options.width !== undefined;
  const lengths = columns.map(({ prefix }, index) =>
    isTerminal && prefix !== undefined
      ? uniquePrefixLength(
          rows.map((row) => cellText(row[index] ?? '')),
          prefix,
        )
      : undefined,
  );
  const safe: Shown = {
    columns: columns.map((column) => ({ ...column, name: escapeUnsafe(column.name) })),
    cells: rows.map((row) => row.map((cell, index) => toSafeCell(cell, lengths[index]))),
  };
  const texts = safe.cells.map((row) => row.map(({ text }) => text));
  const fit = fitColumns(safe.columns, texts, options);
  const noted = isTerminal ? noteHidden(safe, fit.shown) : safe;
  const lines = linesOf(pick(noted, fit.shown), fit, options.style);
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

/** Names the fields with marks in front of the last cell of each row whose shown cells have none. */
function noteHidden({ columns, cells }: Shown, shown: readonly number[]): Shown {
  const noted = cells.map((row) => {
    if (row.some(({ spans }, index) => 0 < spans.length && shown.includes(index))) return row;
    const names = [
      ...row.flatMap(({ spans }, index) => (spans.length === 0 ? [] : [columns[index]?.name ?? ''])),
      ...row.flatMap(({ elsewhere }) => elsewhere),
    ];
    const last = row.at(-1);
    return names.length === 0 || !last ? row : [...row.slice(0, -1), withFieldNote(last, names)];
  });
  return { columns, cells: noted };
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
  readonly cells: readonly (readonly SafeCell[])[];
}

type Lines = Pick<LaidOut, 'heading' | 'rows'>;

function inColumns({ columns, cells }: Shown, fit: Fit, style: Style): Lines {
  const widths = columns.map((_, index) => widthOf(index, columns.length, fit));
  const heading = columns.map(({ name, align }, index) =>
    padToWidth(shortenToWidth(name, widths[index] ?? 0), fit.widths[index] ?? 0, align),
  );
  const line = (row: readonly SafeCell[]) =>
    row
      .slice(0, columns.length)
      .map((cell, index) => fitCell(cell, { width: widths[index] ?? 0, align: columns[index]?.align, style }))
      .join('  ')
      .trimEnd();
  return { heading: [style.bold(heading.join('  ').trimEnd())], rows: cells.map(line) };
}

/** Width of a column; texts of the last one may take the rest of the terminal. */
function widthOf(index: number, count: number, { widths, available, layout }: Fit): number {
  const width = widths[index] ?? 0;
  if (layout === 'folded' || index < count - 1 || !Number.isFinite(available)) return width;
  return available - widths.slice(0, index).reduce((sum, each) => sum + each + 2, 0);
}

/** Indent of the last column on its own line. */
const indent = '    ';

/** Puts the last column on a line of its own unless it is empty. */
function folded({ columns, cells }: Shown, fit: Fit, style: Style): Lines {
  const others = inColumns({ columns: columns.slice(0, -1), cells }, fit, style);
  const below = (cell: SafeCell | undefined) =>
    cell === undefined || cell.text === ''
      ? []
      : [`${indent}${fitCell(cell, { width: fit.available - indent.length, style })}`.trimEnd()];
  const name = toSafeCell({ text: columns.at(-1)?.name ?? '', style: 'bold' });
  return {
    heading: [...others.heading, ...below(name)],
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
function stacked({ columns, cells }: Shown, { available }: Fit, style: Style): string[] {
  const longest = columns.reduce((most, { name }) => Math.max(most, displayWidth(name)), 0);
  const nameWidth = Math.min(
    longest,
    Math.floor(available / 2),
    Math.max(1, available - nameGap - narrowestValue),
  );
  const valueLines = (value: SafeCell, width: number) =>
    wrapCell(shortenCell(value, width * mostLines), width, style);
  const lines = ({ name }: Column, value: SafeCell) => {
    // A mark has no name and stands alone.
    if (name === '') return value.text === '' ? [] : valueLines(value, available);
    const [first = '', ...rest] = valueLines(value, Math.max(2, available - nameWidth - nameGap));
    const head = `${style.bold(padToWidth(shortenToWidth(name, nameWidth), nameWidth))}  ${first}`;
    return [head.trimEnd(), ...rest.map((line) => `${' '.repeat(nameWidth)}  ${line}`)];
  };
  return cells.flatMap((row, at) => [
    ...(at === 0 ? [] : ['']),
    ...columns.flatMap((column, index) => lines(column, row[index] ?? toSafeCell(''))),
  ]);
}

/**
 * The shortest length of prefixes, at least `least`, that keeps different values apart; the length in
 * UTF-16 units.
 */
export function uniquePrefixLength(values: readonly string[], least: number): number {
  const sorted = [...new Set(values)].sort();
  return sorted.slice(1).reduce((length, value, index) => {
    const common = commonLength(value, sorted[index] ?? '');
    return Math.max(length, common + 1);
  }, least);
}

/** The number of equal units at the beginning of two texts. */
function commonLength(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return length;
}
