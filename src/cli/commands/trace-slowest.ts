import { type RankedRequest, rankRequests } from '../../analysis/index.ts';
import { matchAllFilter } from '../../language/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { joinLogFilters, readLogFilters } from '../input/log-filters.ts';
import { noteNewestLog } from '../input/note-newest-log.ts';
import { openSources } from '../input/open-sources.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import type { traceSpec } from '../specs/analysis.ts';
import { printPieces } from '../terminal/print-pieces.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';

/** Lists the slowest requests of some sources. The argument in place of the id is a source too. */
export async function listSlowest({
  arguments: given,
  options,
  terminal,
}: CommandCall<typeof traceSpec>): Promise<ExitCode> {
  const now = Date.now();
  const filters = readLogFilters(options, now);
  const { filter } = joinLogFilters({ filter: matchAllFilter, boosts: new Map() }, filters);
  await using sources = await openSources(
    [given.id, ...given.source],
    { logZone: logZoneOf(options), clusters: { copied: filter } },
    terminal,
  );
  await noteNewestLog(sources, { options, now }, terminal);
  const limit = options.limit(terminal.data) ?? Number.POSITIVE_INFINITY;
  const found = await rankRequests(sources.cases, { filter, limit: limit + 1 });
  const shown = found.slice(0, limit);
  await printPieces(
    formatRows(rowsOf(shown, options.zone), readPrintedFormat(options), terminal.data),
    terminal,
  );
  const more = shown.length < found.length ? '; --limit N shows more' : '';
  terminal.say(`${formatCount(shown.length, 'request')}${more}.`);
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
      { name: 'request', least: 36 },
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
