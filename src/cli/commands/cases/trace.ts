import { mergeLogs } from '../../../analysis/index.ts';
import type { Filter } from '../../../meaning/filter.ts';
import { type StoredLog, streamLogs, writeLogsToParquet } from '../../../store/index.ts';
import type { RunCommand } from '../../command-line/command.ts';
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

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/** Shows all logs of one request. */
export const traceCommand: RunCommand<typeof traceSpec> = async ({ arguments: given, options, terminal }) => {
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
  await printPieces(formatLogs(withPause(rows), format.kind, terminal.data), terminal);
  terminal.say(summaryOf(seen, given.id));
  return sources.outcome;

  async function* traced(): AsyncGenerator<Traced, void, undefined> {
    const streams = sources.cases.map((each) => streamLogs(each, filter, { signal }));
    for await (const { ofCase, ...log } of mergeLogs<StoredLog>(streams, 'oldest')) {
      const pause = note(seen, log.log.time);
      yield {
        ...log,
        ...(hasCases && { case: sources.nameOf(log, ofCase) }),
        ...(pause !== undefined && { pause }),
      };
    }
  }
};

/** A log of a request. */
interface Traced extends PrintedLog {
  /** Milliseconds since the previous log. */
  readonly pause?: number;
}

interface Seen {
  count: number;
  first?: number;
  last?: number;
}

/** Records a log; returns the milliseconds since the previous one. */
function note(seen: Seen, time: number | undefined): number | undefined {
  seen.count += 1;
  if (time === undefined) return undefined;
  const pause = seen.last === undefined ? undefined : time - seen.last;
  seen.first ??= time;
  seen.last = time;
  return pause;
}

function withPause(rows: Rows<Traced>): Rows<Traced> {
  return {
    ...rows,
    columns: [{ name: '+ms', align: 'right' }, ...rows.columns],
    shown: (log) => [log.pause === undefined ? '' : String(log.pause), ...rows.shown(log)],
    names: ['pause', ...rows.names],
    cells: (log) => [log.pause, ...rows.cells(log)],
  };
}

function summaryOf({ count, first, last }: Seen, id: string): string {
  if (count === 0) return `No log has the request "${escapeUnsafe(id)}".`;
  const logs = formatCount(count, 'log');
  return first === undefined || last === undefined
    ? `${logs}.`
    : `${logs} in ${formatDuration(last - first)}.`;
}
