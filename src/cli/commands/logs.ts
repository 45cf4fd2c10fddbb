import {
  editLogSettings,
  logPages,
  openClient,
  queryLogs,
  readLogSettings,
  searchLogs,
} from '../../client/index.ts';
import { checkQuery, hasErrors, logLevels } from '../../language/index.ts';
import {
  type ExportRequest,
  type LogPage,
  type LogSettings,
  newestLogsRequest,
  type TemplateChange,
} from '../../protocol/index.ts';
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
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readConnection } from '../deployment/connection.ts';
import { requireConfirmation, sendChange } from '../deployment/send-change.ts';
import { reportFindings } from '../input/read-query.ts';
import { filterParametersFrom } from '../loading/export-order.ts';
import { changesText } from '../output/administration-text.ts';
import { formatLogs, listedLogTable, readPrintedLogFormat } from '../output/log-output.ts';
import { formatTimeToSecond, memberLines } from '../output/member-lines.ts';
import type { Cell, Rows } from '../output/output-format.ts';
import type { logsQuerySpec, logsSearchSpec, logsSettingsSpec } from '../specs/deployment-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';

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
  const { findings } = checkQuery(query);
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

async function list({ options, terminal, ...listing }: Listing): Promise<ExitCode> {
  const zone = parseZone(options.logZone ?? 'UTC') ?? utcClocks;
  await using client = openClient(await readConnection(options, terminal));
  const signal = terminal.interruption();
  const readPage = (page: { readonly num: number; readonly start?: number }) =>
    listing.read(client, { ...listing.request, num: page.num }, { ...page, signal });
  if (options.count) return printCount(await readPage({ num: 1 }), { options, terminal });
  const limit = options.limit(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const found: Found = { shown: 0, unreadable: 0, total: undefined };
  await print(listed(logPages(readPage, limit), zone, found), found, { options, terminal });
  const isShort = found.shown + found.unreadable < Math.min(limit, found.total ?? 0);
  if (!options.json) sayHowMany(found, { order: listing.order, terminal });
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
    terminal.message('The deployment does not report a count.');
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
  const text = formatLogs(listedLogRows(logs, options.zone), format, terminal.stdout);
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
  const { message } = terminal;
  if (0 < unreadable) message(`${formatCount(unreadable, 'item')} of the list could not be read as a log.`);
  if (total === undefined) message(`${formatCount(shown, 'log')}; the deployment does not report the total.`);
  else if (shown === 0 && total === 0) message('No log matches.');
  else if (total <= shown) message(`${formatCount(shown, 'log')}.`);
  else
    message(
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

type LogSettingsOptions = CommandCall<typeof logsSettingsSpec>['options'];

/** Shows or changes the log settings. */
export const logsSettingsCommand: RunCommand<typeof logsSettingsSpec> = async ({ options, terminal }) => {
  const level = levelOf(options.level);
  const signal = terminal.interruption();
  await using client = openClient(await readConnection(options, terminal));
  const before = await readLogSettings(client, { signal });
  if (level === undefined && options.maxAge === undefined) {
    await terminal.print(settingsText(before, options.json));
    return exitCodes.done;
  }
  const after = withChanges(before, { level, maxAge: options.maxAge });
  const changes = changesOf(before, after);
  await terminal.print(options.json ? `${toJson(changes, 2)}\n` : changesText(changes, terminal.stdout));
  if (changes.length === 0) return exitCodes.done;
  warnOfDeletion(before, after, terminal);
  if (options.dryRun) return nothingSent(terminal, exitCodes.done);
  if (!(await isWanted(options, terminal))) return nothingSent(terminal, exitCodes.no);
  const doubt = () =>
    'The edit may have been made, if the request was already sent: check with "logquarry logs settings".';
  await sendChange(() => editLogSettings(client, after, { signal }), { terminal, doubt });
  terminal.message('The log settings were changed.');
  return exitCodes.done;
};

function isWanted({ yes }: LogSettingsOptions, terminal: Terminal): Promise<boolean> {
  return requireConfirmation(terminal, { yes, question: 'Send it?' });
}

function nothingSent<C>(terminal: Terminal, code: C): C {
  terminal.message('Nothing was sent.');
  return code;
}

/** `OFF` is a level of older relatives of the deployment (field notes); the deployment decides about it. */
const levels: readonly string[] = [...logLevels, 'OFF'];

function levelOf(text: string | undefined): string | undefined {
  const level = text?.toUpperCase();
  if (level === undefined || levels.includes(level)) return level;
  throw new UsageError(`--level must be one of ${levels.join(', ')}, got "${text}"`);
}

function withChanges(
  before: LogSettings,
  {
    level = before.logLevel,
    maxAge,
  }: { readonly level: string | undefined; readonly maxAge: number | undefined },
): LogSettings {
  if (maxAge === undefined) return { ...before, logLevel: level };
  if (before.maxLogAgeDays === undefined) {
    throw new UsageError(
      'The deployment has no setting for --max-age, which requires version 11.2: leave the option out',
    );
  }
  return { ...before, logLevel: level, maxLogAgeDays: maxAge };
}

function changesOf(before: LogSettings, after: LogSettings): readonly TemplateChange[] {
  return (['logLevel', 'maxLogAgeDays'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      path: name,
      kind: 'changed',
      before: before[name],
      after: after[name],
      editable: true,
    }));
}

function warnOfDeletion(before: LogSettings, after: LogSettings, { message, stderr }: Terminal): void {
  const [days, fewer] = [before.maxLogAgeDays ?? 0, after.maxLogAgeDays ?? 0];
  if (days <= fewer) return;
  const about = `The deployment will delete logs older than ${fewer} days, and they cannot be recovered`;
  message(`${stderr.style.yellow('warning')}: ${about}. Save them first with "logquarry export".`);
}

function settingsText({ others, ...known }: LogSettings, isJson: boolean): string {
  const members = { ...known, ...others };
  if (isJson) return `${toJson(members, 2)}\n`;
  const { logLevel, maxLogAgeDays, lastModified } = known;
  return memberLines([
    ['level', logLevel],
    ['kept for', maxLogAgeDays === undefined ? undefined : `${maxLogAgeDays} days`],
    ['changed', lastModified === undefined ? undefined : `${formatTimeToSecond(lastModified)} UTC`],
    ...Object.entries(others),
  ]);
}
