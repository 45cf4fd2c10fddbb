import { type Client, deploymentTime, openClient } from '../../client/index.ts';
import {
  ExportError,
  type ExportOrder,
  inManner,
  planExport,
  sinceLast,
  type Window,
} from '../../export/index.ts';
import { type Case, openCase } from '../../store/index.ts';
import type { Call, Run } from '../command-line/command.ts';
import { readConnection } from '../deployment/connection.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { mannerOf } from '../export/export-manner.ts';
import { orderOf } from '../export/export-order.ts';
import { planText } from '../export/export-plan-text.ts';
import { requestOf, requestTimes } from '../export/export-request.ts';
import { targetOf } from '../export/export-target.ts';
import { exportNewest } from '../export/newest-export.ts';
import { exportAll, resumeAll, retryAll } from '../export/windows-export.ts';
import { fillCase } from '../input/fill-case.ts';
import type { exportSpec } from '../specs/logs.ts';
import { abortable } from '../terminal/abortable.ts';
import { toJson } from '../terminal/printable.ts';
import { duration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Gets logs out of a deployment into a case. */
export const exportLogs: Run<typeof exportSpec> = async ({ options, terminal }) => {
  const target = targetOf(options);
  const request = target.kind === 'new' ? requestOf(options, terminal) : undefined;
  if (request === 'refused') return exitCodes.no;
  const connection = await readConnection(options, terminal);
  await using client = openClient({ ...connection, maxRate: options.maxRate });
  await abortable(client.signIn(), terminal.interruption());
  const work: Work = { client, options, terminal };
  if (target.kind === 'resume') return await resume(work, target.path);
  if (target.kind === 'retry gaps') return await retry(work, target.path);
  if (request === undefined) return await exportNews(work, target.path);
  const now = await timeThere(work);
  if (options.num !== undefined) {
    const dated = { ...request, ...requestTimes(options, now) };
    return await exportNewest(client, { path: target.path, request: dated, options, terminal });
  }
  const order = orderOf(options, request, { deployment: client.addresses.root, now });
  return await exportOrder(work, target.path, order);
};

/** The time at the deployment. A difference that would change what is asked for is said. */
async function timeThere({ client, terminal }: Work): Promise<number> {
  const { now, skew } = await deploymentTime(client, { signal: terminal.interruption() });
  if (tolerated < Math.abs(skew)) {
    const which = skew < 0 ? 'ahead of' : 'behind';
    terminal.say(
      `The clock of this machine is ${duration(Math.abs(skew))} ${which} that of the deployment; "now" is the time there.`,
    );
  }
  // The end of a whole second: a deployment may tell times no finer.
  return Math.floor(now / 1000) * 1000 - 1;
}

/** Clocks that differ by less, in milliseconds, are on time: `Date` tells whole seconds, and a reply takes a while. */
const tolerated = 5000;

type Options = Call<typeof exportSpec>['options'];

interface Work {
  readonly client: Client;
  readonly options: Options;
  readonly terminal: Terminal;
}

/** What is wanted, and the times that are asked for although the case has them. */
interface Wanted {
  readonly order: ExportOrder;
  readonly repeat?: Window;
}

async function exportOrder(work: Work, path: string, order: ExportOrder): Promise<ExitCode> {
  const { options, terminal } = work;
  const go = (into: Case) => bring(work, into, { order });
  if (!options.plan) return await fillCase(path, { memory: 'little', terminal }, go);
  await using from = await caseOf(path);
  return await go(from);
}

async function exportNews(work: Work, path: string): Promise<ExitCode> {
  const { plan, overlap = usualOverlap } = work.options;
  await using into = await openCase(path, { access: plan ? 'read' : 'write', memory: 'little' });
  const { order, repeat } = await sinceLast(into, { now: await timeThere(work), overlap });
  return await bring(work, into, { order: inManner(order, mannerOf(work.options)), repeat });
}

/** Brings what is wanted, or says what that would take. */
function bring(work: Work, into: Case, wanted: Wanted): Promise<ExitCode> {
  return work.options.plan ? tellPlan(work, into, wanted) : exportAll({ ...work, into }, wanted);
}

/** Logs of a container arrive within seconds; ten minutes cover one that was cut off for a while. */
const usualOverlap = 600_000;

/** Goes on with the export in windows of a case, or with its export of the newest logs. */
async function resume(work: Work, path: string): Promise<ExitCode> {
  const code = await resumeWindowsOf(work, path);
  return code ?? (await exportNewest(work.client, { ...work, path, request: undefined }));
}

async function retry(work: Work, path: string): Promise<ExitCode> {
  await using into = await openCase(path, { access: 'write', memory: 'little' });
  return await retryAll({ ...work, into });
}

async function resumeWindowsOf(work: Work, path: string): Promise<ExitCode | undefined> {
  await using into = await openCase(path, { access: 'write', memory: 'little' });
  try {
    return await resumeAll({ ...work, into });
  } catch (error) {
    if (error instanceof ExportError && error.code === 'NOTHING_TO_RESUME') return undefined;
    throw error;
  }
}

async function tellPlan({ client, options, terminal }: Work, into: Case, wanted: Wanted): Promise<ExitCode> {
  const { jobs, maxWait, json } = options;
  const signal = terminal.interruption();
  const planned = await planExport({ ...wanted, client, signal, jobs, maxWait, into });
  await terminal.print(json ? `${toJson(planned, 2)}\n` : planText(planned, terminal.data));
  return exitCodes.done;
}

/** The case at a path if there is one: a plan makes none. */
async function caseOf(path: string): Promise<Case> {
  try {
    return await openCase(path, { access: 'read' });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'CASE_NOT_FOUND';
    if (isMissing) return await openCase(':memory:', { access: 'read' });
    throw error;
  }
}
