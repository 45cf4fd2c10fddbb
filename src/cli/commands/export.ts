import { type Client, openClient } from '../../client/index.ts';
import { type ExportResult, resumeExport, runExport } from '../../export/index.ts';
import { type ExportRequest, maxLogs } from '../../protocol/index.ts';
import { type Case, openCase, type Part, runSql } from '../../store/index.ts';
import { abortable } from '../abortable.ts';
import type { Call, Run } from '../command.ts';
import { type Connection, readConnection } from '../connection.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { showExport } from '../export-progress.ts';
import { requestOf } from '../export-request.ts';
import { shownTime } from '../log-table.ts';
import { partRemarks } from '../part-table.ts';
import { printable, toJson } from '../printable.ts';
import { amount, displayProgress, grouped } from '../progress.ts';
import type { exportSpec } from '../specs/logs.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Gets logs out of a deployment into a case. */
export const exportLogs: Run<typeof exportSpec> = async ({ options, terminal }) => {
  const target = targetOf(options);
  const request = target.resume ? undefined : requestOf(options, terminal);
  if (request === 'refused') return exitCodes.no;
  const connection = await readConnection(options, terminal);
  const result = await exportInto(target, { connection, request, maxWait: options.maxWait }, terminal);
  return await tell(result, { path: target.path, options, terminal });
};

type Options = Call<typeof exportSpec>['options'];

interface Target {
  readonly path: string;
  readonly resume: boolean;
}

function targetOf({ out, resume }: Options): Target {
  if (out !== undefined && resume !== undefined)
    throw new UsageError('"--out" and "--resume" exclude each other');
  if (resume !== undefined) return { path: resume, resume: true };
  if (out !== undefined) return { path: out, resume: false };
  throw new UsageError('"--out CASE" is required, or "--resume CASE"');
}

interface Order extends Pick<Work, 'request' | 'maxWait'> {
  readonly connection: Connection;
}

async function exportInto(target: Target, order: Order, terminal: Terminal): Promise<ExportResult> {
  const { connection, request, maxWait } = order;
  const signal = terminal.interruption();
  await using client = openClient(connection);
  await abortable(client.signIn(), signal);
  await using into = await openCase(target.path, { access: 'write', create: !target.resume });
  return await follow({ client, into, request, signal, maxWait }, terminal);
}

interface Work {
  readonly client: Client;
  readonly into: Case;
  /** Absent: the export of the case that was interrupted. */
  readonly request: ExportRequest | undefined;
  readonly signal: AbortSignal;
  readonly maxWait: number | undefined;
}

async function follow({ request, ...work }: Work, terminal: Terminal): Promise<ExportResult> {
  const display = displayProgress(terminal);
  const show = showExport(terminal, display);
  let submitted = false;
  const onProgress: typeof show = (progress) => {
    submitted ||= progress.stage === 'submitted';
    show(progress);
  };
  try {
    return await (request
      ? runExport({ ...work, request, onProgress })
      : resumeExport({ ...work, onProgress }));
  } catch (error) {
    if (submitted && isUnfinished(error)) {
      terminal.say(`The export can go on: logquarry export --resume ${shellWord(work.into.path)} …`);
    }
    throw error;
  } finally {
    display.end();
  }
}

/** Whether the job itself did not fail. */
function isUnfinished(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code !== 'JOB_FAILED' && code !== 'DAMAGED_ZIP';
}

/** A path as a word of a shell. */
function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", `'\\''`)}'`;
}

interface Telling {
  readonly path: string;
  readonly options: Options;
  readonly terminal: Terminal;
}

async function tell(result: ExportResult, { path, options, terminal }: Telling): Promise<ExitCode> {
  const { logs, bytes, sha256, jobId, parts, gaps } = result;
  // Who asks for fewer logs than an export can return gets what was asked for.
  const asked = logs + result.unreadable < maxLogs;
  const missing = gaps.filter(({ kind }) => kind === 'entry' || !asked);
  const complete = missing.length === 0;
  if (options.json) {
    await terminal.print(`${toJson({ case: path, ...result, complete, gaps: missing }, 2)}\n`);
  } else {
    const zip = `${amount(bytes, 'B')}, SHA-256 ${sha256}`;
    await terminal.print(
      `${grouped(logs)} logs are in "${printable(path)}" (job ${printable(jobId)}, zip of ${zip}).\n`,
    );
  }
  if (logs === 0) terminal.say('The export is empty: no log fits what was asked for.');
  for (const line of parts.flatMap(partRemarks)) terminal.say(line);
  for (const { message } of gaps.filter(({ kind }) => kind === 'capped')) {
    const oldest = await oldestTime(path, parts);
    const where = oldest === undefined ? '' : ` older than ${shownTime(oldest)} (UTC)`;
    sayCapped(`${printable(message)}${where}`, { asked, terminal });
  }
  return complete ? exitCodes.done : exitCodes.incomplete;
}

/** The time of the oldest log in parts, milliseconds since the epoch. */
async function oldestTime(path: string, parts: readonly Part[]): Promise<number | undefined> {
  const numbers = parts.map(({ part }) => part).join(', ');
  const { rows } = await runSql(path, `SELECT epoch_ms(min(time)) FROM logs WHERE part IN (${numbers})`);
  const oldest = rows[0]?.[0];
  return typeof oldest === 'number' ? oldest : undefined;
}

function sayCapped(message: string, { asked, terminal }: { asked: boolean; terminal: Terminal }): void {
  const { say, talk } = terminal;
  const advice = `${talk.style.red('INCOMPLETE')}: ${message}; "--from", "--to" and filters narrow it.`;
  say(asked ? `${message}.` : advice);
}
