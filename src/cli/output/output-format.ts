import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../command-line/exit-code.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { escapeUnsafe, formatJsonList, textFor, toJson } from '../terminal/text.ts';
import { type Column, cellText, type Fit, layOutTable, type TableCell } from './table.ts';

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
export function formatRows<T>(rows: Rows<T>, kind: PrintedFormat, face: OutputStyle): AsyncIterable<string> {
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
  { raw, face }: { readonly raw: boolean; readonly face: OutputStyle },
): AsyncGenerator<string, void, undefined> {
  const heading = toCsvRow(names, { raw });
  // An import tells by the quotation mark that no text has an apostrophe in front.
  yield textFor(face, raw ? heading.replace(/^[^",\n]+/, '"$&"') : heading);
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
  face: OutputStyle,
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

/** A value of a row; undefined is empty. */
export type Cell = string | number | bigint | boolean | undefined;

/**
 * Formats a row of comma-separated values, quoted by RFC 4180 if necessary, with a final line feed.
 * Text that a spreadsheet would take for a formula gets an apostrophe in front unless `raw`: logs hold
 * text of strangers. Numbers stay unchanged.
 */
function toCsvRow(row: readonly Cell[], { raw }: { readonly raw: boolean }): string {
  return `${row.map((value) => quoted(raw ? String(value ?? '') : safe(value))).join(',')}\n`;
}

/**
 * Beginning of a possible spreadsheet formula: the signs that OWASP lists under "CSV Injection", also
 * full-width and after blanks and line breaks, which some programs drop. A text that has the apostrophe itself gets
 * another, so that an import can take one off.
 */
const formulaStart = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

function safe(value: Cell): string {
  return typeof value === 'string' ? disarmFormula(value) : String(value ?? '');
}

/** Puts an apostrophe in front of a text that a spreadsheet would take for a formula. */
export function disarmFormula(value: string): string {
  return formulaStart.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The two heading lines of a Markdown table. */
export function markdownHead(names: readonly string[]): string {
  return (
    markdownRow(names) +
    markdownRow(
      names.map(() => '---'),
      { raw: true },
    )
  );
}

/** A row of a Markdown table; markup is escaped, and line breaks become spaces. */
export function markdownRow(row: readonly Cell[], { raw = false }: { readonly raw?: boolean } = {}): string {
  return `| ${row.map((value) => (raw ? String(value) : escapeMarkdown(String(value ?? '')))).join(' | ')} |\n`;
}

/** Escapes markup of a text, and addresses that would become links; line breaks become spaces. */
export function escapeMarkdown(text: string): string {
  return escapeUnsafe(text.replace(/\r?\n/g, ' '))
    .replace(/[\\`*_{}[\]<>|~&$#!]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
}
