import type { Cell, Sheet } from 'write-excel-file/node';
import type { Report } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { disarmFormula, type Cell as RowCell, type Rows } from '../output/output-format.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';
import {
  headlineLines,
  isNumericKind,
  madeText,
  type ReportCell,
  type ReportColumn,
  type ReportStyle,
  type ReportTable,
  reportCellText,
  reportTables,
} from './report-tables.ts';

/**
 * Formats a report as a workbook with a sheet for each table. Texts are string cells, and one that a spreadsheet
 * could take for a formula has an apostrophe in front. Times are texts, so that every year fits.
 */
export async function reportWorkbook(report: Report, face: ReportStyle): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const sheets: Sheet<Buffer>[] = [
    summarySheet(report, face),
    timelineSheet(report, face.zone),
    ...reportTables(report, face).map((table) => tableSheet(table, face.zone)),
  ].map(({ sheet, data, widths }) => ({
    ...{ sheet, data: data.map((row) => [...row]), stickyRowsCount: 1 },
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
  const { name, zone } = face;
  return {
    ...{ sheet: 'Summary', widths: [140] },
    data: [
      [headCell(`Report of ${name}`)],
      [textCell(madeText(report, zone))],
      ...headlineLines(report, zone).map((line) => [textCell(line)]),
      [headCell('What the data cannot say')],
      ...report.limitations.map(({ text }) => [textCell(text)]),
      [headCell('Tables')],
      ...reportTables(report, face).map(({ title, about, rows, total }) => [
        textCell(`${title}: ${rows.length} of ${total}. ${about}`),
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
    ...{ sheet: 'Timeline', widths: [24, ...levels.map(() => 10), 10] },
    data: [
      ['from', ...levels, 'other'].map(headCell),
      ...counts.map((row, index) => [
        textCell(formatTime(start + index * every, zone)),
        ...row.map(numberCell),
      ]),
    ],
  };
}

function tableSheet({ title, columns, rows }: ReportTable, zone: TimeZone): NamedSheet {
  return {
    ...{ sheet: title, widths: columns.map(widthOf) },
    data: [
      columns.map(({ name }) => headCell(name)),
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
  time: 32,
  spark: 26,
} as const;

function toCell(cell: ReportCell, column: ReportColumn, zone: TimeZone): Cell {
  if (cell === undefined) return null;
  if (typeof cell === 'number' && column.kind === 'share')
    return { value: cell, type: Number, format: '0.0%' };
  if (typeof cell === 'number' && isNumericKind(column.kind)) return numberCell(cell);
  return textCell(reportCellText(cell, column, zone));
}

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
 * Writes rows as a workbook of one sheet with the columns of CSV. Whole numbers beyond 2^53 are texts, since a
 * spreadsheet would round them. Rejects with a `UsageError` for more rows than `mostWorkbookRows`.
 */
export async function rowsWorkbook<T>({ items, names, cells }: Rows<T>, sheet: string): Promise<Uint8Array> {
  const data: Cell[][] = [names.map(headCell)];
  for await (const item of items) {
    if (mostWorkbookRows < data.length)
      throw new UsageError(
        `A workbook holds at most ${mostWorkbookRows} rows: choose fewer, or another format`,
      );
    data.push(cells(item).map(toWorkbookCell));
  }
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return await writeXlsxFile([{ sheet, data, stickyRowsCount: 1 }]).toBuffer();
}

function toWorkbookCell(cell: RowCell): Cell {
  if (cell === undefined) return null;
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  return typeof cell === 'number' ? numberCell(cell) : textCell(String(cell));
}
