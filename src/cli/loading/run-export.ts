import { type Case, openCase, runSql, type StoredPart, summary } from '../../case/index.ts';
import { type Client, deploymentTime, openClient } from '../../client/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import { createDeployment, incidentLogs, type Served, serveDeployment } from '../../emulator/index.ts';
import {
  ExportError,
  type ExportOrder,
  type ExportPlan,
  type ExportProgress,
  type ExportResult,
  exportWindows,
  orderSinceLast,
  planExport,
  resumeExport,
  resumeWindows,
  retryGaps,
  runExport as runNewestExport,
  type Window,
  type WindowGap,
  type WindowsOptions,
  type WindowsProgress,
  type WindowsResult,
  withRequestSettings,
} from '../../export/index.ts';
import { addressesOf, type ExportRequest, maxLogs, newestLogsRequest } from '../../protocol/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readConnection } from '../deployment/connection.ts';
import { shortOverview } from '../output/overview.ts';
import { entryNoteLines, partRemarks } from '../output/part-table.ts';
import { shellWord } from '../output/shell-word.ts';
import type { exportSpec } from '../specs/case-specs.ts';
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
import { type Face, rejectOnAbort, type Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';
import { formatRange, formatTime, zoneNote } from '../terminal/time-format.ts';
import {
  type ExportCases,
  exportOrderFrom,
  exportRequestFrom,
  requestSettingsFrom,
  requestTimes,
} from './export-order.ts';

/** Returns the command `export` on the given cases: it exports logs of a deployment into one of them. */
export function exportInto(cases: ExportCases): RunCommand<typeof exportSpec> {
  return (call) => runExport(call, cases);
}

async function runExport(
  { options, terminal }: CommandCall<typeof exportSpec>,
  cases: ExportCases,
): Promise<ExitCode> {
  const target = exportTargetFrom(options);
  const { originals } = options;
  if (isClusterAddress(target.path)) {
    const { exportCasePath, exportToCluster } = await import('./load-cluster.ts');
    const exportThere = (path: string) => exportTo({ ...target, path }, { options, terminal, cases });
    return options.plan
      ? await exportThere(exportCasePath(target.path, originals))
      : await exportToCluster(target.path, { originals, terminal }, exportThere);
  }
  if (originals !== undefined)
    throw new UsageError('--originals requires the address of a cluster: a case has its own folder');
  return await exportTo(target, { options, terminal, cases });
}

/** Exports into the case of a target. */
async function exportTo(
  target: ExportTarget,
  { options, terminal, cases }: Omit<Work, 'client'>,
): Promise<ExitCode> {
  const request = target.kind === 'new' ? exportRequestFrom(options, terminal) : undefined;
  if (request === 'refused') return exitCodes.no;
  const connection = await readConnection(options, terminal);
  await using client = openClient({ ...connection, maxRate: options.maxRate });
  await rejectOnAbort(client.signIn(), terminal.interruption());
  const work: Work = { client, options, terminal, cases };
  if (target.kind === 'resume') return await resume(work, target.path);
  if (target.kind === 'retry gaps') return await retry(work, target.path);
  if (request === undefined) return await exportNews(work, target.path);
  const now = await timeThere(work);
  if (options.num !== undefined) {
    const dated = { ...request, ...requestTimes(options, now) };
    return await exportNewest(client, { path: target.path, request: dated, options, terminal, cases });
  }
  const order = exportOrderFrom(options, request, { deployment: client.addresses.root, now });
  return await exportOrder(work, target.path, order);
}

/**
 * The current time of the deployment, milliseconds since the epoch. Reports a clock difference that
 * matters.
 */
async function timeThere({ client, terminal }: Work): Promise<number> {
  const { now, skew } = await deploymentTime(client, { signal: terminal.interruption() });
  if (tolerated < Math.abs(skew)) {
    const which = skew < 0 ? 'ahead of' : 'behind';
    terminal.say(
      `The clock of this machine is ${formatDuration(Math.abs(skew))} ${which} that of the deployment; "now" is the time of the deployment.`,
    );
  }
  // The end of a whole second: some deployments report times in seconds.
  return Math.floor(now / 1000) * 1000 - 1;
}

/**
 * Tolerated clock difference in milliseconds: the `Date` header has whole seconds, and a reply takes a
 * while.
 */
const tolerated = 5000;

type Options = CommandCall<typeof exportSpec>['options'];

interface Work {
  readonly client: Client;
  readonly options: Options;
  readonly terminal: Terminal;
  readonly cases: ExportCases;
}

/** An export order, and the time to request again although the case covers it. */
interface Wanted {
  readonly order: ExportOrder;
  readonly repeat?: Window;
}

async function exportOrder(work: Work, path: string, order: ExportOrder): Promise<ExitCode> {
  const { options, terminal } = work;
  const go = (into: Case) => exportOrPlan(work, into, { order });
  if (!options.plan) return await work.cases.fill(path, { memory: 'little', terminal }, go);
  await using from = await caseOf(path);
  return await go(from);
}

async function exportNews(work: Work, path: string): Promise<ExitCode> {
  const { plan, overlap = usualOverlap } = work.options;
  const go = async (into: Case) => {
    const { order, repeat } = await orderSinceLast(into, { now: await timeThere(work), overlap });
    const wanted = { order: withRequestSettings(order, requestSettingsFrom(work.options)), repeat };
    return await exportOrPlan(work, into, wanted);
  };
  if (!plan) return await work.cases.use(path, go);
  await using from = await openCase(path, { access: 'read' });
  return await go(from);
}

/** Runs an export in windows, or prints its plan. */
function exportOrPlan(work: Work, into: Case, wanted: Wanted): Promise<ExitCode> {
  return work.options.plan ? printPlan(work, into, wanted) : runWindowsExport({ ...work, into }, wanted);
}

/**
 * Default of `--overlap` in milliseconds: logs arrive within seconds, and ten minutes cover an
 * interruption.
 */
const usualOverlap = 600_000;

/** Resumes the export in windows of a case, or else its export of the newest logs. */
async function resume(work: Work, path: string): Promise<ExitCode> {
  const code = await resumeWindowsOf(work, path);
  return code ?? (await exportNewest(work.client, { ...work, path, request: undefined }));
}

function retry(work: Work, path: string): Promise<ExitCode> {
  return work.cases.use(path, (into) => retryWindowsGaps({ ...work, into }));
}

async function resumeWindowsOf(work: Work, path: string): Promise<ExitCode | undefined> {
  try {
    return await work.cases.use(path, (into) => resumeWindowsExport({ ...work, into }));
  } catch (error) {
    if (error instanceof ExportError && error.code === 'NOTHING_TO_RESUME') return undefined;
    throw error;
  }
}

async function printPlan({ client, options, terminal }: Work, into: Case, wanted: Wanted): Promise<ExitCode> {
  const { jobs, maxWait, json } = options;
  const signal = terminal.interruption();
  const planned = await planExport({ ...wanted, client, signal, jobs, maxWait, into });
  await terminal.print(
    json
      ? `${toJson(planned, 2)}\n`
      : wrapLines(exportPlanText(planned, terminal.data, options.zone), terminal.data.width),
  );
  return exitCodes.done;
}

/** Opens the case at a path, or an empty one in memory: a plan creates no file. */
async function caseOf(path: string): Promise<Case> {
  try {
    return await openCase(path, { access: 'read' });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'CASE_NOT_FOUND';
    if (isMissing) return await openCase(':memory:', { access: 'read' });
    throw error;
  }
}

type ExportTargetOptions = CommandCall<typeof exportSpec>['options'];

/** Purpose of an export, and the path of the case. */
interface ExportTarget {
  readonly kind: 'new' | 'resume' | 'retry gaps' | 'since last';
  readonly path: string;
}

/** Derives the purpose of an export from its options. */
function exportTargetFrom(options: ExportTargetOptions): ExportTarget {
  const { into, resume, retryGaps, sinceLast, plan, via, windowBy } = options;
  if (via === 'query' && windowBy === 'query')
    throw new UsageError(
      '--via query and --window-by query exclude each other: without a sent query there is none to put times into',
    );
  if (resume !== undefined) return { kind: 'resume', path: resume };
  if (retryGaps !== undefined) return { kind: 'retry gaps', path: retryGaps };
  if (sinceLast !== undefined) return { kind: 'since last', path: sinceLast };
  if (into !== undefined) return { kind: 'new', path: into };
  // A plan needs no case; an existing one reduces what is left to export.
  if (plan) return { kind: 'new', path: ':memory:' };
  throw new UsageError('--into CASE is required, or --resume CASE, --retry-gaps CASE or --since-last CASE');
}

/** An export of one call: a new request, or the interrupted call of a case. */
interface NewestExport {
  readonly path: string;
  readonly request: ExportRequest | undefined;
  readonly options: NewestExportOptions;
  readonly terminal: Terminal;
  readonly cases: ExportCases;
}

/** Exports the logs of one call into a case and reports the result. */
async function exportNewest(client: Client, wanted: NewestExport): Promise<ExitCode> {
  const { path, request, options, terminal } = wanted;
  const signal = terminal.interruption();
  const result = await exportNewestInto(wanted, {
    client,
    request,
    signal,
    zone: options.logZone,
    maxWait: options.maxWait,
  });
  return await reportResult(result, { path, request, options, terminal });
}

type NewestExportOptions = CommandCall<typeof exportSpec>['options'];

async function exportNewestInto(
  { path, options: { ndjson }, terminal, cases }: NewestExport,
  work: Omit<NewestExportWork, 'into'>,
): Promise<ExportResult> {
  const go = (into: Case) => follow({ ...work, into }, { ndjson, terminal });
  if (work.request) return await cases.fill(path, { terminal }, go);
  return await cases.use(path, go);
}

interface NewestExportWork {
  readonly client: Client;
  readonly into: Case;
  /** Absent: resumes the interrupted export of the case. */
  readonly request: ExportRequest | undefined;
  readonly signal: AbortSignal;
  readonly maxWait: number | undefined;
  readonly zone: string | undefined;
}

async function follow(
  { request, ...work }: NewestExportWork,
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
      ? runNewestExport({ ...work, request, onProgress })
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
  readonly options: NewestExportOptions;
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

/** Reports the progress of an export: lasting changes as messages, the rest as a status line. */
export function showExportProgress(
  { say }: Pick<Terminal, 'say'>,
  display: ProgressDisplay,
): (progress: ExportProgress) => void {
  let trouble: string | undefined;
  return (progress) => {
    if (progress.stage === 'submitted')
      say(`Export job ${escapeUnsafe(progress.jobId)} is running at the deployment.`);
    if (progress.stage === 'damaged') {
      say(`The zip is damaged; downloading it again: ${escapeUnsafe(progress.reason)}`);
    }
    if (progress.stage === 'waiting' && progress.trouble !== trouble) {
      trouble = progress.trouble;
      if (trouble !== undefined)
        say(`The status of the job is not available; retrying: ${escapeUnsafe(trouble)}`);
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

/** Context of a windowed export: client, case, options, terminal. */
interface WindowsWork {
  readonly client: Client;
  readonly into: Case;
  readonly options: CommandCall<typeof exportSpec>['options'];
  readonly terminal: Terminal;
}

/** Exports all logs of an order into a case and reports the result. */
function runWindowsExport(
  work: WindowsWork,
  order: { readonly order: ExportOrder; readonly repeat?: Window },
): Promise<ExitCode> {
  return followWindows(work, (options) => exportWindows({ ...options, ...order }));
}

/** Resumes the export of a case and reports the result. */
function resumeWindowsExport(work: WindowsWork): Promise<ExitCode> {
  return followWindows(work, (options) =>
    resumeWindows({ ...options, requestSettings: requestSettingsFrom(work.options) }),
  );
}

/** Requests the gaps of the export of a case again and reports the result. */
function retryWindowsGaps(work: WindowsWork): Promise<ExitCode> {
  return followWindows(work, (options) =>
    retryGaps({ ...options, requestSettings: requestSettingsFrom(work.options) }),
  );
}

async function followWindows(
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
    return await reportWindowsResult(result, work);
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

async function reportWindowsResult(
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

/** Number of windows shown; the rest is counted. */
const shownWindows = 10;

/** Formats the plan of an export. */
function exportPlanText(plan: ExportPlan, { style }: Face, zone?: TimeZone): string {
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
      .map((each) => `  ${formatTime(each.oldest, zone)} to ${formatTime(each.newest, zone)}`),
    ...(shownWindows < windows.length ? [`  … ${formatNumber(windows.length - shownWindows)} more`] : []),
    '',
    `Estimated from ${formatCount(samples.calls, 'call')} of at most ${samples.logs} logs each; nothing was exported.`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}

/** Reports the progress of a windowed export: lasting changes as messages, the rest as a status line. */
function showWindowsProgress(
  { say }: Pick<Terminal, 'say'>,
  display: ProgressDisplay,
  zone?: TimeZone,
): (progress: WindowsProgress) => void {
  let isAtWork = false;
  let trouble: string | undefined;
  return (progress) => {
    switch (progress.event) {
      case 'begun': {
        const { resumed, oldest, newest } = progress;
        if (resumed) say(`Resuming the export of ${formatRange({ oldest, newest }, zone)}.`);
        display.update({ doing: 'Exporting' });
        return;
      }
      case 'window':
        if (!isAtWork && progress.state === 'submitted' && progress.job !== undefined) {
          isAtWork = true;
          say(`Export job ${escapeUnsafe(progress.job)} is running at the deployment.`);
        }
        return;
      case 'trouble':
        if (progress.message !== trouble) say(`Retrying: ${escapeUnsafe(progress.message)}`);
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
    ...{ doing: 'Exporting', done: logs, unit: 'logs', note: notes.join(', ') },
    // Not complete before the last job is.
    ...(remaining !== undefined && { total: Math.max(logs + remaining, logs + Math.min(1, underWay)) }),
  };
}

/** The hours of the incident, all exported: both ends in milliseconds since the epoch. */
interface IncidentHours {
  readonly from: number;
  readonly to: number;
}

/** The hours of an incident that ends at `to`. */
function incidentHoursUntil(to: number): IncidentHours {
  return { from: to - incidentLength * 3_600_000, to };
}

/** Duration of the incident in hours. */
export const incidentLength = 36;

/** The result of exporting the incident. */
export interface ExportedIncident {
  readonly url: string;
  /** Number of logs of the deployment. */
  readonly held: number;
  /** The requested hours. */
  readonly hours: IncidentHours;
  readonly export: WindowsResult;
}

interface IncidentWork {
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
}

/** Durations of jobs in milliseconds: noticeable, but short enough for a demo. */
const pace = { queued: 50, running: 100, perLog: 0.02 } as const;

/**
 * Exports an invented incident, whose last hours are the present ones, from the reference deployment into a new
 * case. Starts and ends that deployment.
 */
export async function exportIncident(path: string, work: IncidentWork): Promise<ExportedIncident> {
  const display = displayProgress(work.terminal);
  try {
    display.update({ doing: 'Starting the reference deployment' });
    const hours = incidentHoursUntil(Date.now());
    const logs = [...incidentLogs({ until: hours.to })];
    await using deployment = await createDeployment({ logs, pace });
    work.signal.throwIfAborted();
    await using served = await serveDeployment(deployment);
    const credentials = { kind: 'password', ...deployment.account } as const;
    await using client = openClient({ addresses: addressesAt(served), credentials });
    await rejectOnAbort(client.signIn(), work.signal);
    await using into = await openCase(path, { access: 'write', create: true });
    const result = await exportWindows({
      client,
      into,
      order: orderAt(client.addresses.root, hours),
      signal: work.signal,
      onProgress: showWindowsProgress(work.terminal, display),
    });
    return { url: served.url, held: logs.length, hours, export: result };
  } finally {
    display.end();
  }
}

/** The export order for all logs of the incident. */
function orderAt(deployment: string, { from, to }: IncidentHours): ExportOrder {
  return {
    deployment,
    request: { ...newestLogsRequest, logLevel: 'DEBUG' },
    ...({ via: 'search', windowBy: 'auto', timeField: 'time' } as const),
    ...{ from, to, oldest: from, newest: to, given: Date.now() },
  };
}

function addressesAt({ url }: Served) {
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new Error(addresses.problem);
  return addresses;
}
