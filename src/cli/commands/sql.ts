import { runSqlInChild, type SqlPiece, type SqlResult, writeSqlToParquetInChild } from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import type { JsonValue, TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { refuseFolder } from '../input/case-folder.ts';
import { formatRows, type PrintedFormat, type Rows, readOutputFormat } from '../output/output-format.ts';
import { sqlRows, sqlTable } from '../output/sql-table.ts';
import type { sqlSpec } from '../specs/case-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** A search query within the SQL has errors, which were reported. */
class BadQuery extends Error {}

/** Runs SQL on a case. */
export const sqlCommand: RunCommand<typeof sqlSpec> = async ({ arguments: values, options, terminal }) => {
  const format = await readOutputFormat(options);
  refuseFolder(values.case);
  const text = values.sql === '-' ? await readAll(terminal.input()) : values.sql;
  const toFilter = async (query: string) => {
    // Loaded on demand: most SQL holds no search query.
    const { readScoredFilter } = await import('../input/read-query.ts');
    const filter = readScoredFilter(query, options.engine, terminal)?.filter;
    if (!filter) throw new BadQuery();
    return filter;
  };
  const how = { signal: terminal.interruption(), timeout: options.timeout, toFilter };
  const limit = options.limit(terminal.stdout);
  try {
    if (format.kind === 'parquet') {
      const { path } = format;
      const count = isClusterAddress(values.case)
        ? await (await import('../cluster/open-cluster.ts')).sqlOnClusterToParquet(
            { address: values.case, sql: text, ...how, path },
            terminal,
          )
        : await writeSqlToParquetInChild(values.case, text, { ...how, path });
      terminal.message(
        `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'} written to "${escapeUnsafe(path)}".`,
      );
      return exitCodes.done;
    }
    const pieces = isClusterAddress(values.case)
      ? (await import('../cluster/open-cluster.ts')).sqlOnCluster(
          { address: values.case, sql: text, ...how, limit },
          terminal,
        )
      : runSqlInChild(values.case, text, { ...how, limit });
    const { count, more } = await printAll(pieces, { kind: format.kind, zone: options.zone }, terminal);
    if (format.kind !== 'json') sayHowMany(count, more, terminal);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof BadQuery) return exitCodes.no;
    throw error;
  }
};

/** Number of printed rows, and if there are more. */
interface Printed {
  count: number;
  more: boolean;
}

/** Prints a result row by row, as it arrives. */
async function printAll(
  pieces: AsyncIterable<SqlPiece>,
  { kind, zone }: { readonly kind: PrintedFormat; readonly zone: TimeZone },
  terminal: Terminal,
): Promise<Printed> {
  const printed: Printed = { count: 0, more: false };
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    const columns = !first.done && first.value.kind === 'columns' ? first.value.columns : [];
    const rows = sqlRows(rowsOf(iterator, printed), columns, zone);
    await printPieces(textOf(rows, { columns, kind, printed, terminal }), terminal);
    // A table without rows still shows its columns.
    if (kind === 'table' && printed.count === 0)
      await terminal.print(`${sqlTable({ columns, rows: [] }, terminal.stdout, zone).join('\n')}\n`);
  } finally {
    await iterator.return?.();
  }
  return printed;
}

interface Printing {
  readonly columns: SqlResult['columns'];
  readonly kind: PrintedFormat;
  readonly printed: Printed;
  readonly terminal: Terminal;
}

function textOf(
  rows: Rows<readonly JsonValue[]>,
  { columns, kind, printed, terminal }: Printing,
): AsyncIterable<string> {
  switch (kind) {
    case 'json':
      return jsonReport(formatRows(rows, kind, terminal.stdout), { columns, printed });
    case 'ndjson':
      return recordLines(rows.items, columns);
    default:
      return formatRows(rows, kind, terminal.stdout);
  }
}

/** Yields the rows of pieces, and counts them in `printed`. */
async function* rowsOf(
  pieces: AsyncIterator<SqlPiece>,
  printed: Printed,
): AsyncGenerator<readonly JsonValue[], void, undefined> {
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    if (next.value.kind === 'end') printed.more = next.value.more;
    if (next.value.kind !== 'rows') continue;
    printed.count += next.value.rows.length;
    yield* next.value.rows;
  }
}

async function* jsonReport(
  list: AsyncIterable<string>,
  { columns, printed }: Pick<Printing, 'columns' | 'printed'>,
): AsyncGenerator<string, void, undefined> {
  yield `${toJson({ columns }, 2).slice(0, -2)},\n  "rows": `;
  let last = '';
  for await (const piece of list) {
    if (last !== '') yield last;
    last = piece;
  }
  yield `${last.trimEnd()},\n  "more": ${printed.more}\n}\n`;
}

async function* recordLines(
  rows: Rows<readonly JsonValue[]>['items'],
  columns: SqlResult['columns'],
): AsyncGenerator<string, void, undefined> {
  for await (const row of rows) yield `${toJson(toRecord({ columns, row }))}\n`;
}

/** A row with its columns. */
interface ResultRow {
  readonly columns: SqlResult['columns'];
  readonly row: readonly JsonValue[];
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

async function readAll(input: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text;
}

function sayHowMany(count: number, more: boolean, { message }: Terminal): void {
  if (more) message(`The first ${formatNumber(count)} rows; --limit N shows more.`);
  else message(`${formatCount(count, 'row')}.`);
}
