import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../command-line/usage-error.ts';
import { textFor, toJson } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';
import { type Cell, toCsvRow } from './csv.ts';
import type { Fit } from './fit-columns.ts';
import { formatJsonList } from './json-list.ts';
import { markdownHead, markdownRow } from './markdown.ts';
import { type Column, layOutTable } from './table.ts';
import { cellText, type TableCell } from './table-cell.ts';

/** Printed formats, each an option. */
const printedForms = ['json', 'ndjson', 'csv', 'rawCsv', 'markdown'] as const;

/** Format of printed rows. */
export type PrintedFormat = 'table' | (typeof printedForms)[number];

/** Format of rows. */
export type OutputFormat =
  | { readonly kind: PrintedFormat }
  | { readonly kind: 'parquet'; readonly path: string };

/** Options that choose a printed format. */
export type PrintedOptions = { readonly [F in (typeof printedForms)[number]]: boolean };

/** Options that choose any format. */
export interface OutputFormatOptions extends PrintedOptions {
  readonly parquet: string | undefined;
}

/**
 * Returns the chosen format; default a table. Rejects with a `UsageError` if the Parquet file cannot
 * be written.
 */
export async function readOutputFormat(options: OutputFormatOptions): Promise<OutputFormat> {
  const kind = readPrintedFormat(options);
  if (options.parquet === undefined) return { kind };
  return { kind: 'parquet', path: await checkParquetPath(options.parquet) };
}

/** Returns the chosen printed format; default a table. */
export function readPrintedFormat(options: PrintedOptions): PrintedFormat {
  return printedForms.find((form) => options[form]) ?? 'table';
}

/** A stream of rows and their presentation. */
export interface Rows<T> {
  readonly items: AsyncIterable<T> | Iterable<T>;
  /** JSON value of an item. Default: the item itself. */
  readonly value?: ((item: T) => unknown) | undefined;
  /** Columns of the table for people, and the cells of an item. */
  readonly columns: readonly Column[];
  readonly shown: (item: T) => readonly TableCell[];
  /** Column names of CSV, and the cells of an item. */
  readonly names: readonly string[];
  readonly cells: (item: T) => readonly Cell[];
}

/** Formats rows as a stream of text. */
export function formatRows<T>(rows: Rows<T>, kind: PrintedFormat, face: Face): AsyncIterable<string> {
  switch (kind) {
    case 'table':
      return tables(rows, face);
    case 'json':
      return formatJsonList(valuesOf(rows));
    case 'ndjson':
      return ndjson(valuesOf(rows));
    case 'csv':
    case 'rawCsv':
      return csv(rows, { raw: kind === 'rawCsv', face });
    case 'markdown':
      return markdown(rows);
  }
}

function valuesOf<T>({ items, value }: Rows<T>): Rows<unknown>['items'] {
  return value ? mapped(items, value) : items;
}

async function* mapped<T>(
  items: Rows<T>['items'],
  value: (item: T) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  for await (const item of items) yield value(item);
}

async function* ndjson(items: Rows<unknown>['items']): AsyncGenerator<string, void, undefined> {
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
  for await (const item of items) yield markdownRow(shown(item).map(cellText));
}

/** Number of rows laid out together, with common column widths. */
const tableLength = 1000;

async function* tables<T>(
  { items, columns, shown }: Rows<T>,
  face: Face,
): AsyncGenerator<string, void, undefined> {
  let rows: (readonly TableCell[])[] = [];
  let fit: Fit | undefined;
  const set = () => {
    const laidOut = layOutTable(columns, rows, { style: face.style, width: face.width, before: fit });
    const before = fit === undefined ? laidOut.heading : laidOut.between;
    rows = [];
    fit = laidOut.fit;
    return `${[...before, ...laidOut.rows].join('\n')}\n`;
  };
  for await (const item of items) {
    rows.push(shown(item));
    if (rows.length === tableLength) yield set();
  }
  if (0 < rows.length) yield set();
}

/** Magic number of Parquet files. */
const mark = 'PAR1';

/**
 * Returns the path of a Parquet file to write. Rejects with a `UsageError` if another kind of file
 * exists there, such as a case, which would be lost.
 */
async function checkParquetPath(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) throw new UsageError(`The folder "${folder}" of "${path}" does not exist`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UsageError(`"${path}" is a folder: name a file in it`);
  if (found && !(found.isFile() && (found.size === 0 || (await isParquet(path)))))
    throw new UsageError(
      `"${path}" exists and is not a Parquet file, so it is not replaced: name another file`,
    );
  return path;
}

async function isParquet(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === mark;
  } catch {
    return false;
  }
}
