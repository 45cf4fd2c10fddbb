import type { Filter } from '../../meaning/filter.ts';
import { type Case, countLogs, openCase, type StoredLog, streamLogs } from '../../store/index.ts';
import { filterOf } from '../case-query.ts';
import type { Call, Run } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { jsonList } from '../json-list.ts';
import { logColumns, toLogRow } from '../log-table.ts';
import { printPieces } from '../print-pieces.ts';
import { toJson } from '../printable.ts';
import { grouped } from '../progress.ts';
import type { searchSpec } from '../specs/logs.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Shows the logs of a case that a query selects. */
export const search: Run<typeof searchSpec> = async ({ arguments: given, options, terminal }) => {
  if (options.json && options.ndjson) throw new UsageError('"--json" and "--ndjson" exclude each other');
  const filter = filterOf(given.query, terminal);
  if (!filter) return exitCodes.no;
  await using logs = await openCase(given.case, { access: 'read' });
  const asked: Asked = { logs, filter, query: given.query, options };
  await (options.count ? printCount(asked, terminal) : printLogs(asked, terminal));
  return exitCodes.done;
};

interface Asked {
  readonly logs: Case;
  readonly filter: Filter;
  readonly query: string;
  readonly options: Call<typeof searchSpec>['options'];
}

async function printCount({ logs, filter, query, options }: Asked, terminal: Terminal): Promise<void> {
  const count = await countLogs(logs, filter);
  await terminal.print(options.json || options.ndjson ? `${toJson({ query, count })}\n` : `${count}\n`);
}

async function printLogs(asked: Asked, terminal: Terminal): Promise<void> {
  const { logs, filter, options } = asked;
  const order = options.oldest ? 'oldest' : 'newest';
  const limit = options.all ? undefined : options.limit;
  const shown = { count: 0 };
  const found = counted(streamLogs(logs, filter, { order, ...(limit !== undefined && { limit }) }), shown);
  if (options.json) await printPieces(jsonReport(asked, found), terminal);
  else if (options.ndjson) await printPieces(lines(found), terminal);
  else await printPieces(tables(found, terminal), terminal);
  if (!options.json) await sayHowMany(asked, shown.count, terminal);
}

async function* counted(
  found: AsyncIterable<StoredLog>,
  shown: { count: number },
): AsyncGenerator<StoredLog, void, undefined> {
  for await (const each of found) {
    shown.count += 1;
    yield each;
  }
}

async function* jsonReport(
  { logs, filter, query, options }: Asked,
  found: AsyncIterable<StoredLog>,
): AsyncGenerator<string, void, undefined> {
  const order = options.oldest ? 'oldest' : 'newest';
  const head = { query, order, total: await countLogs(logs, filter) };
  yield `${toJson(head, 2).slice(0, -2)},\n  "logs": `;
  yield* jsonList(found);
  yield '}\n';
}

async function* lines(found: AsyncIterable<StoredLog>): AsyncGenerator<string, void, undefined> {
  for await (const each of found) yield `${toJson(each)}\n`;
}

/** So many logs are set as one table, whose columns are as wide as what they hold. */
const tableLength = 1000;

async function* tables(
  found: AsyncIterable<StoredLog>,
  { data: { style, width } }: Terminal,
): AsyncGenerator<string, void, undefined> {
  let rows: string[][] = [];
  let skipped = 0;
  const set = () => {
    const set = table(logColumns, rows, { style, width }).slice(skipped);
    rows = [];
    skipped = 1;
    return `${set.join('\n')}\n`;
  };
  for await (const each of found) {
    rows.push(toLogRow(each));
    if (rows.length === tableLength) yield set();
  }
  if (0 < rows.length) yield set();
}

async function sayHowMany(
  { logs, filter, options }: Asked,
  shown: number,
  terminal: Terminal,
): Promise<void> {
  if (shown === 0) return terminal.say('No log matches.');
  const total = options.all || shown < options.limit ? shown : await countLogs(logs, filter);
  if (total === shown) return terminal.say(`${grouped(total)} ${total === 1 ? 'log' : 'logs'}.`);
  const which = options.oldest ? 'oldest' : 'newest';
  terminal.say(
    `The ${which} ${grouped(shown)} of ${grouped(total)} logs; "--limit N" or "--all" shows more.`,
  );
}
