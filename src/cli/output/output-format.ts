import { textFor, toJson } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';
import { type Cell, toCsvRow } from './csv.ts';
import type { Layout } from './fit-columns.ts';
import { jsonList } from './json-list.ts';
import { markdownHead, markdownRow } from './markdown.ts';
import { checkParquetPath } from './parquet-path.ts';
import { type Column, layOut } from './table.ts';

/** The forms that are printed, each by its option. */
const printedForms = ['json', 'ndjson', 'csv', 'rawCsv', 'markdown'] as const;

/** The form in which rows are printed. */
export type PrintedFormat = 'table' | (typeof printedForms)[number];

/** The form in which rows are given. */
export type OutputFormat =
  | { readonly kind: PrintedFormat }
  | { readonly kind: 'parquet'; readonly path: string };

/** What was written of the options by which a printed form is chosen. */
export type PrintedOptions = { readonly [F in (typeof printedForms)[number]]: boolean };

/** What was written of the options by which any form is chosen. */
export interface FormatOptions extends PrintedOptions {
  readonly parquet: string | undefined;
}

/** The form that was chosen; a table unless one was. Rejects with a `UsageError` where a Parquet file cannot be. */
export async function outputFormat(options: FormatOptions): Promise<OutputFormat> {
  const kind = printedFormat(options);
  if (options.parquet === undefined) return { kind };
  return { kind: 'parquet', path: await checkParquetPath(options.parquet) };
}

/** The printed form that was chosen; a table unless one was. */
export function printedFormat(options: PrintedOptions): PrintedFormat {
  return printedForms.find((form) => options[form]) ?? 'table';
}

/** Rows that come one after the other, and how they are shown. */
export interface Rows<T> {
  readonly items: AsyncIterable<T>;
  /** The columns of the table for people, and the cells of an item in it. */
  readonly columns: readonly Column[];
  readonly shown: (item: T) => readonly string[];
  /** The names of the columns of CSV, and the cells of an item in them. */
  readonly names: readonly string[];
  readonly cells: (item: T) => readonly Cell[];
}

/** The pieces of rows in a form; of JSON a list. */
export function pieces<T>(rows: Rows<T>, kind: PrintedFormat, face: Face): AsyncIterable<string> {
  switch (kind) {
    case 'table':
      return tables(rows, face);
    case 'json':
      return jsonList(rows.items);
    case 'ndjson':
      return ndjson(rows.items);
    case 'csv':
    case 'rawCsv':
      return csv(rows, { raw: kind === 'rawCsv', face });
    case 'markdown':
      return markdown(rows);
  }
}

async function* ndjson(items: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const item of items) yield `${toJson(item)}\n`;
}

async function* csv<T>(
  { items, names, cells }: Rows<T>,
  { raw, face }: { readonly raw: boolean; readonly face: Face },
): AsyncGenerator<string, void, undefined> {
  yield textFor(face, toCsvRow(names, { raw }));
  for await (const item of items) yield textFor(face, toCsvRow(cells(item), { raw }));
}

async function* markdown<T>({ items, columns, shown }: Rows<T>): AsyncGenerator<string, void, undefined> {
  yield markdownHead(columns.map(({ name }) => name));
  for await (const item of items) yield markdownRow(shown(item));
}

/** So many rows are set as one table, whose columns are as wide as what they hold. */
const tableLength = 1000;

async function* tables<T>(
  { items, columns, shown }: Rows<T>,
  face: Face,
): AsyncGenerator<string, void, undefined> {
  let rows: (readonly string[])[] = [];
  let layout: Layout | undefined;
  const set = () => {
    const laidOut = layOut(columns, rows, { style: face.style, width: face.width, layout });
    const before = layout === undefined ? laidOut.heading : laidOut.between;
    rows = [];
    layout = laidOut.layout;
    return `${[...before, ...laidOut.rows].join('\n')}\n`;
  };
  for await (const item of items) {
    rows.push(shown(item));
    if (rows.length === tableLength) yield set();
  }
  if (0 < rows.length) yield set();
}
