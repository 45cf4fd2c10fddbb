import { logPages, openClient, queryLogs, searchLogs } from '../../client/index.ts';
import { hasErrors } from '../../language/index.ts';
import { type ExportRequest, type LogPage, newestLogsRequest } from '../../protocol/index.ts';
import {
  type Extra,
  type Log,
  parseZone,
  type TimeZone,
  textFields,
  toLog,
  utcClocks,
  type Zone,
} from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { readConnection } from '../deployment/connection.ts';
import { filterParametersFrom } from '../export/export-request.ts';
import { readQuery, reportFindings } from '../input/read-query.ts';
import type { Cell } from '../output/csv.ts';
import { listedLogTable } from '../output/log-table.ts';
import { formatLogs, readPrintedLogFormat } from '../output/outgoing-logs.ts';
import type { Rows } from '../output/output-format.ts';
import type { logsQuerySpec, logsSearchSpec } from '../specs/deployment-logs.ts';
import { printPieces } from '../terminal/print-pieces.ts';
import { toJson } from '../terminal/printable.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Shows the newest logs of a deployment that match filters. */
export const logsQueryCommand: RunCommand<typeof logsQuerySpec> = async ({ options, terminal }) => {
  const request = {
    ...newestLogsRequest,
    ...filterParametersFrom(options),
    stackTraces: options.stackTraces,
  };
  return list({ read: queryLogs, request, options, terminal, order: 'newest' });
};

/** Shows the logs of a deployment that match a query. */
export const logsSearchCommand: RunCommand<typeof logsSearchSpec> = async ({
  arguments: { query },
  options,
  terminal,
}) => {
  const { findings } = readQuery(query);
  reportFindings({ text: query }, findings, terminal);
  if (hasErrors(findings) && !options.force) return exitCodes.no;
  const order = options.best ? 'most relevant' : options.oldest ? 'oldest' : 'newest';
  const request: ExportRequest = {
    ...newestLogsRequest,
    stackTraces: options.stackTraces,
    searchQuery: query,
    sortBy: options.best ? 'bestMatch' : 'time',
    sortOrder: options.oldest ? 'asc' : 'desc',
  };
  return list({ read: searchLogs, request, options, terminal, order });
};

type Options = CommandCall<typeof logsSearchSpec>['options'] | CommandCall<typeof logsQuerySpec>['options'];

interface Listing {
  readonly read: typeof queryLogs;
  readonly request: ExportRequest;
  readonly options: Options;
  readonly terminal: Terminal;
  readonly order: 'newest' | 'oldest' | 'most relevant';
}

async function list({ options, terminal, ...asked }: Listing): Promise<ExitCode> {
  const zone = parseZone(options.logZone ?? 'UTC') ?? utcClocks;
  await using client = openClient(await readConnection(options, terminal));
  const signal = terminal.interruption();
  const readPage = (page: { readonly num: number; readonly start?: number }) =>
    asked.read(client, { ...asked.request, num: page.num }, { ...page, signal });
  if (options.count) return printCount(await readPage({ num: 1 }), { options, terminal });
  const limit = options.limit(terminal.data) ?? Number.POSITIVE_INFINITY;
  const found: Found = { shown: 0, unreadable: 0, total: undefined };
  await print(listed(logPages(readPage, limit), zone, found), found, { options, terminal });
  const isShort = found.shown + found.unreadable < Math.min(limit, found.total ?? 0);
  if (!options.json) sayHowMany(found, { order: asked.order, terminal });
  return isShort ? exitCodes.incomplete : exitCodes.done;
}

/** Counts of a list, complete when its last log is read. */
interface Found {
  shown: number;
  unreadable: number;
  /** Number of matching logs, if the deployment reports it. */
  total: number | undefined;
}

/** Yields the logs of pages as they arrive, and counts them in `found`. */
async function* listed(
  pages: AsyncIterable<LogPage>,
  zone: Zone,
  found: Found,
): AsyncGenerator<ListedLog, void, undefined> {
  for await (const page of pages) {
    found.unreadable += page.unreadable;
    found.total = page.total ?? found.total;
    for (const message of page.messages) {
      const { log, extra } = toLog(message, zone);
      found.shown += 1;
      yield { log, ...(extra && { extra }) };
    }
  }
}

interface Shown {
  readonly options: Options;
  readonly terminal: Terminal;
}

async function printCount({ total }: LogPage, { options, terminal }: Shown): Promise<ExitCode> {
  if (total === undefined) {
    terminal.say('The deployment does not report a count.');
    return exitCodes.no;
  }
  const isJson = options.json || options.ndjson;
  await terminal.print(isJson ? `${toJson({ count: total })}\n` : `${total}\n`);
  return exitCodes.done;
}

async function print(
  logs: AsyncIterable<ListedLog>,
  found: Found,
  { options, terminal }: Shown,
): Promise<void> {
  const format = readPrintedLogFormat(options);
  const text = formatLogs(listedLogRows(logs, options.zone), format, terminal.data);
  await printPieces(format === 'json' ? jsonReport(text, found) : text, terminal);
}

/** Yields the list, then its counts, which are known at its end. */
async function* jsonReport(
  list: AsyncIterable<string>,
  found: Found,
): AsyncGenerator<string, void, undefined> {
  yield '{\n  "logs": ';
  let last = '';
  for await (const piece of list) {
    if (last !== '') yield last;
    last = piece;
  }
  const { total, shown, unreadable } = found;
  const counts = toJson({ ...(total !== undefined && { total }), shown, unreadable }, 2);
  yield `${last.trimEnd()},${counts.slice(1)}\n`;
}

function sayHowMany(
  { shown, unreadable, total }: Found,
  { order, terminal }: Pick<Listing, 'order' | 'terminal'>,
) {
  const { say } = terminal;
  if (0 < unreadable) say(`${formatCount(unreadable, 'item')} of the list could not be read as a log.`);
  if (total === undefined) say(`${formatCount(shown, 'log')}; the deployment does not report the total.`);
  else if (shown === 0 && total === 0) say('No log matches.');
  else if (total <= shown) say(`${formatCount(shown, 'log')}.`);
  else
    say(
      `The ${order} ${formatNumber(shown)} of ${formatCount(total, 'log')}; --limit N shows more, "logquarry export" gets all.`,
    );
}

/** A log listed by a deployment, with the members that are no log fields. */
interface ListedLog {
  readonly log: Log;
  readonly extra?: Extra;
}

const fields = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The columns of CSV: all fields. */
const names = [
  ...fields,
  ...textFields.filter((field) => !fields.some((first) => first === field)),
  ...(['elapsed', 'extra'] as const),
];

/** Rows of logs listed by a deployment; like those of `search`, without ids. */
function listedLogRows(items: AsyncIterable<ListedLog>, zone: TimeZone): Rows<ListedLog> {
  const table = listedLogTable(zone);
  return {
    items,
    columns: table.columns,
    shown: table.cells,
    names,
    cells: (listed) => names.map((name) => cellOf(listed, name)),
  };
}

function cellOf({ log, extra }: ListedLog, name: (typeof names)[number]): Cell {
  if (name === 'extra') return extra && toJson(extra);
  if (name === 'time') return log.time === undefined ? undefined : new Date(log.time).toISOString();
  return log[name];
}
