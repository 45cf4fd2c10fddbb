import { type Case, summary } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import {
  type ExportOrder,
  exportWindows,
  resumeWindows,
  retryGaps,
  type Window,
  type WindowGap,
  type WindowsOptions,
  type WindowsProgress,
  type WindowsResult,
} from '../../export/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { entryNoteLines } from '../output/entry-note-lines.ts';
import { shellWord } from '../output/shell-word.ts';
import { shortOverview } from '../overview/short-overview.ts';
import type { exportSpec } from '../specs/logs.ts';
import { printEventLines } from '../terminal/event-lines.ts';
import { escapeUnsafe, toJson } from '../terminal/printable.ts';
import { displayProgress, formatAmount, formatCount, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatRange, formatTime, zoneNote } from '../terminal/time-format.ts';
import { requestSettingsFrom } from './export-order.ts';
import { showWindowsProgress } from './windows-progress.ts';

/** Context of a windowed export: client, case, options, terminal. */
export interface WindowsWork {
  readonly client: Client;
  readonly into: Case;
  readonly options: CommandCall<typeof exportSpec>['options'];
  readonly terminal: Terminal;
}

/** Exports all logs of an order into a case and reports the result. */
export function runWindowsExport(
  work: WindowsWork,
  order: { readonly order: ExportOrder; readonly repeat?: Window },
): Promise<ExitCode> {
  return follow(work, (options) => exportWindows({ ...options, ...order }));
}

/** Resumes the export of a case and reports the result. */
export function resumeWindowsExport(work: WindowsWork): Promise<ExitCode> {
  return follow(work, (options) =>
    resumeWindows({ ...options, requestSettings: requestSettingsFrom(work.options) }),
  );
}

/** Requests the gaps of the export of a case again and reports the result. */
export function retryWindowsGaps(work: WindowsWork): Promise<ExitCode> {
  return follow(work, (options) =>
    retryGaps({ ...options, requestSettings: requestSettingsFrom(work.options) }),
  );
}

async function follow(
  work: WindowsWork,
  run: (options: WindowsOptions) => Promise<WindowsResult>,
): Promise<ExitCode> {
  const { client, into, options, terminal } = work;
  const { jobs, maxWait, ndjson } = options;
  const display = displayProgress(terminal);
  const show = showWindowsProgress(terminal, display, options.zone);
  let isBegun = false;
  const lines = printEventLines(terminal);
  const onProgress = (progress: WindowsProgress) => {
    isBegun ||= progress.event === 'begun';
    if (ndjson) lines.add(progress);
    show(progress);
  };
  try {
    const signal = terminal.interruption();
    const result = await run({ client, into, jobs, maxWait, onProgress, signal });
    await lines.printed();
    display.end();
    return await reportResult(result, work);
  } catch (error) {
    if (isBegun) terminal.say(isRefused(error) ? changeWhat(into.path) : howToGoOn(into.path));
    throw error;
  } finally {
    display.end();
  }
}

function howToGoOn(path: string): string {
  return `To resume the export: logquarry export --resume ${shellWord(path)} …`;
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'REFUSED';
}

/** Advice after a refusal, which only other request settings can overcome. */
function changeWhat(path: string): string {
  return `If "num" was refused, try fewer logs per call: logquarry export --resume ${shellWord(path)} --cap N …`;
}

async function reportResult(
  result: WindowsResult,
  { into, options, terminal }: WindowsWork,
): Promise<ExitCode> {
  const { logs, bytes, windows, calls, complete, gaps } = result;
  if (options.ndjson) await terminal.print(`${toJson({ event: 'result', case: into.path, ...result })}\n`);
  else if (options.json) await terminal.print(`${toJson({ case: into.path, ...result }, 2)}\n`);
  else {
    const details = `${formatCount(windows, 'window')}, ${formatCount(calls, 'call')}, zips of ${formatAmount(bytes, 'B')}`;
    await terminal.print(`${await addedText(into, logs)}: ${details}.\n`);
  }
  if (result.counted !== undefined)
    terminal.say(`The deployment reports ${formatCount(result.counted, 'log')}.`);
  if (logs === 0 && complete) terminal.say(windows === 0 ? nothingAsked : nothingNew);
  for (const line of entryNoteLines(result.notes)) terminal.say(line);
  for (const gap of gaps.slice(0, shownGaps)) sayGap(gap, { terminal, zone: options.zone });
  if (shownGaps < gaps.length) {
    terminal.say(
      `… and ${formatNumber(gaps.length - shownGaps)} more: logquarry coverage ${shellWord(into.path)}`,
    );
  }
  const hasFailed = gaps.some(({ kind }) => kind === 'failed');
  if (hasFailed) terminal.say(howToGoOn(into.path));
  if (0 < logs && !options.json && !options.ndjson)
    for (const line of await shortOverview(into, options.zone)) terminal.say(line);
  if (complete) return exitCodes.done;
  return hasFailed ? exitCodes.deploymentFailed : exitCodes.incomplete;
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
  { terminal: { say, talk }, zone }: { readonly terminal: Terminal; readonly zone: TimeZone },
): void {
  const when =
    oldest === newest
      ? `${formatTime(oldest, zone)}${zoneNote(zone)}`
      : formatRange({ oldest, newest }, zone);
  const where = `${when}${slice === undefined ? '' : `, ${escapeUnsafe(slice)}`}`;
  const known = missing === undefined ? 'not proved complete' : `at least ${formatNumber(missing)} missing`;
  const what = kind === 'failed' ? 'not exported yet' : known;
  say(`${talk.style.red('INCOMPLETE')}: ${where}: ${what}: ${escapeUnsafe(reason)}`);
}
