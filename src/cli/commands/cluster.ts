import { resolve } from 'node:path';
import { openCase } from '../../case/index.ts';
import {
  cleanLoads,
  clusterStatus,
  initCluster,
  parseClusterAddress,
  roleStatements,
  schemaStatements,
} from '../../cluster/index.ts';
import { openNamedCluster } from '../cluster/open-cluster.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { deploymentOf, pushedText, pushWithProgress } from '../loading/load-cluster.ts';
import { type Column, formatTable } from '../output/table.ts';
import type { clusterInitSpec, clusterPushSpec, clusterStatusSpec } from '../specs/case-specs.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Creates the tables of a cluster, or prints the statements. */
export const clusterInitCommand: RunCommand<typeof clusterInitSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const schema = {
    cluster: options.cluster,
    isReplicated: options.replicated,
    isForOneServer: options.eachServer,
    keepDays: readDays(options.keep),
  };
  if (options.eachServer && !options.print)
    throw new UsageError(
      '--each-server needs --print: without it the servers are asked if they have a Keeper',
    );
  if (options.eachServer && options.replicated)
    throw new UsageError('--each-server is for servers without Keeper, which --replicated needs');
  if (options.print) {
    const { database } = parseClusterAddress(values.address);
    const statements = [...schemaStatements(database, schema), ...roleStatements(database, schema)];
    await terminal.print(statements.map((statement) => `${escapeUnsafe(statement)};\n`).join(''));
    return exitCodes.done;
  }
  await using cluster = await openNamedCluster(values.address, terminal, options);
  const result = await initCluster(cluster, schema);
  terminal.message(`The database "${escapeUnsafe(cluster.address.database)}" is ready for logs.`);
  if (result.isForOneServer)
    terminal.message(
      `That is for this server alone: the cluster "${escapeUnsafe(result.cluster ?? '')}" has no Keeper, so run the same command at each of its servers.`,
    );
  return exitCodes.done;
};

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^([1-9]\d{0,4})d?$/.exec(text)?.[1];
  if (days === undefined)
    throw new UsageError(`--keep must be a whole number of days from 1 to 99999 such as 400d, got "${text}"`);
  return Number(days);
}

/** Copies a case into a cluster. */
export const clusterPushCommand: RunCommand<typeof clusterPushSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  await using cluster = await openNamedCluster(values.address, terminal, options);
  await using from = await openCase(values.case, { access: 'read' });
  const deployment = deploymentOf(cluster, options.deployment);
  const originals = options.originals ?? `${resolve(values.case)}.evidence`;
  const pushed = await pushWithProgress(from, cluster, { deployment, originals, terminal });
  if (options.json) await terminal.print(`${toJson({ deployment, ...pushed }, 2)}\n`);
  else terminal.message(pushedText(pushed, deployment));
  return exitCodes.done;
};

/** Shows and recounts the contents of a cluster. */
export const clusterStatusCommand: RunCommand<typeof clusterStatusSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  if (options.idle !== undefined && !options.clean) throw new UsageError('--idle needs --clean');
  await using cluster = await openNamedCluster(values.address, terminal, options);
  const signal = terminal.interruption();
  const { idle } = options;
  const cleaned = options.clean
    ? await cleanLoads(cluster, { signal, ...(idle !== undefined && { idle: idle / 1000 }) })
    : undefined;
  if (cleaned?.isForOneServer)
    terminal.message(
      'Rows were deleted at this server alone: the cluster has no Keeper. Run the command at each of its servers.',
    );
  const status = await clusterStatus(cluster, { signal });
  if (options.json) await terminal.print(`${toJson(status, 2)}\n`);
  else await terminal.print(`${statusLines(status, terminal.stdout).join('\n')}\n`);
  return status.deviations.length === 0 ? exitCodes.done : exitCodes.no;
};

type Status = Awaited<ReturnType<typeof clusterStatus>>;

const columns: readonly Column[] = [
  { name: 'deployment' },
  { name: 'parts', align: 'right' },
  { name: 'logs', align: 'right' },
  { name: 'unreadable', align: 'right' },
  { name: 'first (UTC)' },
  { name: 'last (UTC)' },
];

function cellsOf({ deployment, parts, logs, unreadable, first, last }: Status['deployments'][number]) {
  const times = [first, last].map((time) => (time === undefined ? '' : formatTime(time)));
  return [deployment, formatNumber(parts), formatNumber(logs), formatNumber(unreadable), ...times];
}

function statusLines(status: Status, { style, width }: OutputStyle): readonly string[] {
  const { deployments, deviations, unfinishedRows, bytes, bytesPerLog, version } = status;
  const perLog = bytesPerLog === 0 ? '' : `, ${formatNumber(bytesPerLog)} for each log`;
  return [
    ...formatTable(columns, deployments.map(cellsOf), { style, width }),
    `${formatNumber(bytes)} bytes on the disk of this server${perLog}; ClickHouse ${version}.`,
    ...(unfinishedRows === 0
      ? []
      : [
          `${formatCount(unfinishedRows, 'row')} of unfinished loads, which count nowhere; --clean deletes those that are an hour old, with --idle younger ones.`,
        ]),
    ...deviations.map(
      ({ deployment, part, file, entry, loaded, lost }) =>
        `Part ${part} of "${escapeUnsafe(deployment)}" (${escapeUnsafe(file)}, ${escapeUnsafe(entry)}) lacks ${formatNumber(lost)} of ${formatNumber(loaded)} logs.`,
    ),
  ];
}
