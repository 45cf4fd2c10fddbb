import {
  type JsonValue,
  runSqlInChild,
  type SqlPiece,
  type SqlResult,
  writeSqlToParquetInChild,
} from '../../../store/index.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { exitCodes } from '../../command-line/exit-code.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { type Cell, toCsvRow } from '../../output/csv.ts';
import { markdownHead, markdownRow } from '../../output/markdown.ts';
import { type PrintedFormat, readOutputFormat } from '../../output/output-format.ts';
import { sqlTable, sqlText } from '../../output/sql-table.ts';
import type { sqlSpec } from '../../specs/logs.ts';
import { escapeUnsafe, textFor, toJson } from '../../terminal/printable.ts';
import { formatCount, formatNumber } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** A search query within the SQL has errors, which were reported. */
class BadQuery extends Error {}

/** Runs SQL on a case. */
export const sqlCommand: RunCommand<typeof sqlSpec> = async ({ arguments: given, options, terminal }) => {
  const format = await readOutputFormat(options);
  const text = given.sql === '-' ? await readAll(terminal.input()) : given.sql;
  const toFilter = async (query: string) => {
    // Loaded on demand: most SQL holds no search query.
    const { readFilter: filterOf } = await import('../../input/read-query.ts');
    const filter = filterOf(query, options.engine, terminal);
    if (!filter) throw new BadQuery();
    return filter;
  };
  const how = { signal: terminal.interruption(), timeout: options.timeout, toFilter };
  try {
    if (format.kind === 'parquet') {
      const { path } = format;
      const count = await writeSqlToParquetInChild(given.case, text, { ...how, path });
      terminal.say(
        `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'} written to "${escapeUnsafe(path)}".`,
      );
      return exitCodes.done;
    }
    const pieces = runSqlInChild(given.case, text, { ...how, limit: options.limit });
    const { count, more } = await printAll(pieces, format.kind, terminal);
    if (format.kind !== 'json') sayHowMany(count, more, terminal);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof BadQuery) return exitCodes.no;
    throw error;
  }
};

/** Number of printed rows, and if there are more. */
interface Printed {
  readonly count: number;
  readonly more: boolean;
}

/** Prints a result. Tables and JSON are built as a whole; other formats stream row by row. */
async function printAll(
  pieces: AsyncIterable<SqlPiece>,
  kind: PrintedFormat,
  terminal: Terminal,
): Promise<Printed> {
  if (kind === 'table' || kind === 'json') {
    const result = await collect(pieces);
    const lines = kind === 'json' ? toJson(result, 2) : sqlTable(result, terminal.data).join('\n');
    await terminal.print(`${lines}\n`);
    return { count: result.rows.length, more: result.more };
  }
  let columns: SqlResult['columns'] = [];
  let printed: Printed = { count: 0, more: false };
  for await (const piece of pieces) {
    if (piece.kind === 'columns') {
      columns = piece.columns;
      await terminal.print(headingOf(columns, kind, terminal));
    } else if (piece.kind === 'rows') {
      await terminal.print(piece.rows.map((row) => rowOf({ columns, row }, kind, terminal)).join(''));
      printed = { ...printed, count: printed.count + piece.rows.length };
    } else if (piece.kind === 'end') printed = { ...printed, more: piece.more };
  }
  return printed;
}

/** Maximum text of a table or JSON, in UTF-16 units. */
const mostText = 100_000_000;

async function collect(pieces: AsyncIterable<SqlPiece>): Promise<SqlResult> {
  let columns: SqlResult['columns'] = [];
  const rows: SqlResult['rows'][number][] = [];
  let [more, length] = [false, 0];
  for await (const piece of pieces) {
    if (piece.kind === 'columns') columns = piece.columns;
    else if (piece.kind === 'end') more = piece.more;
    else if (piece.kind === 'rows') {
      length += piece.rows.reduce((sum, row) => sum + row.reduce(addLength, 0), 0);
      if (mostText < length)
        throw new UsageError(
          `The rows hold more than ${formatNumber(mostText)} characters, too many for a table or --json: use --ndjson or --csv, or fewer rows with --limit`,
        );
      rows.push(...piece.rows);
    }
  }
  return { columns, rows, more };
}

function addLength(sum: number, value: JsonValue): number {
  return sum + sqlText(value).length;
}

type StreamedFormat = Exclude<PrintedFormat, 'table' | 'json'>;

function headingOf(columns: SqlResult['columns'], kind: StreamedFormat, terminal: Terminal): string {
  const names = columns.map(({ name }) => name);
  switch (kind) {
    case 'ndjson':
      return '';
    case 'csv':
    case 'rawCsv':
      return csvRow(names, kind, terminal);
    case 'markdown':
      return markdownHead(names);
  }
}

/** A row with its columns. */
interface ResultRow {
  readonly columns: SqlResult['columns'];
  readonly row: readonly JsonValue[];
}

function rowOf(given: ResultRow, kind: StreamedFormat, terminal: Terminal): string {
  switch (kind) {
    case 'ndjson':
      return `${toJson(toRecord(given))}\n`;
    case 'csv':
    case 'rawCsv':
      return csvRow(given.row.map(toCell), kind, terminal);
    case 'markdown':
      return markdownRow(given.row.map(toCell));
  }
}

/** Maps column names to values. Repeated names get a numeric suffix. */
function toRecord({ columns, row }: ResultRow): Readonly<Record<string, JsonValue>> {
  const record: Record<string, JsonValue> = Object.create(null);
  for (const [index, { name }] of columns.entries()) {
    let free = name;
    for (let number = 1; free in record; number++) free = `${name}_${number}`;
    record[free] = row[index] ?? null;
  }
  return record;
}

function csvRow(row: readonly Cell[], kind: 'csv' | 'rawCsv', { data }: Terminal): string {
  return textFor(data, toCsvRow(row, { raw: kind === 'rawCsv' }));
}

async function readAll(input: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text;
}

/** Keeps numbers as numbers, also long ones written as text: CSV escapes texts that begin with a minus. */
function toCell(value: JsonValue): Cell {
  if (typeof value === 'number') return value;
  const text = sqlText(value);
  return /^-\d{16,39}$/.test(text) ? BigInt(text) : text;
}

function sayHowMany(count: number, more: boolean, { say }: Terminal): void {
  if (more) say(`The first ${formatNumber(count)} rows; --limit N shows more.`);
  else say(`${formatCount(count, 'row')}.`);
}
