import { type Case, openCase, runSql, type StoredPart } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import { type ExportProgress, type ExportResult, resumeExport, runExport } from '../../export/index.ts';
import { type ExportRequest, maxLogs } from '../../protocol/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { entryNoteLines } from '../output/entry-note-lines.ts';
import { partRemarks } from '../output/part-table.ts';
import { shellWord } from '../output/shell-word.ts';
import { shortOverview } from '../overview/short-overview.ts';
import type { exportSpec } from '../specs/logs.ts';
import { printEventLines } from '../terminal/event-lines.ts';
import { escapeUnsafe, toJson } from '../terminal/printable.ts';
import { displayProgress, formatAmount, formatCount } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatTime, zoneNote } from '../terminal/time-format.ts';
import type { ExportCases } from './export-cases.ts';
import { showExportProgress } from './export-progress.ts';

/** An export of one call: a new request, or the interrupted call of a case. */
export interface NewestExport {
  readonly path: string;
  readonly request: ExportRequest | undefined;
  readonly options: Options;
  readonly terminal: Terminal;
  readonly cases: ExportCases;
}

/** Exports the logs of one call into a case and reports the result. */
export async function exportNewest(client: Client, wanted: NewestExport): Promise<ExitCode> {
  const { path, request, options, terminal } = wanted;
  const signal = terminal.interruption();
  const result = await exportInto(wanted, {
    client,
    request,
    signal,
    zone: options.logZone,
    maxWait: options.maxWait,
  });
  return await reportResult(result, { path, request, options, terminal });
}

type Options = CommandCall<typeof exportSpec>['options'];

async function exportInto(
  { path, options: { ndjson }, terminal, cases }: NewestExport,
  work: Omit<Work, 'into'>,
): Promise<ExportResult> {
  const go = (into: Case) => follow({ ...work, into }, { ndjson, terminal });
  if (work.request) return await cases.fill(path, { terminal }, go);
  return await cases.use(path, go);
}

interface Work {
  readonly client: Client;
  readonly into: Case;
  /** Absent: resumes the interrupted export of the case. */
  readonly request: ExportRequest | undefined;
  readonly signal: AbortSignal;
  readonly maxWait: number | undefined;
  readonly zone: string | undefined;
}

async function follow(
  { request, ...work }: Work,
  { ndjson, terminal }: { readonly ndjson: boolean; readonly terminal: Terminal },
): Promise<ExportResult> {
  const display = displayProgress(terminal);
  const show = showExportProgress(terminal, display);
  const lines = printEventLines(terminal);
  let submitted = false;
  const onProgress: typeof show = (progress) => {
    submitted ||= progress.stage === 'submitted';
    if (ndjson) lines.add(eventOf(progress));
    show(progress);
  };
  try {
    const result = await (request
      ? runExport({ ...work, request, onProgress })
      : resumeExport({ ...work, onProgress }));
    await lines.printed();
    return result;
  } catch (error) {
    if (submitted && isUnfinished(error)) {
      terminal.say(`To resume the export: logquarry export --resume ${shellWord(work.into.path)} …`);
    }
    throw error;
  } finally {
    display.end();
  }
}

/** Progress events for programs, without byte counts. */
function eventOf(progress: ExportProgress): object | undefined {
  switch (progress.stage) {
    case 'submitted':
      return { event: 'submitted', job: progress.jobId };
    case 'damaged':
      return { event: 'trouble', message: progress.reason };
    default:
      return undefined;
  }
}

/** True if the job itself has not failed. */
function isUnfinished(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code !== 'JOB_FAILED' && code !== 'DAMAGED_ZIP';
}

interface Reported {
  readonly path: string;
  readonly request: ExportRequest | undefined;
  readonly options: Options;
  readonly terminal: Terminal;
}

async function reportResult(
  result: ExportResult,
  { path, request, options, terminal }: Reported,
): Promise<ExitCode> {
  const { logs, bytes, sha256, jobId, parts, gaps } = result;
  // A request for fewer logs than an export can return is complete with them.
  const asked = logs + result.unreadable < maxLogs;
  const missing = gaps.filter(({ kind }) => kind !== 'capped' || !asked);
  const complete = missing.length === 0;
  const report = { case: path, ...result, complete, gaps: missing };
  if (options.ndjson) await terminal.print(`${toJson({ event: 'result', ...report })}\n`);
  else if (options.json) await terminal.print(`${toJson(report, 2)}\n`);
  else {
    const zip = `${formatAmount(bytes, 'B')}, SHA-256 ${sha256}`;
    await terminal.print(
      `Exported ${formatCount(logs, 'log')} to "${escapeUnsafe(path)}" (job ${escapeUnsafe(jobId)}, zip of ${zip}).\n`,
    );
  }
  if (logs === 0) terminal.say('The export is empty: no logs match the request.');
  for (const line of partRemarks(parts, { isKept: true })) terminal.say(line);
  for (const { message } of gaps.filter(({ kind }) => kind === 'short')) {
    terminal.say(
      `${terminal.talk.style.red('INCOMPLETE')}: ${escapeUnsafe(message)}; without --num all of them are exported.`,
    );
  }
  for (const line of entryNoteLines(result.notes)) terminal.say(line);
  const isSaid = parts.some(({ problem }) => problem);
  for (const { kind, message } of missing)
    if (kind === 'entry' && !isSaid)
      terminal.say(`${terminal.talk.style.red('INCOMPLETE')}: ${escapeUnsafe(message)}`);
  for (const { message } of gaps.filter(({ kind }) => kind === 'capped')) {
    const isNewestFirst = request?.sortBy === 'time' && request.sortOrder === 'desc';
    const oldest = isNewestFirst ? await oldestTime(path, parts) : undefined;
    const where =
      oldest === undefined ? '' : ` older than ${formatTime(oldest, options.zone)}${zoneNote(options.zone)}`;
    sayCapped(`${escapeUnsafe(message)}${where}`, { asked, terminal });
  }
  if (0 < logs && !options.json && !options.ndjson) {
    await using from = await openCase(path, { access: 'read' });
    for (const line of await shortOverview(from, options.zone)) terminal.say(line);
  }
  return complete ? exitCodes.done : exitCodes.incomplete;
}

/** The oldest time in parts, milliseconds since the epoch. */
async function oldestTime(path: string, parts: readonly StoredPart[]): Promise<number | undefined> {
  const numbers = parts.map(({ part }) => part).join(', ');
  const { rows } = await runSql(path, `SELECT epoch_ms(min(time)) FROM logs WHERE part IN (${numbers})`);
  const oldest = rows[0]?.[0];
  return typeof oldest === 'number' ? oldest : undefined;
}

function sayCapped(message: string, { asked, terminal }: { asked: boolean; terminal: Terminal }): void {
  const { say, talk } = terminal;
  const advice = `${talk.style.red('INCOMPLETE')}: ${message}; narrow it with --from, --to and filters.`;
  say(asked ? `${message}.` : advice);
}
