import type { Cell, Sheet } from 'write-excel-file/node';
import type { Report } from '../../analysis/index.ts';
import { type TimeZone, utcZone } from '../../records/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { disarmFormula, type Cell as RowCell, type Rows } from '../output/output-format.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';
import { firstPage, type ReportStyle } from './first-page.ts';
import {
  isNumericKind,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  reportCellText,
  reportTables,
} from './report-tables.ts';

/**
 * Formats a report as a workbook with a sheet for each table. Texts are string cells, and one that a spreadsheet
 * could take for a formula has an apostrophe in front. Times are dates as the clocks of the zone show them; one that a
 * spreadsheet has not, before 1900 or at a clock reading that occurs twice, is a text.
 */
export async function reportWorkbook(report: Report, face: ReportStyle): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const sheets: Sheet<Buffer>[] = [
    summarySheet(report, face),
    timelineSheet(report, face.zone),
    ...reportTables(report, face).map((table) => tableSheet(table, face.zone)),
  ].map(({ sheet, data, widths }) => ({
    sheet,
    data: data.map((row) => [...row]),
    stickyRowsCount: 1,
    columns: widths.map((width) => ({ width })),
  }));
  return await writeXlsxFile(sheets).toBuffer();
}

interface NamedSheet {
  readonly sheet: string;
  readonly data: readonly (readonly Cell[])[];
  /** Widths of the columns in characters. */
  readonly widths: readonly number[];
}

function summarySheet(report: Report, face: ReportStyle): NamedSheet {
  const { title, byline: made, note, lead, figures, scope, summary } = firstPage(report, face);
  const named = ({ name, text }: { readonly name: string; readonly text: string }) => [
    textCell(`${name}: ${text}`),
  ];
  return {
    sheet: 'Summary',
    widths: [140],
    data: [
      [headCell(title)],
      [textCell(made)],
      ...(note === undefined ? [] : note.split('\n').map((line) => [headCell(line)])),
      [textCell(lead)],
      ...figures.map(named),
      [headCell('What this report covers')],
      ...scope.map(named),
      ...summary.map((line) => [textCell(line)]),
      [headCell('What the data cannot say')],
      ...report.limitations.map(({ text }) => [textCell(text)]),
      [headCell('Tables')],
      ...reportTables(report, face).map(({ title: name, about, rows, total }) => [
        textCell(`${name}: ${rows.length} of ${total}. ${about}`),
      ]),
    ],
  };
}

function timelineSheet(
  { timeline: { start, every, buckets, levels, cells } }: Report,
  zone: TimeZone,
): NamedSheet {
  const counts = Array.from({ length: buckets }, () => [...levels, 'other'].map(() => 0));
  for (const { bucket, level, count } of cells) {
    const row = counts[bucket];
    if (row) row[level] = (row[level] ?? 0) + count;
  }
  return {
    sheet: 'Timeline',
    widths: [24, ...levels.map(() => 10), 10],
    data: [
      [timeHeading('from', zone), ...levels, 'other'].map(headCell),
      ...counts.map((row, index) => [timeCell(start + index * every, zone), ...row.map(numberCell)]),
    ],
  };
}

function tableSheet({ title, columns, rows }: ReportTable, zone: TimeZone): NamedSheet {
  return {
    sheet: title,
    widths: columns.map(widthOf),
    data: [
      columns.map(({ name, kind }) => headCell(kind === 'time' ? timeHeading(name, zone) : name)),
      ...rows.map(({ cells }) => columns.map((column, at) => toCell(cells[at], column, zone))),
    ],
  };
}

function widthOf({ kind }: ReportColumn): number {
  return widths[kind];
}

const widths = {
  text: 24,
  message: 80,
  code: 24,
  id: 14,
  count: 10,
  seconds: 10,
  share: 10,
  time: 24,
  spark: 26,
} as const;

function toCell(cell: ReportCell, column: ReportColumn, zone: TimeZone): Cell {
  if (cell === undefined) return null;
  if (typeof cell === 'number' && column.kind === 'share')
    return { value: cell, type: Number, format: '0.0%' };
  if (typeof cell === 'number' && isNumericKind(column.kind)) return numberCell(cell);
  if (typeof cell === 'number' && column.kind === 'time') return timeCell(cell, zone);
  return textCell(reportCellText(cell, column, zone));
}

/** Readings of clocks that a spreadsheet has as dates: its calendar has a day too many in February 1900. */
const [firstDate, endOfDates] = [Date.UTC(1900, 2, 1), Date.UTC(10_000, 0, 1)];

/** A date as the clocks of a zone show it. A reading that is no date of a spreadsheet, or that occurs twice, is a text. */
function timeCell(time: number, zone: TimeZone, text = formatTime(time, zone)): Cell {
  const reading = time + zone.offsetAt(time);
  if (!(firstDate <= reading && reading < endOfDates) || occursTwice(time, zone)) return textCell(text);
  return { value: new Date(reading), type: Date, format: 'yyyy-mm-dd hh:mm:ss.000' };
}

/** True where clocks were or will be set back to the same reading, which they are by less than a day. */
function occursTwice(time: number, { name, offsetAt }: TimeZone): boolean {
  if (name === utcZone.name) return false;
  const offset = offsetAt(time);
  return [time - day, time + day].some((other) => {
    const change = offset - offsetAt(other);
    return change !== 0 && offsetAt(time + change) === offset - change;
  });
}

const day = 86_400_000;

/** Maximum number of characters of a cell. */
const longest = 32_000;

/** A number; one that a spreadsheet has not is a text. */
function numberCell(value: number): Cell {
  return Number.isFinite(value) ? { value, type: Number } : textCell(String(value));
}

/** A text cell. One that a spreadsheet could take for a formula has an apostrophe in front. */
function textCell(text: string): Cell {
  return { value: toCellText(disarmFormula(escapeUnsafe(text)).slice(0, longest)), type: String };
}

/**
 * Escapes as workbooks have them (ECMA-376, ST_Xstring): of texts that look like one, and of what the library drops.
 * That is U+FFFD, code points that are no characters, with the character behind them, and names that objects have.
 */
function toCellText(text: string): string {
  const found = text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffd\p{Noncharacter_Code_Point}]/gu, cellEscape);
  return found in Object.prototype ? cellEscape(found.slice(0, 1)) + found.slice(1) : found;
}

function cellEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `_x${unit.toString(16).toUpperCase().padStart(4, '0')}_`).join('');
}

/** A heading of a column. */
function headCell(text: string): Cell {
  return { value: disarmFormula(escapeUnsafe(text)).slice(0, longest), type: String, fontWeight: 'bold' };
}

/** Most rows of a workbook, which is made in memory. */
const mostWorkbookRows = 100_000;

/**
 * Writes rows as a workbook of one sheet with the columns of CSV. The column `time` has dates in UTC. Whole numbers beyond 2^53 are texts, since a
 * spreadsheet would round them. Rejects with a `UsageError` for more rows than `mostWorkbookRows`.
 */
export async function rowsWorkbook<T>({ items, names, cells }: Rows<T>, sheet: string): Promise<Uint8Array> {
  const data: Cell[][] = [names.map(headCell)];
  for await (const item of items) {
    if (mostWorkbookRows < data.length)
      throw new UsageError(
        `A workbook holds at most ${mostWorkbookRows} rows: choose fewer, or another format`,
      );
    data.push(
      cells(item).map((cell, at) =>
        names[at] === 'time' && typeof cell === 'string'
          ? timeCell(Date.parse(cell), utcZone, cell)
          : toWorkbookCell(cell),
      ),
    );
  }
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return await writeXlsxFile([
    {
      sheet,
      data,
      stickyRowsCount: 1,
      columns: names.map((name) => (name === 'time' ? { width: widths.time } : {})),
    },
  ]).toBuffer();
}

function toWorkbookCell(cell: RowCell): Cell {
  if (cell === undefined) return null;
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  return typeof cell === 'number' ? numberCell(cell) : textCell(String(cell));
}
