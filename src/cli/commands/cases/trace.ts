import { traceRequest } from '../../../analysis/index.ts';
import type { Filter } from '../../../meaning/filter.ts';
import { writeLogsToParquet } from '../../../store/index.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { logZoneOf } from '../../command-line/zone-option.ts';
import { joinLogFilters, readLogFilters } from '../../input/log-filters.ts';
import { noteNewestLog } from '../../input/note-newest-log.ts';
import { openSources } from '../../input/open-sources.ts';
import { logRows, type PrintedLog } from '../../output/log-rows.ts';
import { formatLogs, readLogFormat } from '../../output/outgoing-logs.ts';
import type { Rows } from '../../output/output-format.ts';
import type { traceSpec } from '../../specs/analysis.ts';
import { printPieces } from '../../terminal/print-pieces.ts';
import { escapeUnsafe } from '../../terminal/printable.ts';
import { formatCount, formatDuration } from '../../terminal/progress.ts';
import { listSlowest } from './trace-slowest.ts';

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/** Shows all logs of one request. */
export const traceCommand: RunCommand<typeof traceSpec> = async (call) => {
  const { arguments: given, options, terminal } = call;
  if (options.slowest) return await listSlowest(call);
  if (given.source.length === 0)
    throw new UsageError('trace requires an id and at least one source, or --slowest and a source');
  const format = await readLogFormat(options);
  const now = Date.now();
  const filters = readLogFilters(options, now);
  await using sources = await openSources(given.source, { logZone: logZoneOf(options) }, terminal);
  // Compares the whole value, not its words.
  const request: Filter = { kind: 'term', field: requestId, term: given.id };
  const { filter } = joinLogFilters({ filter: request, boosts: new Map() }, filters);
  await noteNewestLog(sources, { options, now }, terminal);
  const signal = terminal.interruption();
  if (format.kind === 'parquet') {
    const cases = sources.cases.map((from, index) => ({
      from,
      name: sources.names[index] ?? '',
      options: {},
    }));
    const count = await writeLogsToParquet(format.path, cases, { filter, signal });
    terminal.say(`${formatCount(count, 'log')} written to "${escapeUnsafe(format.path)}".`);
    return sources.outcome;
  }
  const seen: Seen = { count: 0 };
  const hasCases = sources.areSeveral;
  const rows = logRows(traced(), { hasCases, chosen: options.columns, zone: options.zone });
  await printPieces(formatLogs(withPlaces(rows), format.kind, terminal.data), terminal);
  terminal.say(summaryOf(seen, given.id));
  return sources.outcome;

  async function* traced(): AsyncGenerator<Traced, void, undefined> {
    for await (const { ofCase, gap, ...log } of traceRequest(sources.cases, filter, { signal })) {
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

function summaryOf({ count, length }: Seen, id: string): string {
  if (count === 0) return `No log has the request "${escapeUnsafe(id)}".`;
  const logs = formatCount(count, 'log');
  return length === undefined ? `${logs}.` : `${logs} in ${formatDuration(length)}.`;
}
