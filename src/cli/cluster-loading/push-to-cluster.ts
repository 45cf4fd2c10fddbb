import type { Case } from '../../case/index.ts';
import { type Cluster, pushCase } from '../../cluster/index.ts';
import { readCoverage } from '../../export/index.ts';
import { temporaryFolder } from '../files/temporary-folder.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Settings of a push. */
export interface PushSettings {
  readonly deployment: string;
  /** Location of the originals. */
  readonly originals: string;
  readonly terminal: Terminal;
}

/** Parts and logs that were added, and parts that were there already. */
export type PushedParts = Awaited<ReturnType<typeof pushCase>>;

/** Name of the deployment that logs are added for. */
export function deploymentOf({ address }: Cluster, named?: string | undefined): string {
  return named ?? address.deployment ?? 'default';
}

/** Copies a case into a cluster and shows the progress. */
export async function pushWithProgress(
  from: Case,
  cluster: Cluster,
  { deployment, originals, terminal }: PushSettings,
): Promise<PushedParts> {
  await using folder = await temporaryFolder();
  const display = displayProgress(terminal);
  return await pushCase(from, cluster, {
    ...{ deployment, originals, folder: folder.path, signal: terminal.interruption() },
    coverage: await readCoverage(from),
    onProgress: ({ logs, total }) => display.update({ doing: 'Sending', done: logs, total, unit: 'logs' }),
  }).finally(() => display.end());
}

/** Describes what was added to a cluster. */
export function pushedText({ logs, parts, present }: PushedParts, deployment: string): string {
  const already = present === 0 ? '' : `; ${formatCount(present, 'part')} were there already`;
  return `Added ${formatCount(logs, 'log')} in ${formatCount(parts, 'part')} as the deployment "${escapeUnsafe(deployment)}"${already}.`;
}
