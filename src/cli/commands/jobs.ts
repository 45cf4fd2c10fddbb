import { type Client, ClientError, jobAddress, openClient, readJob, readJobIds } from '../../client/index.ts';
import type { JobResource } from '../../protocol/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { readConnection } from '../deployment/connection.ts';
import { formatTimeToSecond, memberLines } from '../output/member-lines.ts';
import { formatTable } from '../output/table.ts';
import type { jobsListSpec, jobsShowSpec } from '../specs/deployment-specs.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';

/** A job of the list, or the problem of reading it. */
type ListedJob = JobResource | { readonly jobid: string; readonly problem: string };

/** Lists the jobs. */
export const jobsListCommand: RunCommand<typeof jobsListSpec> = async ({ options, terminal }) => {
  const signal = terminal.interruption();
  await using client = openClient(await readConnection(options, terminal));
  const ids = await readJobIds(client, { signal });
  if (options.ids) {
    await terminal.print(ids.map((id) => `${escapeUnsafe(id)}\n`).join(''));
    return exitCodes.done;
  }
  const jobs: ListedJob[] = [];
  // Sequential, to spare a deployment with hundreds of jobs.
  for (const id of ids.slice(0, options.limit(terminal.stdout)))
    jobs.push(await readListed(client, id, signal));
  if (options.json) await terminal.print(`${toJson({ total: ids.length, jobs }, 2)}\n`);
  else await terminal.print(jobsText(jobs, terminal));
  if (jobs.length < ids.length) {
    const shown = `${formatNumber(jobs.length)} of ${formatCount(ids.length, 'job')}`;
    terminal.message(`${shown}; --limit N shows more, --ids lists all identifiers.`);
  }
  return exitCodes.done;
};

/** Reads a job of the list. A job that is gone or another user's becomes a `problem`. */
async function readListed(client: Client, jobid: string, signal: AbortSignal): Promise<ListedJob> {
  try {
    const job = await readJob(client, jobAddress(client, jobid), { signal });
    return { ...job, jobid };
  } catch (error) {
    signal.throwIfAborted();
    const isOfJob =
      error instanceof ClientError && ['FORBIDDEN', 'BAD_REPLY', 'REFUSED'].includes(error.code);
    if (!isOfJob) throw error;
    return { jobid, problem: error.message };
  }
}

function jobsText(jobs: readonly ListedJob[], { stdout }: Terminal): string {
  if (jobs.length === 0) return 'No jobs.\n';
  const columns = ['id', 'name', 'status', 'user', 'started (UTC)', 'ended (UTC)'].map((name) => ({ name }));
  const rows = jobs.map((job) =>
    'problem' in job
      ? [job.jobid, '', 'unreadable', '', '', '']
      : [
          ...[job.jobid, job.name ?? '', job.status, job.username ?? ''],
          ...[formatTimeToSecond(job.starttime), formatTimeToSecond(job.endtime)],
        ],
  );
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

/** Shows one job. */
export const jobsShowCommand: RunCommand<typeof jobsShowSpec> = async ({
  arguments: { id },
  options,
  terminal,
}) => {
  await using client = openClient(await readConnection(options, terminal));
  const job = await readJob(client, jobAddress(client, id), { signal: terminal.interruption() });
  await terminal.print(options.json ? `${toJson(job, 2)}\n` : wrapLines(jobText(job), terminal.stdout.width));
  return exitCodes.done;
};

function jobText(job: JobResource): string {
  return memberLines([
    ['id', job.jobid],
    ['name', job.name],
    ['status', job.status],
    ['user', job.username],
    ['operation', job.operationURI],
    ['resource', job.resource],
    ['request', job.requestID],
    ['started', utcText(job.starttime)],
    ['updated', utcText(job.updatedtime)],
    ['ended', utcText(job.endtime)],
    ['result', job.resultUrl],
    ...job.messages.map((message) => ['message', message] as const),
  ]);
}

function utcText(time: number | undefined): string {
  const text = formatTimeToSecond(time);
  return text === '' ? '' : `${text} UTC`;
}
