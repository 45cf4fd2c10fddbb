import { type Client, openClient } from '../../client/index.ts';
import { ExportError, type ExportOrder, planExport, sinceLast, type Window } from '../../export/index.ts';
import { type Case, openCase } from '../../store/index.ts';
import { abortable } from '../abortable.ts';
import type { Call, Run } from '../command.ts';
import { readConnection } from '../connection.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { orderOf } from '../export-order.ts';
import { planText } from '../export-plan-text.ts';
import { requestOf } from '../export-request.ts';
import { exportNewest } from '../newest-export.ts';
import { toJson } from '../printable.ts';
import type { exportSpec } from '../specs/logs.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { exportAll, resumeAll } from '../windows-export.ts';

/** Gets logs out of a deployment into a case. */
export const exportLogs: Run<typeof exportSpec> = async ({ options, terminal }) => {
  const target = targetOf(options);
  const request = target.kind === 'new' ? requestOf(options, terminal) : undefined;
  if (request === 'refused') return exitCodes.no;
  const connection = await readConnection(options, terminal);
  await using client = openClient(connection);
  await abortable(client.signIn(), terminal.interruption());
  const work: Work = { client, options, terminal };
  if (target.kind === 'resume') return await resume(work, target.path);
  if (request === undefined) return await exportNews(work, target.path);
  if (options.num !== undefined && !options.plan) {
    return await exportNewest(client, { path: target.path, request, options, terminal });
  }
  const order = orderOf(options, request, { deployment: client.addresses.root, now: Date.now() });
  return options.plan ? await plan(work, target.path, order) : await exportOrder(work, target.path, order);
};

type Options = Call<typeof exportSpec>['options'];

interface Work {
  readonly client: Client;
  readonly options: Options;
  readonly terminal: Terminal;
}

type Target = { readonly path: string } & (
  | { readonly kind: 'new' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'since last' }
);

function targetOf({ out, resume, sinceLast: last, plan: isPlan }: Options): Target {
  const given = [
    ...(out === undefined ? [] : [{ kind: 'new', path: out } as const]),
    ...(resume === undefined ? [] : [{ kind: 'resume', path: resume } as const]),
    ...(last === undefined ? [] : [{ kind: 'since last', path: last } as const]),
  ];
  const [target, other] = given;
  if (other) throw new UsageError('"--out", "--resume" and "--since-last" exclude each other');
  if (target) return target;
  // A plan needs no case; one that is there takes away from it what it has.
  if (isPlan) return { kind: 'new', path: ':memory:' };
  throw new UsageError('"--out CASE" is required, or "--resume CASE", or "--since-last CASE"');
}

async function exportOrder(work: Work, path: string, order: ExportOrder): Promise<ExitCode> {
  await using into = await openCase(path, { access: 'write', create: true, memory: 'little' });
  return await exportAll({ ...work, into }, { order });
}

async function exportNews(work: Work, path: string): Promise<ExitCode> {
  await using into = await openCase(path, { access: 'write', memory: 'little' });
  const news: { order: ExportOrder; repeat: Window } = await sinceLast(into, {
    now: Date.now(),
    overlap: work.options.overlap ?? usualOverlap,
  });
  return await exportAll({ ...work, into }, news);
}

/** Logs of a container arrive within seconds; ten minutes cover one that was cut off for a while. */
const usualOverlap = 600_000;

/** Goes on with the export in windows of a case, or with its export of the newest logs. */
async function resume(work: Work, path: string): Promise<ExitCode> {
  const code = await resumeWindowsOf(work, path);
  return code ?? (await exportNewest(work.client, { ...work, path, request: undefined }));
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

async function plan(
  { client, options, terminal }: Work,
  path: string,
  order: ExportOrder,
): Promise<ExitCode> {
  await using into = await caseOf(path);
  const { jobs, maxWait } = options;
  const signal = terminal.interruption();
  const planned = await planExport({ client, order, signal, jobs, maxWait, into });
  await terminal.print(options.json ? `${toJson(planned, 2)}\n` : planText(planned, terminal.data));
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
