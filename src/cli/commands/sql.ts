import { runSql, type SqlResult } from '../../store/index.ts';
import type { Run } from '../command.ts';
import { toCsv } from '../csv.ts';
import { exitCodes } from '../exit-code.ts';
import { printableLines, toJson } from '../printable.ts';
import { grouped } from '../progress.ts';
import type { sqlSpec } from '../specs/logs.ts';
import { sqlTable, sqlText } from '../sql-table.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Asks a case in SQL. */
export const sql: Run<typeof sqlSpec> = async ({ arguments: given, options, terminal }) => {
  const { limit, json, csv } = options;
  if (json && csv) throw new UsageError('"--json" and "--csv" exclude each other');
  const text = given.sql === '-' ? await readAll(terminal.input()) : given.sql;
  const signal = terminal.interruption();
  const result = await runSql(given.case, text, { limit, signal });
  await terminal.print(textOf(result, options, terminal));
  if (!json) sayHowMany(result, terminal);
  return exitCodes.done;
};

interface Formats {
  readonly json: boolean;
  readonly csv: boolean;
}

function textOf(result: SqlResult, { json, csv }: Formats, terminal: Terminal): string {
  if (json) return `${toJson(result, 2)}\n`;
  return csv ? csvOf(result, terminal) : `${sqlTable(result, terminal.data).join('\n')}\n`;
}

async function readAll(input: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text;
}

function csvOf({ columns, rows }: SqlResult, { data }: Terminal): string {
  const written = toCsv([columns.map(({ name }) => name), ...rows.map((row) => row.map(sqlText))]);
  // A file gets the values as they are; a terminal none of their control characters.
  return data.width === undefined ? written : printableLines(written);
}

function sayHowMany({ rows, more }: SqlResult, { say }: Terminal): void {
  if (more) say(`The first ${grouped(rows.length)} rows; there are more, which "--limit N" shows.`);
  else say(`${grouped(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}.`);
}
