import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Case,
  countLogs,
  findLogs,
  openCase,
  runSql,
  type SqlResult,
  type StoredLog,
} from '../../case/index.ts';
import { parse, resolve } from '../../language/index.ts';
import type { CommandCall, CommandSpec, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { temporaryFolder } from '../command-line/write-output.ts';
import { type ExportedIncident, exportIncident, incidentLength } from '../loading/export-incident.ts';
import { sqlTable } from '../output/sql-table.ts';
import { type Column, layOutTable } from '../output/table.ts';
import type { demoSpec } from '../specs/deployment-specs.ts';
import { formatAmount, formatDuration, formatNumber } from '../terminal/progress.ts';
import { type OutputStyle, parentExitSignal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';
import { servePage } from '../ui/serve-page.ts';

/** Returns the command `demo`: it exports an incident and searches it, or shows it in the page. `specs` are those of all commands. */
export function demoCommandOf(specs: readonly CommandSpec[]): RunCommand<typeof demoSpec> {
  return (call) => runDemo(call, specs);
}

async function runDemo(
  { options, terminal }: CommandCall<typeof demoSpec>,
  specs: readonly CommandSpec[],
): Promise<ExitCode> {
  const { keep, json, ui } = options;
  if (keep !== undefined && existsSync(keep)) throw new UsageError(`The file "${keep}" already exists`);
  const signal = AbortSignal.any([terminal.interruption(), parentExitSignal()]);
  const started = performance.now();
  await using folder = await temporaryFolder();
  const path = keep ?? join(folder.path, 'incident.duckdb');
  const exported = await exportIncident(path, { signal, terminal });
  if (ui) {
    const options = { given: [path], port: 0, noOpen: false, logZone: 'UTC', json };
    return await servePage({ ...options, specs, terminal });
  }
  const found = await searchCase(path, signal);
  const took = performance.now() - started;
  const tour: Tour = { ...exported, ...found, ...(keep !== undefined && { case: keep }), took };
  await terminal.print(json ? `${toJson(tour, 2)}\n` : tourText(tour, terminal.stdout));
  return exitCodes.done;
}

/** The number of logs shown for each answer. */
const shown = 3;

async function searchCase(path: string, signal: AbortSignal): Promise<TourFindings> {
  const searches: TourAnswer[] = [];
  {
    await using logs = await openCase(path, { access: 'read' });
    for (const search of tourSearches) {
      signal.throwIfAborted();
      searches.push(await answer(logs, search));
    }
  }
  const result = await runSql(path, tourSql.sql, { signal });
  return { searches, sql: { ...tourSql, ...result } };
}

async function answer(logs: Case, search: TourSearch): Promise<TourAnswer> {
  const filter = resolve(parse(search.query).query);
  const count = await countLogs(logs, filter);
  return { ...search, count, first: await findLogs(logs, filter, { limit: shown, order: 'oldest' }) };
}

/** A question of the demo and the search that answers it. */
interface TourSearch {
  readonly question: string;
  readonly query: string;
  /** Conclusion from the answer. */
  readonly tells: string;
}

/** From the symptoms to the cause. */
const tourSearches: readonly TourSearch[] = [
  {
    question: 'What did users notice?',
    query: 'msg:"timed out" AND logCode:[9000 TO 9999]',
    tells: 'Requests wait half a minute for a database connection and then fail.',
  },
  {
    question: 'What was the cause?',
    query: 'msg:"password authentication failed" OR msg:"run dry"',
    tells: 'New connections fail because the password is refused, until the pool is exhausted.',
  },
  {
    question: 'What was changed before?',
    query: '"Updated Kubernetes Secret" AND logCode:1312',
    tells: 'The password was rotated hours before, and the services kept using the old one.',
  },
];

/** An evaluation beyond the search language: the course of the incident. */
const tourSql = {
  question: 'How did the incident develop?',
  sql: `SELECT strftime(time_bucket(INTERVAL 30 MINUTE, time), '%Y-%m-%d %H:%M') AS "from",
  count(*) FILTER (logCode = 9003) AS "timed out",
  count(DISTINCT username) FILTER (logCode = 9003) AS users,
  count(*) FILTER (logCode = 217041) AS comments,
  bar(count(*) FILTER (logCode = 9003), 0, 150, 30) AS "of 150"
FROM logs GROUP BY 1 HAVING "timed out" > 0 OR comments > 0 ORDER BY 1`,
} as const;

/** Results of the demo. */
interface Tour extends ExportedIncident, TourFindings {
  /** The case file, if it is kept. */
  readonly case?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Results of the searches. */
interface TourFindings {
  readonly searches: readonly TourAnswer[];
  readonly sql: typeof tourSql & SqlResult;
}

/** A search of the demo, its number of hits, and the first of them. */
interface TourAnswer extends TourSearch {
  readonly count: number;
  readonly first: readonly StoredLog[];
}

/** Formats the results of the demo. */
function tourText(tour: Tour, face: OutputStyle): string {
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

function answerText(
  { question, query, count, first, tells }: TourAnswer,
  { style, width }: OutputStyle,
): string[] {
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
function tourCommands(path: string | undefined): readonly [string, string, string] {
  const file = path ?? 'incident.duckdb';
  const search = `npx logquarry search 'logLevel:SEVERE AND NOT source:Sharing' ${file}`;
  const check = `npx logquarry check 'logLevel:SEVERE OR logLevel:WARNING AND msg:"timed out"'`;
  if (path === undefined) return [check, `npx logquarry demo --keep ${file}`, search];
  const sql = `npx logquarry sql 'SELECT username, count(*) AS failed FROM logs WHERE logCode = 9003 GROUP BY username ORDER BY failed DESC' ${file}`;
  return [check, search, sql];
}
