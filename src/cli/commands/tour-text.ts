import type { StoredLog } from '../../case/index.ts';
import { incidentLength } from '../export/export-incident.ts';
import { sqlTable } from '../output/sql-table.ts';
import { type Column, layOutTable } from '../output/table.ts';
import { formatAmount, formatDuration, formatNumber } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatTime } from '../terminal/time-format.ts';
import type { Tour, TourAnswer } from './tour.ts';

/** Formats the results of the demo. */
export function tourText(tour: Tour, face: Face): string {
  const { bold, dim } = face.style;
  const { logs, bytes, calls, windows, complete } = tour.export;
  const [from, to] = [tour.hours.from, tour.hours.to].map((time) => formatTime(time).slice(0, 16));
  const lines = [
    bold('An incident, exported and searched'),
    '',
    `The reference deployment ran at ${tour.url} with ${formatNumber(tour.held)} logs from ${from} to ${to} (UTC).`,
    `One export returns at most 10,000 of them, so it was split into ${formatNumber(windows)} windows of time, with ${formatNumber(calls)} calls:`,
    `${formatNumber(logs)} logs in zips of ${formatAmount(bytes, 'B')}, ${complete ? 'complete.' : 'incomplete.'}`,
    'The same as a command:',
    dim(
      `  npx logquarry export --url ${tour.url} --from now-${incidentLength}h --log-level DEBUG --into incident.duckdb`,
    ),
    ...tour.searches.flatMap((search) => ['', ...answerText(search, face)]),
    '',
    bold(tour.sql.question),
    ...tour.sql.sql.split('\n').map((line) => dim(`  ${line}`)),
    ...sqlTable(tour.sql, { ...face, width: undefined }).map((line) => `  ${line}`),
    '',
    `All of this took ${formatDuration(tour.took)}. ${caseText(tour)}`,
    '',
    'Try next:',
    ...tourCommands(tour.case).map((command) => `  ${command}`),
    '',
  ];
  return lines.join('\n');
}

function caseText({ case: path }: Tour): string {
  return path === undefined ? 'No files are left.' : `The case is in ${path}.`;
}

function answerText({ question, query, count, first, tells }: TourAnswer, { style, width }: Face): string[] {
  const more = count - first.length;
  const { rows } = layOutTable(columns, first.map(toRow), {
    style,
    width: width === undefined ? undefined : width - 2,
  });
  return [
    style.bold(question),
    style.dim(`  ${query}`),
    ...rows.map((row) => `  ${row}`),
    `  ${0 < more ? `and ${formatNumber(more)} more` : `${formatNumber(count)} in all`}. ${tells}`,
  ];
}

const columns: readonly Column[] = [
  { name: 'time' },
  { name: 'level' },
  { name: 'code', align: 'right' },
  { name: 'source', canShrink: true },
  { name: 'message' },
];

function toRow({ log }: StoredLog): string[] {
  const time = log.time === undefined ? '' : formatTime(log.time).slice(5, 19);
  return [time, log.logLevel ?? '', String(log.logCode ?? ''), log.source ?? '', log.msg ?? ''];
}

/** Three command lines that work as printed, in this order, in the folder of the demo. */
export function tourCommands(path: string | undefined): readonly [string, string, string] {
  const file = path ?? 'incident.duckdb';
  const search = `npx logquarry search 'logLevel:SEVERE AND NOT source:Sharing' ${file}`;
  const check = `npx logquarry check 'logLevel:SEVERE OR logLevel:WARNING AND msg:"timed out"'`;
  if (path === undefined) return [check, `npx logquarry demo --keep ${file}`, search];
  const sql = `npx logquarry sql 'SELECT username, count(*) AS failed FROM logs WHERE logCode = 9003 GROUP BY username ORDER BY failed DESC' ${file}`;
  return [check, search, sql];
}
