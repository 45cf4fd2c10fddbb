import {
  type ExportRequest,
  type LogPage,
  logPages,
  newestLogsRequest,
  openClient,
  queryLogs,
  searchLogs,
} from '../../../client/index.ts';
import { toLog } from '../../../records/to-log.ts';
import { parseZone, utc, type Zone } from '../../../records/zone.ts';
import type { CommandCall, RunCommand } from '../../command-line/command.ts';
import { type ExitCode, exitCodes } from '../../command-line/exit-code.ts';
import { readConnection } from '../../deployment/connection.ts';
import { filterParametersFrom } from '../../export/export-request.ts';
import { checkZone } from '../../input/check-zone.ts';
import { hasErrors, readQuery, reportFindings } from '../../input/read-query.ts';
import { type ListedLog, listedLogRows } from '../../output/listed-logs.ts';
import { formatLogs, readPrintedLogFormat } from '../../output/outgoing-logs.ts';
import type { logsQuerySpec, logsSearchSpec } from '../../specs/deployment-logs.ts';
import { printPieces } from '../../terminal/print-pieces.ts';
import { toJson } from '../../terminal/printable.ts';
import { formatCount, formatNumber } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

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
  const zone = parseZone(checkZone(options.zone)) ?? utc;
  await using client = openClient(await readConnection(options, terminal));
  const signal = terminal.interruption();
  const readPage = (page: { readonly num: number; readonly start?: number }) =>
    asked.read(client, { ...asked.request, num: page.num }, { ...page, signal });
  if (options.count) return printCount(await readPage({ num: 1 }), { options, terminal });
  const found = await collect(logPages(readPage, options.limit), zone);
  await print(found, { options, terminal });
  if (!options.json) sayHowMany(found, { order: asked.order, terminal });
  return exitCodes.done;
}

interface Found {
  readonly logs: readonly ListedLog[];
  readonly unreadable: number;
  readonly total: number | undefined;
}

async function collect(pages: AsyncIterable<LogPage>, zone: Zone): Promise<Found> {
  const logs: ListedLog[] = [];
  let unreadable = 0;
  let total: number | undefined;
  for await (const page of pages) {
    for (const message of page.messages) {
      const { log, extra } = toLog(message, zone);
      logs.push({ log, ...(extra && { extra }) });
    }
    unreadable += page.unreadable;
    total = page.total ?? total;
  }
  return { logs, unreadable, total };
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

async function print({ logs, unreadable, total }: Found, { options, terminal }: Shown): Promise<void> {
  if (options.json) {
    const report = { ...(total !== undefined && { total }), shown: logs.length, unreadable, logs };
    return terminal.print(`${toJson(report, 2)}\n`);
  }
  await printPieces(formatLogs(listedLogRows(logs), readPrintedLogFormat(options), terminal.data), terminal);
}

function sayHowMany(
  { logs, unreadable, total }: Found,
  { order, terminal }: Pick<Listing, 'order' | 'terminal'>,
) {
  const { say } = terminal;
  if (0 < unreadable) say(`${formatCount(unreadable, 'item')} of the list could not be read as a log.`);
  if (total === undefined)
    say(`${formatCount(logs.length, 'log')}; the deployment does not report the total.`);
  else if (logs.length === 0 && total === 0) say('No log matches.');
  else if (total <= logs.length) say(`${formatCount(logs.length, 'log')}.`);
  else
    say(
      `The ${order} ${formatNumber(logs.length)} of ${formatCount(total, 'log')}; --limit N shows more, "logquarry export" gets all.`,
    );
}
