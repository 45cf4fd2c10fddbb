import { resolve } from 'node:path';
import {
  clusterStatus,
  initCluster,
  parseClusterAddress,
  pushCase,
  schemaStatements,
} from '../../../cluster/index.ts';
import { openCase } from '../../../store/index.ts';
import { openNamedCluster } from '../../cluster/open-named-cluster.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { exitCodes } from '../../command-line/exit-code.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { temporaryFolder } from '../../files/temporary-folder.ts';

import { type Column, formatTable } from '../../output/table.ts';
import type { clusterInitSpec, clusterPushSpec, clusterStatusSpec } from '../../specs/cluster.ts';
import { escapeUnsafe, toJson } from '../../terminal/printable.ts';
import { displayProgress, formatCount, formatNumber } from '../../terminal/progress.ts';
import type { Face } from '../../terminal/terminal.ts';
import { formatTime } from '../../terminal/time-format.ts';

/** Creates the tables of a cluster, or prints the statements. */
export const clusterInitCommand: RunCommand<typeof clusterInitSpec> = async ({
  arguments: given,
  options,
  terminal,
}) => {
  const schema = {
    cluster: options.cluster,
    isReplicated: options.replicated,
    keepDays: readDays(options.keep),
  };
  if (options.print) {
    const { database } = parseClusterAddress(given.address);
    const statements = schemaStatements(database, schema);
    await terminal.print(statements.map((each) => `${escapeUnsafe(each)};\n`).join(''));
    return exitCodes.done;
  }
  await using cluster = await openNamedCluster(given.address, terminal, options);
  await initCluster(cluster, schema);
  terminal.say(`The database "${escapeUnsafe(cluster.address.database)}" is ready for logs.`);
  return exitCodes.done;
};

function readDays(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const days = /^([1-9]\d{0,4})d?$/.exec(written)?.[1];
  if (days === undefined)
    throw new UsageError(
      `--keep must be a whole number of days from 1 to 99999 such as 400d, got "${written}"`,
    );
  return Number(days);
}

/** Copies a case into a cluster. */
export const clusterPushCommand: RunCommand<typeof clusterPushSpec> = async ({
  arguments: given,
  options,
  terminal,
}) => {
  await using cluster = await openNamedCluster(given.address, terminal, options);
  await using from = await openCase(given.case, { access: 'read' });
  await using folder = await temporaryFolder();
  const deployment = options.deployment ?? cluster.address.deployment ?? 'default';
  const display = displayProgress(terminal);
  const pushed = await pushCase(from, cluster, {
    deployment,
    folder: folder.path,
    originals: options.originals ?? `${resolve(given.case)}.evidence`,
    signal: terminal.interruption(),
    onProgress: ({ logs, total }) => display.update({ doing: 'Sending', done: logs, total, unit: 'logs' }),
  }).finally(() => display.end());
  if (options.json) await terminal.print(`${toJson({ deployment, ...pushed }, 2)}\n`);
  else
    terminal.say(
      `Added ${formatCount(pushed.logs, 'log')} in ${formatCount(pushed.parts, 'part')} as the deployment "${escapeUnsafe(deployment)}"` +
        `${pushed.present === 0 ? '' : `; ${formatCount(pushed.present, 'part')} were there already`}.`,
    );
  return exitCodes.done;
};

/** Shows and recounts the contents of a cluster. */
export const clusterStatusCommand: RunCommand<typeof clusterStatusSpec> = async ({
  arguments: given,
  options,
  terminal,
}) => {
  await using cluster = await openNamedCluster(given.address, terminal, options);
  const status = await clusterStatus(cluster, { signal: terminal.interruption() });
  if (options.json) await terminal.print(`${toJson(status, 2)}\n`);
  else await terminal.print(`${statusLines(status, terminal.data).join('\n')}\n`);
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

function statusLines(status: Status, { style, width }: Face): readonly string[] {
  const { deployments, deviations, unfinishedRows, bytes, version } = status;
  const logs = deployments.reduce((sum, each) => sum + each.logs, 0);
  const perLog = logs === 0 ? '' : `, ${formatNumber(Math.round(bytes / logs))} a log`;
  return [
    ...formatTable(columns, deployments.map(cellsOf), { style, width }),
    `${formatNumber(bytes)} bytes on disk${perLog}; ClickHouse ${version}.`,
    ...(unfinishedRows === 0
      ? []
      : [`${formatCount(unfinishedRows, 'row')} of unfinished loads, which count nowhere.`]),
    ...deviations.map(
      ({ deployment, part, file, entry, loaded, lost }) =>
        `Part ${part} of "${escapeUnsafe(deployment)}" (${escapeUnsafe(file)}, ${escapeUnsafe(entry)}) lacks ${formatNumber(lost)} of ${formatNumber(loaded)} logs.`,
    ),
  ];
}
