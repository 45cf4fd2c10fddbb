import { type Case, openCase } from '../../case/index.ts';
import { type Client, deploymentTime, openClient } from '../../client/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import {
  ExportError,
  type ExportOrder,
  orderSinceLast,
  planExport,
  type Window,
  withRequestSettings,
} from '../../export/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readConnection } from '../deployment/connection.ts';
import type { exportSpec } from '../specs/logs.ts';
import { rejectOnAbort } from '../terminal/abort.ts';
import { toJson } from '../terminal/printable.ts';
import { formatDuration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapLines } from '../terminal/wrap-lines.ts';
import type { ExportCases } from './export-cases.ts';
import { exportOrderFrom, requestSettingsFrom } from './export-order.ts';
import { exportPlanText } from './export-plan-text.ts';
import { exportRequestFrom, requestTimes } from './export-request.ts';
import { type ExportTarget, exportTargetFrom } from './export-target.ts';
import { exportNewest } from './newest-export.ts';
import { resumeWindowsExport, retryWindowsGaps, runWindowsExport } from './windows-export.ts';

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
    const { exportCasePath, exportToCluster } = await import('../cluster-loading/export-to-cluster.ts');
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
