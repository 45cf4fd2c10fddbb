import {
  type AnyLogSource,
  caseWith,
  matchingRequests,
  type RankedRequest,
  rankRequests,
  requestFilter,
  traceRequest,
} from '../../analysis/index.ts';
import { writeLogsToParquet } from '../../case/index.ts';
import { type Filter, matchAllFilter, quote } from '../../language/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, UsageError } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { explainFewResults, noteNewestLog } from '../input/few-results.ts';
import { joinLogFilters, readLogFilters } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import { formatLogs, logRows, type PrintedLog, readLogFormat } from '../output/log-output.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import type { traceSpec } from '../specs/case-specs.ts';
import { formatCount, formatDuration, formatNumber, printPieces } from '../terminal/progress.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';

/** Shows all logs of one request. */
export const traceCommand: RunCommand<typeof traceSpec> = async (call) => {
  const { arguments: values, options, terminal } = call;
  if (options.slowest) return await listSlowest(call);
  if (values.source.length === 0)
    throw new UsageError('trace requires an id and at least one source, or --slowest and a source');
  const format = await readLogFormat(options);
  const now = Date.now();
  const filters = readLogFilters(options, now);
  await using sources = await openSources(
    values.source,
    { logZone: logZoneOf(options), clusters: 'read' },
    terminal,
  );
  const { filter: beside } = joinLogFilters({ filter: matchAllFilter, boosts: new Map() }, filters);
  const id =
    (await requestOf(sources.logs, values.id, beside)) ??
    (await requestOf(sources.logs, values.id, matchAllFilter)) ??
    values.id;
  if (id !== values.id) terminal.message(`The request is "${escapeUnsafe(id)}".`);
  const { filter } = joinLogFilters({ filter: requestFilter(id), boosts: new Map() }, filters);
  await noteNewestLog(sources, { options, now }, terminal);
  const signal = terminal.interruption();
  if (format.kind === 'parquet') {
    const cases = await Promise.all(
      sources.logs.map(async (log, index) => ({
        from: await caseWith(log, filter),
        name: sources.names[index] ?? '',
        options: {},
      })),
    );
    const count = await writeLogsToParquet(format.path, cases, { filter, signal });
    terminal.message(`${formatCount(count, 'log')} written to "${escapeUnsafe(format.path)}".`);
    return sources.outcome;
  }
  const seen: Seen = { count: 0 };
  const hasCases = sources.areSeveral;
  const rows = logRows(traced(), { hasCases, chosen: options.columns, zone: options.zone });
  await printPieces(formatLogs(withPlaces(rows), format.kind, terminal.stdout), terminal);
  terminal.message(summaryOf(seen, id, filters !== undefined));
  if (filters && seen.count === 0 && format.kind === 'table') {
    const query = `requestID:${quote(id)}`;
    await explainFewResults(sources, { query, engine: undefined, options, now, count: 0 }, terminal);
  }
  return sources.outcome;

  async function* traced(): AsyncGenerator<Traced, void, undefined> {
    for await (const { ofCase, gap, ...log } of traceRequest(sources.logs, filter, { signal })) {
      seen.count += 1;
      seen.length = log.offset ?? seen.length;
      yield {
        ...log,
        ...(hasCases && { case: sources.nameOf(log, ofCase) }),
        ...(gap !== undefined && { pause: gap }),
      };
    }
  }
};

/** Number of listed requests. */
const mostListed = 10;

/**
 * Returns the id of the request that an id or its beginning names; undefined if none does.
 * Throws a `UsageError` with the candidates if there are several.
 */
async function requestOf(
  cases: readonly AnyLogSource[],
  text: string,
  filter: Filter,
): Promise<string | undefined> {
  const { requests, others } = await matchingRequests(cases, text, { filter, limit: mostListed });
  const [first, second] = requests;
  if (second === undefined) return first?.value;
  const lines = requests.map(({ value, count }) => `  ${escapeUnsafe(value)}  ${formatCount(count, 'log')}`);
  const rest = others === 0 ? [] : ['  … and more'];
  throw new UsageError([`The ids of several requests begin with "${text}":`, ...lines, ...rest].join('\n'));
}

/** A log of a request. */
interface Traced extends PrintedLog {
  /** Milliseconds since the first log, and since the previous one. */
  readonly offset?: number;
  readonly pause?: number;
  readonly isSlowest?: true;
}

interface Seen {
  count: number;
  /** Milliseconds from the first log to the last; undefined if none has a time. */
  length?: number | undefined;
}

function withPlaces(rows: Rows<Traced>): Rows<Traced> {
  return {
    ...rows,
    columns: [
      { name: '' },
      { name: 'offset', align: 'right', dropRank: 4 },
      { name: 'gap', align: 'right' },
      ...rows.columns,
    ],
    shown: ({ offset, pause, isSlowest, ...log }) => [
      isSlowest ? '>' : '',
      ...[offset, pause].map((value) => String(value ?? '')),
      ...rows.shown(log),
    ],
    names: ['slowest', 'offset', 'pause', ...rows.names],
    cells: (log) => [log.isSlowest === true, log.offset, log.pause, ...rows.cells(log)],
  };
}

function summaryOf({ count, length }: Seen, id: string, isFiltered: boolean): string {
  if (count === 0)
    return `No log has the request "${escapeUnsafe(id)}"${isFiltered ? ' and matches the options' : ''}.`;
  const logs = formatCount(count, 'log');
  return length === undefined ? `${logs}.` : `${logs} in ${formatDuration(length)}.`;
}

/** Lists the slowest requests of some sources. The argument in place of the id is a source too. */
async function listSlowest({
  arguments: values,
  options,
  terminal,
}: CommandCall<typeof traceSpec>): Promise<ExitCode> {
  const now = Date.now();
  const filters = readLogFilters(options, now);
  const { filter } = joinLogFilters({ filter: matchAllFilter, boosts: new Map() }, filters);
  await using sources = await openSources(
    [values.id, ...values.source],
    { logZone: logZoneOf(options), clusters: { copied: filter } },
    terminal,
  );
  await noteNewestLog(sources, { options, now }, terminal);
  const limit = options.limit(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const found = await rankRequests(sources.cases, { filter, limit: limit + 1 });
  const shown = found.slice(0, limit);
  await printPieces(
    formatRows(rowsOf(shown, options.zone), readPrintedFormat(options), terminal.stdout),
    terminal,
  );
  const more = shown.length < found.length ? '; --limit N shows more' : '';
  terminal.message(`${formatCount(shown.length, 'request')}${more}.`);
  return sources.outcome;
}

function rowsOf(requests: readonly RankedRequest[], zone: TimeZone): Rows<RankedRequest> {
  const timeOf = (time: number | undefined) => (time === undefined ? undefined : formatTime(time, zone));
  return {
    items: requests,
    columns: [
      { name: 'seconds', align: 'right' },
      { name: 'elapsed', align: 'right', dropRank: 5 },
      { name: 'logs', align: 'right' },
      { name: 'errors', align: 'right', dropRank: 6 },
      { name: timeHeading('first', zone), dropRank: 1 },
      { name: 'source', canShrink: true, dropRank: 2 },
      { name: 'method', canShrink: true, dropRank: 3 },
      { name: 'user', canShrink: true, dropRank: 4 },
      { name: 'request', min: 36 },
    ],
    shown: ({ took, elapsed, logs, errors, first, source, method, user, request }) => [
      ...[took.toFixed(3), elapsed?.toFixed(3) ?? '', formatNumber(logs), formatNumber(errors)],
      ...[timeOf(first) ?? '', source ?? '', method ?? '', user ?? '', request],
    ],
    names: ['took', 'elapsed', 'logs', 'errors', 'first', 'last', 'source', 'method', 'user', 'request'],
    cells: ({ took, elapsed, logs, errors, first, last, source, method, user, request }) => [
      ...[took, elapsed, logs, errors, timeOf(first), timeOf(last)],
      ...[source, method, user, request],
    ],
  };
}
