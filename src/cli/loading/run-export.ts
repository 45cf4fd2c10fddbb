import { type Case, openCase } from '../../case/index.ts';
import { type Client, deploymentTime, openClient } from '../../client/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import {
  type ExportCases,
  type ExportOrder,
  type ExportProgress,
  type ExportTask,
  exportLogs,
  orderSinceLast,
  planExport,
  type Window,
  type WindowsProgress,
  withRequestSettings,
} from '../../export/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readConnection } from '../deployment/connection.ts';
import { exportPlanText, reportExport } from '../output/export-report.ts';
import type { exportSpec } from '../specs/case-specs.ts';
import { formatDuration } from '../terminal/progress.ts';
import { rejectOnAbort, type Terminal } from '../terminal/terminal.ts';
import { toJson, wrapLines } from '../terminal/text.ts';
import { exportOrderFrom, exportRequestFrom, requestSettingsFrom, requestTimes } from './export-order.ts';

type Options = CommandCall<typeof exportSpec>['options'];

/** Where an export tells of itself, and the cases that it fills. */
export interface ExportContext {
  readonly terminal: Terminal;
  readonly cases: ExportCases;
  readonly onProgress?: (progress: ExportProgress | WindowsProgress) => void;
}

/** Cases that are opened for one export and closed after it. */
export const ownCases: ExportCases = {
  async use(path, work) {
    await using into = await openCase(path, { access: 'write', memory: 'little' });
    return await work(into);
  },
  async fill(path, options, work) {
    await using into = await openCase(path, { ...options, access: 'write', create: 'if filled' });
    return await work(into);
  },
};

/** Exports logs of a deployment into a case or a cluster, as the options of the command say, and reports the result. */
export async function runExport(options: Options, context: ExportContext): Promise<ExitCode> {
  const target = exportTargetFrom(options);
  const { originals } = options;
  if (isClusterAddress(target.path)) {
    const { exportCasePath, exportToCluster } = await import('./load-cluster.ts');
    const exportThere = (path: string) => exportTo({ ...target, path }, options, context);
    return options.plan
      ? await exportThere(exportCasePath(target.path, originals))
      : await exportToCluster(target.path, { originals, terminal: context.terminal }, exportThere);
  }
  if (originals !== undefined)
    throw new UsageError('--originals requires the address of a cluster: a case has its own folder');
  return await exportTo(target, options, context);
}

/** Exports into the case of a target. */
async function exportTo(target: ExportTarget, options: Options, context: ExportContext): Promise<ExitCode> {
  const { terminal, cases } = context;
  const request = target.kind === 'new' ? exportRequestFrom(options, terminal) : undefined;
  if (request === 'refused') return exitCodes.no;
  const connection = await readConnection(options, terminal);
  const signal = terminal.interruption();
  const { maxRate, patience = usualPatience, twice } = options;
  await using client = openClient({ ...connection, maxRate, retry: { patience } });
  await rejectOnAbort(client.signIn(), signal);
  const task = await taskOf(target, request, { options, client, terminal });
  const { path } = target;
  if (options.plan) return await printPlan(task, { client, options, terminal, path });
  const { jobs, maxWait, logZone, json, ndjson, zone } = options;
  const dated = task.kind === 'newest' ? task.request : undefined;
  const isNew = target.kind === 'new';
  const report = reportExport({
    path,
    isNew,
    json,
    ndjson,
    zone,
    request: dated,
    terminal,
    connection: connectionWords(options, client.addresses.root),
  });
  const onProgress: typeof report.onProgress = (progress) => {
    report.onProgress(progress);
    context.onProgress?.(progress);
  };
  const run = { client, path, cases, jobs, maxWait, signal, twice, zone: logZone };
  try {
    return await exportLogs(task, run, onProgress, report.finish);
  } catch (error) {
    report.fail(error);
    throw error;
  } finally {
    report.end();
  }
}

/** The words of a command line that reach the same deployment as the same user, without any secret. */
function connectionWords(options: Options, root: string): readonly string[] {
  const { profile, url, user, passwordFile, tokenFile, tokenCommand, referer, ca, cert, key, proxy } =
    options;
  const named = { user, passwordFile, tokenFile, tokenCommand, referer, ca, cert, key, proxy };
  const address = profile === undefined ? { url: url ?? root } : { profile, url };
  return Object.entries({ ...address, ...named }).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value]
      : [],
  );
}

interface TaskContext {
  readonly options: Options;
  readonly client: Client;
  readonly terminal: Terminal;
}

/** The task of an export; asks the deployment for its time if times depend on it. */
async function taskOf(
  { kind }: ExportTarget,
  request: ExportRequest | undefined,
  { options, client, terminal }: TaskContext,
): Promise<ExportTask> {
  const settings = requestSettingsFrom(options);
  if (kind === 'resume' || kind === 'retry gaps') return { kind, settings };
  const now = await timeThere(client, terminal);
  if (!request) return { kind: 'since last', now, overlap: options.overlap, settings };
  return options.num === undefined
    ? { kind: 'order', order: exportOrderFrom(options, request, { deployment: client.addresses.root, now }) }
    : { kind: 'newest', request: { ...request, ...requestTimes(options, now) } };
}

/** Default of `--patience` in milliseconds: a deployment restarts within minutes. */
const usualPatience = 300_000;

/**
 * The current time of the deployment, milliseconds since the epoch. Reports a clock difference that
 * matters.
 */
async function timeThere(client: Client, terminal: Terminal): Promise<number> {
  const { now, skew } = await deploymentTime(client, { signal: terminal.interruption() });
  if (tolerated < Math.abs(skew)) {
    const which = skew < 0 ? 'ahead of' : 'behind';
    terminal.message(
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

/** Prints the plan of a task. */
async function printPlan(
  task: ExportTask,
  { client, options, terminal, path }: TaskContext & { readonly path: string },
): Promise<ExitCode> {
  const { jobs, maxWait, json, zone } = options;
  const signal = terminal.interruption();
  await using into = await (task.kind === 'order' ? caseOf(path) : openCase(path, { access: 'read' }));
  const order = await plannedOrder(task, into);
  const planned = await planExport({ ...order, client, signal, jobs, maxWait, into });
  const text = json
    ? `${toJson(planned, 2)}\n`
    : wrapLines(exportPlanText(planned, terminal.stdout, zone), terminal.stdout.width);
  await terminal.print(text);
  return exitCodes.done;
}

async function plannedOrder(
  task: ExportTask,
  into: Case,
): Promise<{ readonly order: ExportOrder; readonly repeat?: Window }> {
  if (task.kind === 'order') return task;
  if (task.kind !== 'since last') throw new UsageError(`--plan has no plan for "${task.kind}"`);
  const { order, repeat } = await orderSinceLast(into, task);
  return { order: withRequestSettings(order, task.settings), repeat };
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

/** Purpose of an export, and the path of the case. */
interface ExportTarget {
  readonly kind: 'new' | 'resume' | 'retry gaps' | 'since last';
  readonly path: string;
}

/** Derives the purpose of an export from its options. */
function exportTargetFrom(options: Options): ExportTarget {
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
