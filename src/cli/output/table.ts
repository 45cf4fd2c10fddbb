import type { Span } from '../../language/index.ts';
import {
  displayWidth,
  escapeUnsafe,
  padToWidth,
  type Style,
  shortenToWidth,
  wrapToWidth,
} from '../terminal/text.ts';

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
  return available - widths.slice(0, index).reduce((sum, columnWidth) => sum + columnWidth + 2, 0);
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
  const longest = columns.reduce((max, { name }) => Math.max(max, displayWidth(name)), 0);
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
export function uniquePrefixLength(values: readonly string[], min: number): number {
  const sorted = [...new Set(values)].sort();
  return sorted.slice(1).reduce((length, value, index) => {
    const common = commonLength(value, sorted[index] ?? '');
    return Math.max(length, common + 1);
  }, min);
}

/** The number of equal units at the beginning of two texts. */
function commonLength(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return length;
}

/**
 * Layout of the rows: on one line, with the last column on a second line, or each as lines of name and
 * value.
 */
type TableLayout = 'columns' | 'folded' | 'stacked';

/** A layout, its columns and their widths. */
export interface Fit {
  readonly layout: TableLayout;
  /** Indexes of the shown columns. */
  readonly shown: readonly number[];
  /** Widths of the shown columns. */
  readonly widths: readonly number[];
  /** Columns of the terminal. */
  readonly available: number;
}

/** Properties of a column for fitting. */
interface FittedColumn {
  readonly name: string;
  /** True if long texts may be cut on a narrow terminal. The last column always may. Default false. */
  readonly canShrink?: boolean;
  /** Rank of a column that may be left out on a narrow terminal; the highest goes first. Default: never. */
  readonly dropRank?: number;
  /** Minimum width of the last column, if its texts are that long. Default 20. */
  readonly min?: number;
  /** Number of characters that a terminal shows of a long text, such as an identifier. Default: all. */
  readonly prefix?: number;
}

/** Options of fitting. */
interface FitOptions {
  /** Columns of the terminal, if there is one. */
  readonly width?: number | undefined;
  /** Fit of the preceding rows, which is used again if these rows fit as well. */
  readonly before?: Pick<Fit, 'layout' | 'shown'> | undefined;
}

/** Minimum width of a shrinking column; the maximum is a fifth of the terminal. */
const narrowest = 10;

/** Default minimum of the last column. */
const narrowestLast = 20;

/**
 * Finds the first layout that fits into the terminal: with narrower columns, with fewer ones, with the
 * last one on a line of its own and as many others as fit, or stacked. Without a terminal, nothing is cut.
 */
function fitColumns(
  columns: readonly FittedColumn[],
  cells: readonly (readonly string[])[],
  { width, before }: FitOptions,
): Fit {
  const natural = columns.map(({ name }, index) =>
    cells.reduce((max, row) => Math.max(max, displayWidth(row[index] ?? '')), displayWidth(name)),
  );
  const all = columns.map((_, index) => index);
  if (width === undefined)
    return { layout: 'columns', shown: all, widths: natural, available: Number.POSITIVE_INFINITY };
  const task: Task = { columns, natural, width };
  const sets = dropping(columns);
  const candidates = [
    ...(before ? [before] : []),
    ...sets.map((shown) => ({ layout: 'columns', shown }) as const),
    ...sets.map((shown) => ({ layout: 'folded', shown }) as const),
  ];
  for (const { layout, shown } of candidates) {
    const widths = layout === 'stacked' ? [] : widthsOf(layout, shown, task);
    if (widths) return { layout, shown, widths, available: width };
  }
  return { layout: 'stacked', shown: all, widths: [], available: width };
}

interface Task {
  readonly columns: readonly FittedColumn[];
  /** Widths without any cut. */
  readonly natural: readonly number[];
  readonly width: number;
}

/** The sets of columns to try: all, then ever fewer. The last column stays. */
function dropping(columns: readonly FittedColumn[]): readonly (readonly number[])[] {
  const ranks = columns.slice(0, -1).flatMap(({ dropRank }) => dropRank ?? []);
  const limits = [Number.POSITIVE_INFINITY, ...new Set(ranks.toSorted((a, b) => b - a))];
  return limits.map((limit) =>
    columns.flatMap(({ dropRank = 0 }, index) =>
      dropRank < limit || index === columns.length - 1 ? [index] : [],
    ),
  );
}

/** The widths of a layout, the widest possible; undefined if it does not fit. */
function widthsOf(
  layout: TableLayout,
  shown: readonly number[],
  { columns, natural, width }: Task,
): readonly number[] | undefined {
  const own = (index: number | undefined) => (index === undefined ? 0 : (natural[index] ?? 0));
  const [before, last] = [shown.slice(0, -1), shown.at(-1)];
  const { min = narrowestLast } = (last === undefined ? undefined : columns[last]) ?? {};
  const needed = layout === 'folded' ? -gap : Math.min(own(last), min);
  const max = Math.max(narrowest, Math.floor(width / 5));
  for (let limit = max; narrowest <= limit; limit--) {
    const widths = before.map((index) =>
      columns[index]?.canShrink === true ? Math.min(own(index), limit) : own(index),
    );
    const used = widths.reduce((sum, columnWidth) => sum + columnWidth + gap, 0);
    if (used + needed <= width && (layout === 'columns' || 0 < widths.length))
      return [...widths, layout === 'folded' ? own(last) : Math.min(own(last), width - used)];
  }
  return undefined;
}

/** Blanks between columns. */
const gap = 2;

/** A text of a table, or one with marked spans. */
export type TableCell = string | MarkedText;

/** A text with spans to mark, and its style. */
interface MarkedText {
  readonly text: string;
  /** Spans in UTF-16 units, sorted and disjoint. */
  readonly spans?: readonly Span[];
  readonly style?: keyof Style | undefined;
  /** Names of fields beyond the table with marked spans of the same row. */
  readonly elsewhere?: readonly string[];
}

/** A cell that is safe to show, with the style of its marks. */
interface SafeCell {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly style?: keyof Style | undefined;
  readonly mark: keyof Style;
  readonly elsewhere: readonly string[];
}

/** The text of a cell as it is. */
export function cellText(cell: TableCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Escapes unsafe characters of a cell, of which at most `length` UTF-16 units are shown. */
function toSafeCell(cell: TableCell, length?: number): SafeCell {
  const {
    text,
    spans = [],
    style,
    elsewhere = [],
  }: MarkedText = typeof cell === 'string' ? { text: cell } : cell;
  const cut = text.slice(0, length);
  const marked: Span[] = [];
  let [safe, at] = ['', 0];
  for (const { from, to } of spans) {
    if (cut.length <= from) break;
    safe += escapeUnsafe(cut.slice(at, from));
    const start = safe.length;
    safe += escapeUnsafe(cut.slice(from, to));
    marked.push({ from: start, to: safe.length });
    at = to;
  }
  safe += escapeUnsafe(cut.slice(at));
  const whole = escapeUnsafe(cut);
  // A mark within one drawn character would change how it is escaped.
  return { text: whole, spans: safe === whole ? marked : [], style, mark: 'inverse', elsewhere };
}

/** Puts the names of fields in front of a cell: the marked spans of its row are in them. */
function withFieldNote(cell: SafeCell, names: readonly string[]): SafeCell {
  const note = `[${names.map((name) => escapeUnsafe(name)).join(', ')}]`;
  return {
    ...cell,
    text: `${note} ${cell.text}`.trimEnd(),
    spans: [{ from: 0, to: note.length }],
    mark: 'dim',
  };
}

/** Cuts a cell to a width; a part around its first mark is shown if the beginning has none. */
function shortenCell(cell: SafeCell, width: number): SafeCell {
  const text = shortenToWidth(cell.text, width);
  if (text === cell.text) return cell;
  const kept = text.length - 1;
  const [first] = cell.spans;
  if (first === undefined || first.to <= kept) return { ...cell, text, spans: clip(cell.spans, kept) };
  const start = beginningBefore(cell.text, first, width);
  if (start === 0) return { ...cell, text, spans: clip(cell.spans, kept) };
  const moved = cell.spans.map(({ from, to }) => ({ from: from - start + 1, to: to - start + 1 }));
  const rest = shortenToWidth(`…${cell.text.slice(start)}`, width);
  return { ...cell, text: rest, spans: clip(moved, rest.endsWith('…') ? rest.length - 1 : rest.length) };
}

/** A place before a mark from which a width shows the mark, with some text in front of it. */
function beginningBefore(text: string, { from }: Span, width: number): number {
  const filling = text.length - (width - 1);
  let start = Math.max(0, Math.min(from - Math.floor(width / 3), filling));
  // Not within a character of two units, nor on one that is drawn onto it.
  while (start < from && displayWidth(text.slice(start, start + 1)) === 0) start += 1;
  return /^[\udc00-\udfff]/.test(text.slice(start)) ? start + 1 : start;
}

function clip(spans: readonly Span[], length: number): readonly Span[] {
  return spans
    .filter(({ from }) => from < length)
    .map(({ from, to }) => ({ from, to: Math.min(to, length) }));
}

/** Writes a cell with its style and its marks. */
function paintCell({ text, spans, style: base, mark }: SafeCell, style: Style): string {
  const plain = (piece: string) => (piece === '' || base === undefined ? piece : style[base](piece));
  let [painted, at] = ['', 0];
  for (const { from, to } of spans) {
    painted += plain(text.slice(at, from)) + style[mark](text.slice(from, to));
    at = to;
  }
  return painted + plain(text.slice(at));
}

/** Cuts a cell to a width, and pads it with blanks, after it by default. */
function fitCell(
  cell: SafeCell,
  {
    width,
    align = 'left',
    style,
  }: { readonly width: number; readonly align?: 'left' | 'right' | undefined; readonly style: Style },
): string {
  const fitted = shortenCell(cell, width);
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(fitted.text)));
  const painted = paintCell(fitted, style);
  return align === 'left' ? painted + blanks : blanks + painted;
}

/** Wraps a cell into painted lines of at most `width` columns. */
function wrapCell(cell: SafeCell, width: number, style: Style): string[] {
  let at = 0;
  return wrapToWidth(cell.text, width).map((line) => {
    const start = cell.text.indexOf(line, at);
    at = start + line.length;
    const spans = cell.spans.map(({ from, to }) => ({ from: Math.max(0, from - start), to: to - start }));
    return paintCell(
      {
        ...cell,
        text: line,
        spans: clip(
          spans.filter(({ to }) => 0 < to),
          line.length,
        ),
      },
      style,
    );
  });
}
