import { expandFuzzy, findSessions, type UserSession } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import type { sessionsSpec } from '../specs/analysis-specs.ts';
import { formatCount, formatDuration, formatNumber, printPieces } from '../terminal/progress.ts';
import { toJson } from '../terminal/text.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';

/** Shows the sessions of users. */
export const sessionsCommand: RunCommand<typeof sessionsSpec> = async (call) => {
  const { arguments: values, options, terminal } = call;
  const format = readPrintedFormat(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const scored = readFilteredQuery(filtered, terminal);
  if (!scored) return exitCodes.no;
  await using sources = await openSources(
    values.source,
    { logZone: logZoneOf(options), clusters: { copied: scored.filter } },
    terminal,
  );
  await noteNewestLog(sources, filtered, terminal);
  const { filter } = await expandFuzzy(sources.logs, scored);
  const signal = terminal.interruption();
  const { idle } = options;
  const { sessions, ...found } = await findSessions(sources.cases, {
    filter,
    signal,
    ...(idle !== undefined && { idle }),
  });
  const shown = sessions.slice(0, options.limit(terminal.stdout));
  const others = sessions.length - shown.length;
  if (format === 'json') {
    await terminal.print(`${toJson({ ...found, sessions: shown, others }, 2)}\n`);
    return sources.outcome;
  }
  await printPieces(formatRows(rowsOf(shown, options.zone), format, terminal.stdout), terminal);
  terminal.message(
    [
      `${formatCount(sessions.length, 'session')} of ${formatCount(found.users, 'user')}`,
      ...(others === 0 ? [] : [`${formatNumber(others)} more with --limit ${sessions.length}`]),
      ...(found.withoutUser === 0 ? [] : [`${formatCount(found.withoutUser, 'log')} without a user`]),
      ...(found.timeless === 0 ? [] : [`${formatCount(found.timeless, 'log')} without a time`]),
    ]
      .join('; ')
      .concat('.'),
  );
  return sources.outcome;
};

function rowsOf(sessions: readonly UserSession[], zone: TimeZone): Rows<UserSession> {
  const servicesOf = ({ services }: UserSession) =>
    services.map(({ value, count }) => `${value} (${count})`).join(', ');
  return {
    items: sessions,
    columns: [
      { name: 'user', canShrink: true },
      { name: timeHeading('first', zone) },
      { name: 'length', align: 'right' },
      { name: 'logs', align: 'right', dropRank: 2 },
      { name: 'requests', align: 'right' },
      { name: 'errors', align: 'right' },
      { name: 'longest gap', align: 'right', dropRank: 1 },
      { name: 'sources', canShrink: true },
    ],
    shown: (session) => [
      ...[session.user, formatTime(session.first, zone), formatDuration(session.last - session.first)],
      ...[session.logs, session.requests, session.errors].map(formatNumber),
      ...[formatDuration(session.longestGap), servicesOf(session)],
    ],
    names: ['user', 'first', 'last', 'logs', 'requests', 'errors', 'longest gap', 'sources'],
    cells: (session) => [
      ...[session.user, formatTime(session.first, zone), formatTime(session.last, zone)],
      ...[session.logs, session.requests, session.errors, session.longestGap, servicesOf(session)],
    ],
  };
}
