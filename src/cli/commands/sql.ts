import { type JsonValue, runSql, type SqlResult, writeSqlToParquet } from '../../store/index.ts';
import type { Run } from '../command-line/command.ts';
import { exitCodes } from '../exit-code.ts';
import { filterOf } from '../input/case-query.ts';
import { type Cell, toCsvRow } from '../output/csv.ts';
import { markdownHead, markdownRow } from '../output/markdown.ts';
import { outputFormat, type PrintedFormat } from '../output/output-format.ts';
import { sqlTable, sqlText } from '../output/sql-table.ts';
import type { sqlSpec } from '../specs/logs.ts';
import { printable, printableLines, toJson } from '../terminal/printable.ts';
import { counted, grouped } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A query within the SQL has errors, which were said. */
class BadQuery extends Error {}

/** Asks a case in SQL. */
export const sql: Run<typeof sqlSpec> = async ({ arguments: given, options, terminal }) => {
  const format = await outputFormat(options);
  const text = given.sql === '-' ? await readAll(terminal.input()) : given.sql;
  const toFilter = (query: string) => {
    const filter = filterOf(query, options.engine, terminal);
    if (!filter) throw new BadQuery();
    return filter;
  };
  const signal = terminal.interruption();
  try {
    if (format.kind === 'parquet') {
      const count = await writeSqlToParquet(given.case, text, { path: format.path, signal, toFilter });
      terminal.say(
        `${grouped(count)} ${count === 1 ? 'row is' : 'rows are'} in "${printable(format.path)}".`,
      );
      return exitCodes.done;
    }
    const result = await runSql(given.case, text, { limit: options.limit, signal, toFilter });
    await terminal.print(textOf(result, format.kind, terminal));
    if (format.kind !== 'json') sayHowMany(result, terminal);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof BadQuery) return exitCodes.no;
    throw error;
  }
};

function textOf(result: SqlResult, kind: PrintedFormat, terminal: Terminal): string {
  switch (kind) {
    case 'table':
      return `${sqlTable(result, terminal.data).join('\n')}\n`;
    case 'json':
      return `${toJson(result, 2)}\n`;
    case 'ndjson':
      return result.rows.map((row) => `${toJson(toRecord(result, row))}\n`).join('');
    case 'csv':
    case 'rawCsv':
      return csvOf(result, { raw: kind === 'rawCsv', terminal });
    case 'markdown':
      return [markdownHead(namesOf(result)), ...result.rows.map((row) => markdownRow(row.map(toCell)))].join(
        '',
      );
  }
}

/** A row by the names of its columns; of those that come twice, the first keeps its name. */
function toRecord({ columns }: SqlResult, row: readonly JsonValue[]): Readonly<Record<string, JsonValue>> {
  const record: Record<string, JsonValue> = Object.create(null);
  for (const [index, { name }] of columns.entries()) {
    let free = name;
    for (let number = 1; free in record; number++) free = `${name}_${number}`;
    record[free] = row[index] ?? null;
  }
  return record;
}

async function readAll(input: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text;
}

function csvOf(
  result: SqlResult,
  { raw, terminal }: { readonly raw: boolean; readonly terminal: Terminal },
): string {
  const rows = [namesOf(result), ...result.rows.map((row) => row.map(toCell))];
  const written = rows.map((row) => toCsvRow(row, { raw })).join('');
  // A file gets the values as they are; a terminal none of their control characters.
  return terminal.data.width === undefined ? written : printableLines(written);
}

function namesOf({ columns }: SqlResult): readonly string[] {
  return columns.map(({ name }) => name);
}

/** Numbers stay numbers, so that a negative one is not taken for a formula; also those that come as texts of many digits. */
function toCell(value: JsonValue): Cell {
  if (typeof value === 'number') return value;
  const text = sqlText(value);
  return /^-\d{16,39}$/.test(text) ? BigInt(text) : text;
}

function sayHowMany({ rows, more }: SqlResult, { say }: Terminal): void {
  if (more) say(`The first ${grouped(rows.length)} rows; there are more, which "--limit N" shows.`);
  else say(`${counted(rows.length, 'row')}.`);
}
