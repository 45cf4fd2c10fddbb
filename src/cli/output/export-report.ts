import { existsSync } from 'node:fs';
import { type Case, exportedLogs, summary } from '../../case/index.ts';
import {
  type ExportOutcome,
  type ExportPlan,
  type ExportProgress,
  type ExportResult,
  openStart,
  type WindowGap,
  type WindowsProgress,
  type WindowsResult,
} from '../../export/index.ts';
import { defaultLogs, type ExportRequest, maxLogs } from '../../protocol/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import {
  displayProgress,
  formatAmount,
  formatCount,
  formatDuration,
  formatNumber,
  type Progress,
  type ProgressDisplay,
  printEventLines,
} from '../terminal/progress.ts';
import type { OutputStyle, Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatRange, formatTime, zoneNote } from '../terminal/time-format.ts';
import { shortOverview } from './overview.ts';
import { entryNoteLines, partRemarks } from './part-table.ts';
import { quoteForShell, shellWord } from './shell-word.ts';

/** What is shown of an export, and how. */
export interface ExportReportOptions {
  /** Path of the case. */
  readonly path: string;
  /** True if the case is created unless it exists. */
  readonly isNew: boolean;
  readonly json: boolean;
  /** Prints all events too, each as a line. */
  readonly ndjson: boolean;
  readonly zone: TimeZone | undefined;
  /** The request of an export of one call, if it is a new one. */
  readonly request: ExportRequest | undefined;
  /** The words of a command line that reach the deployment. */
  readonly connection: readonly string[];
  readonly terminal: Terminal;
}

/** Shows an export while it runs, and its end. */
export interface ExportReport {
  readonly onProgress: (progress: ExportProgress | WindowsProgress) => void;
  /** Prints the result, and returns the exit code. */
  readonly finish: (outcome: ExportOutcome, into: Case) => Promise<ExitCode>;
  /** Says how to go on after an error. */
  readonly fail: (error: unknown) => void;
  /** Clears the display; says if no case was created. */
  readonly end: () => void;
}

/** Reports an export on a terminal. */
export function reportExport(options: ExportReportOptions): ExportReport {
  const { isNew, ndjson, path, zone, terminal } = options;
  const display = displayProgress(terminal);
  const showCall = showExportProgress(terminal, display);
  const showWindows = showWindowsProgress(terminal, display, zone);
  const lines = printEventLines(terminal);
  let kind: ExportOutcome['kind'] | undefined;
  return {
    onProgress(progress) {
      if ('event' in progress) {
        if (progress.event === 'begun') kind = 'windows';
        if (ndjson) lines.add(progress);
        showWindows(progress);
      } else {
        if (progress.stage === 'submitted') kind = 'newest';
        if (ndjson) lines.add(eventOf(progress));
        showCall(progress);
      }
    },
    async finish(outcome, into) {
      await lines.printed();
      display.end();
      return outcome.kind === 'newest'
        ? await reportResult(outcome.result, into, options)
        : await reportWindowsResult(outcome.result, into, options);
    },
    fail(error) {
      if (kind === 'windows')
        terminal.message(isRefused(error) ? changeWhat(error, options) : howToGoOn(options));
      if (kind === 'newest' && isUnfinished(error)) terminal.message(howToGoOn(options));
    },
    end() {
      display.end();
      if (isNew && !existsSync(path))
        terminal.message(`"${escapeUnsafe(path)}" was not created, because there was nothing to store.`);
    },
  };
}

async function reportResult(
  result: ExportResult,
  into: Case,
  { path, request, json, ndjson, zone, terminal }: ExportReportOptions,
): Promise<ExitCode> {
  const { logs, bytes, sha256, jobId, parts, gaps } = result;
  // A request for fewer logs than an export can return is complete with them.
  const isRequested = logs + result.unreadable < maxLogs;
  const missing = gaps.filter(({ kind }) => kind !== 'capped' || !isRequested);
  const complete = missing.length === 0;
  const verdict = verdictOf({ complete: gaps.length === 0, gaps, doubts: result.doubts });
  const report = { case: path, ...result, complete, gaps: missing, verdict };
  if (ndjson) await terminal.print(`${toJson({ event: 'result', ...report })}\n`);
  else if (json) await terminal.print(`${toJson(report, 2)}\n`);
  else {
    const zip = `${formatAmount(bytes, 'B')}, SHA-256 ${sha256}`;
    await terminal.print(
      `Exported ${formatCount(logs, 'log')} to "${escapeUnsafe(path)}" (job ${escapeUnsafe(jobId)}, zip of ${zip}).\n`,
    );
  }
  if (logs === 0) terminal.message('The export is empty: no logs match the request.');
  for (const line of partRemarks(parts, { isKept: true })) terminal.message(line);
  for (const { message } of gaps.filter(({ kind }) => kind === 'short')) {
    terminal.message(
      `${terminal.stderr.style.red('INCOMPLETE')}: ${escapeUnsafe(message)}; without --num all of them are exported.`,
    );
  }
  for (const line of entryNoteLines(result.notes)) terminal.message(line);
  const isSaid = parts.some(({ problem }) => problem);
  for (const { kind, message } of missing)
    if (kind === 'entry' && !isSaid)
      terminal.message(`${terminal.stderr.style.red('INCOMPLETE')}: ${escapeUnsafe(message)}`);
  for (const { message } of gaps.filter(({ kind }) => kind === 'capped')) {
    const isNewestFirst = request?.sortBy === 'time' && request.sortOrder === 'desc';
    const oldest = isNewestFirst ? await oldestTime(into, jobId) : undefined;
    const where = oldest === undefined ? '' : ` older than ${formatTime(oldest, zone)}${zoneNote(zone)}`;
    sayCapped(`${escapeUnsafe(message)}${where}`, { isRequested, terminal });
  }
  for (const line of doubtLines({ complete: gaps.length === 0, doubts: result.doubts }))
    terminal.message(line);
  if (0 < logs && !json && !ndjson)
    for (const line of await shortOverview(into, { zone, isComplete: complete })) terminal.message(line);
  return complete ? exitCodes.done : exitCodes.incomplete;
}

/** The oldest time of the logs of a job, milliseconds since the epoch. */
async function oldestTime(from: Case, job: string): Promise<number | undefined> {
  const logs = await exportedLogs(from, { oldest: openStart, newest: -openStart, job });
  return logs.reduce<number | undefined>(
    (oldest, { log: { time = oldest } }) =>
      oldest === undefined || (time !== undefined && time < oldest) ? time : oldest,
    undefined,
  );
}

function sayCapped(
  reason: string,
  { isRequested, terminal }: { isRequested: boolean; terminal: Terminal },
): void {
  const { message, stderr } = terminal;
  const advice = `${stderr.style.red('INCOMPLETE')}: ${reason}; narrow it with --from, --to and filters.`;
  message(isRequested ? `${reason}.` : advice);
}

async function reportWindowsResult(
  result: WindowsResult,
  into: Case,
  options: ExportReportOptions,
): Promise<ExitCode> {
  const { json, ndjson, zone, terminal } = options;
  const { logs, added, windows, complete, gaps } = result;
  const verdict = verdictOf(result);
  if (ndjson) await terminal.print(`${toJson({ event: 'result', case: into.path, ...result, verdict })}\n`);
  else if (json) await terminal.print(`${toJson({ case: into.path, ...result, verdict }, 2)}\n`);
  else await terminal.print(`${await addedText(into, added)}: ${detailsOf(result)}.\n`);
  if (result.counted !== undefined)
    terminal.message(`The deployment reports ${formatCount(result.counted, 'log')}.`);
  if (logs === 0 && complete) terminal.message(windows === 0 ? nothingAsked : nothingNew);
  for (const line of entryNoteLines(result.notes)) terminal.message(line);
  for (const gap of gaps.slice(0, shownGaps)) sayGap(gap, { terminal, zone });
  if (shownGaps < gaps.length) {
    terminal.message(
      `… and ${formatNumber(gaps.length - shownGaps)} more: logquarry coverage ${shellWord(into.path)}`,
    );
  }
  const hasFailed = gaps.some(({ kind }) => kind === 'failed');
  if (hasFailed) terminal.message(howToGoOn(options));
  for (const line of doubtLines(result)) terminal.message(line);
  if (0 < logs && !json && !ndjson)
    for (const line of await shortOverview(into, { zone, isComplete: complete })) terminal.message(line);
  if (complete) return exitCodes.done;
  return hasFailed ? exitCodes.deploymentFailed : exitCodes.incomplete;
}

/** The verdict of one run in a sentence: how far its logs are proved to be all, or that some are missing. */
function verdictOf({ complete, gaps, doubts }: Verdict & { readonly gaps: readonly unknown[] }): string {
  if (!complete) return `Not complete: ${formatCount(gaps.length, 'gap')}.`;
  return doubtLines({ complete, doubts })[0] ?? 'Complete.';
}

type Verdict = Pick<WindowsResult, 'complete' | 'doubts'>;

/** What an export proves and what it does not. The first doubt is that of each export: it says how much was proved. */
function doubtLines({ complete, doubts }: Verdict): readonly string[] {
  return doubts.map(({ message }, index) => {
    const what = complete && index === 0 ? 'Complete, as far as can be proved' : 'Not proved';
    return `${what}: ${escapeUnsafe(message)}.`;
  });
}

/** The calls of a run, and what came of all runs of its export where others have added logs. */
function detailsOf({ logs, added, windows, calls, bytes }: WindowsResult): string {
  const made = [formatCount(windows, 'window'), `zips of ${formatAmount(bytes, 'B')}`];
  const [first = '', ...others] = made;
  return added === logs
    ? [first, formatCount(calls, 'call'), ...others].join(', ')
    : `${formatCount(calls, 'call')}; with earlier runs ${[formatCount(logs, 'log'), ...made].join(', ')}`;
}

async function addedText(into: Case, added: number): Promise<string> {
  const earlier = (await summary(into)).logs - added;
  const text = `Added ${formatCount(added, 'log')} to "${escapeUnsafe(into.path)}"`;
  return 0 < earlier
    ? `${text} (${formatNumber(earlier)} ${earlier === 1 ? 'was' : 'were'} already there)`
    : text;
}

const nothingAsked = 'The case already has all of it, so nothing was requested.';
const nothingNew = 'The export is empty: no logs match the request, or the case already has them.';

/** Number of gaps reported one by one. */
const shownGaps = 20;

function sayGap(
  { kind, oldest, newest, slice, missing, reason }: WindowGap,
  {
    terminal: { message, stderr },
    zone,
  }: { readonly terminal: Terminal; readonly zone: TimeZone | undefined },
): void {
  const when =
    oldest === newest
      ? `${formatTime(oldest, zone)}${zoneNote(zone)}`
      : formatRange({ oldest, newest }, zone);
  const where = `${when}${slice === undefined ? '' : `, ${escapeUnsafe(slice)}`}`;
  const known = missing === undefined ? 'not proved complete' : `at least ${formatNumber(missing)} missing`;
  const what = kind === 'failed' ? 'not exported yet' : known;
  message(`${stderr.style.red('INCOMPLETE')}: ${where}: ${what}: ${escapeUnsafe(reason)}`);
}

function howToGoOn(options: ExportReportOptions): string {
  return `To resume the export: ${resumeCommand(options)}`;
}

/** The whole command that resumes an export. */
function resumeCommand({ connection, path }: ExportReportOptions, ...more: readonly string[]): string {
  return ['logquarry export', ...connection.map(quoteForShell), '--resume', shellWord(path), ...more].join(
    ' ',
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'REFUSED';
}

/** Advice after a refusal, which only other request settings can overcome. */
function changeWhat(error: unknown, options: ExportReportOptions): string {
  const cap = capNamedIn(error instanceof Error ? error.message : '') ?? defaultLogs;
  return `If "num" was refused, try fewer logs per call: ${resumeCommand(options, '--cap', String(cap))}`;
}

/** The largest number of logs a call that a refusal names; undefined if it names none. */
function capNamedIn(message: string): number | undefined {
  const [, named] =
    /\b(?:num|limit|max(?:imum)?|most|exceed\w*|up to|to)\b\D{0,30}?(\d{1,3}(?:,\d{3})+|\d+)(?!\d)(?! to)/i.exec(
      message,
    ) ?? [];
  const cap = Number(named?.replaceAll(',', ''));
  return Number.isInteger(cap) && 0 < cap && cap < maxLogs ? cap : undefined;
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

/** Reports the progress of an export: lasting changes as messages, the rest as a status line. */
export function showExportProgress(
  { message }: Pick<Terminal, 'message'>,
  display: ProgressDisplay,
): (progress: ExportProgress) => void {
  let trouble: string | undefined;
  return (progress) => {
    if (progress.stage === 'submitted')
      message(`Export job ${escapeUnsafe(progress.jobId)} is running at the deployment.`);
    if (progress.stage === 'damaged') {
      message(`The zip is damaged; downloading it again: ${escapeUnsafe(progress.reason)}`);
    }
    if (progress.stage === 'waiting' && progress.trouble !== trouble) {
      trouble = progress.trouble;
      if (trouble !== undefined)
        message(`The status of the job is not available; retrying: ${escapeUnsafe(trouble)}`);
    }
    const state = stateOf(progress);
    if (state) display.update(state);
  };
}

function stateOf(progress: ExportProgress): Progress | undefined {
  switch (progress.stage) {
    case 'submitting':
      return { doing: 'Submitting the export' };
    case 'waiting':
      return { doing: `Waiting for the job (${escapeUnsafe(progress.status)})` };
    case 'downloading':
      return { doing: 'Downloading', done: progress.bytes, unit: 'B' };
    case 'loading':
      return { doing: 'Loading', done: progress.logs + progress.unreadable, unit: 'logs' };
    default:
      return undefined;
  }
}

/** Reports the progress of a windowed export: lasting changes as messages, the rest as a status line. */
export function showWindowsProgress(
  { message }: Pick<Terminal, 'message'>,
  display: ProgressDisplay,
  zone?: TimeZone,
): (progress: WindowsProgress) => void {
  let isAtWork = false;
  let trouble: string | undefined;
  return (progress) => {
    switch (progress.event) {
      case 'begun': {
        const { resumed, oldest, newest } = progress;
        if (resumed) message(`Resuming the export of ${formatRange({ oldest, newest }, zone)}.`);
        display.update({ doing: 'Exporting' });
        return;
      }
      case 'window':
        if (!isAtWork && progress.state === 'submitted' && progress.job !== undefined) {
          isAtWork = true;
          message(`Export job ${escapeUnsafe(progress.job)} is running at the deployment.`);
        }
        return;
      case 'trouble':
        if (progress.message !== trouble) message(`Retrying: ${escapeUnsafe(progress.message)}`);
        trouble = progress.message;
        return;
      case 'totals':
        display.update(stateOfWindows(progress));
    }
  };
}

function stateOfWindows({
  windows,
  underWay,
  bytes,
  logs,
  remaining,
}: Extract<WindowsProgress, { event: 'totals' }>) {
  const notes = [
    formatCount(windows, 'window'),
    formatAmount(bytes, 'B'),
    `${formatCount(underWay, 'job')} running`,
  ];
  return {
    doing: 'Exporting',
    done: logs,
    unit: 'logs',
    note: notes.join(', '),
    // Not complete before the last job is.
    ...(remaining !== undefined && { total: Math.max(logs + remaining, logs + Math.min(1, underWay)) }),
  };
}

/** Number of windows shown; the rest is counted. */
const shownWindows = 10;

/** Formats the plan of an export. */
export function exportPlanText(plan: ExportPlan, { style }: OutputStyle, zone?: TimeZone): string {
  const { logs, calls, leastCalls, bytes, milliseconds, exact, samples, windows } = plan;
  const time = style.bold(formatRange(plan, zone));
  if (plan.asked.length === 0) return `${time}\nThe case already has all of it.\n`;
  const isKnown = plan.most <= 2 * plan.least;
  const about = exact ? '' : 'about ';
  const parameters = Object.entries(plan.parameters).map(
    ([name, value]) => `  ${name}: ${escapeUnsafe(value)}`,
  );
  return [
    time,
    ...(isKnown
      ? [
          `${about}${formatCount(logs, 'log')}`,
          `about ${formatCount(calls, 'call')} (at least ${formatNumber(leastCalls)}), about ${formatDuration(milliseconds)}`,
          `about ${formatAmount(bytes, 'B')} on disk`,
        ]
      : [
          `between ${formatNumber(plan.least)} and ${formatCount(plan.most, 'log')}: the samples differ widely`,
        ]),
    '',
    style.bold('Parameters of every call'),
    ...parameters,
    plan.residual ? 'The returned logs are filtered here by the whole query.' : '',
    ...plan.reasons.map(({ parameter, reason }) => `  ${parameter}: ${escapeUnsafe(reason)}`),
    '',
    style.bold('Windows, newest first'),
    ...windows
      .slice(0, shownWindows)
      .map((window) => `  ${formatTime(window.oldest, zone)} to ${formatTime(window.newest, zone)}`),
    ...(shownWindows < windows.length ? [`  … ${formatNumber(windows.length - shownWindows)} more`] : []),
    '',
    `Estimated from ${formatCount(samples.calls, 'call')} of at most ${samples.logs} logs each; nothing was exported.`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}
