import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openCase } from '../../case/index.ts';
import { checkWritableSchema, parseClusterAddress } from '../../cluster/index.ts';
import { openNamedCluster } from '../cluster/open-named-cluster.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { deploymentOf, pushedText, pushWithProgress } from './push-to-cluster.ts';

/** Settings of an export into a cluster. */
interface ExportSettings {
  /** Folder for the case and the originals; default: named like the database. */
  readonly originals?: string | undefined;
  readonly terminal: Terminal;
}

/** Returns the path of the case that an export into a cluster keeps its progress and originals in. */
export function exportCasePath(address: string, folder: string | undefined): string {
  const { database, deployment = 'default' } = parseClusterAddress(address);
  return join(folder ?? `${database}.evidence`, `export-${encodeURIComponent(deployment)}.duckdb`);
}

/**
 * Exports into a case of this machine, which keeps the progress and the originals. Pushes what it got into a
 * cluster, also if the export fails or is incomplete. The cluster is asked first, so that no export is in vain.
 */
export async function exportToCluster(
  address: string,
  { originals, terminal }: ExportSettings,
  exportInto: (path: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  await using cluster = await openNamedCluster(address, terminal);
  await checkWritableSchema(cluster);
  const path = exportCasePath(address, originals);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return await exportInto(path);
  } finally {
    await using from = await openCase(path, { access: 'read' }).catch(() => undefined);
    if (from) {
      const deployment = deploymentOf(cluster);
      const pushed = await pushWithProgress(from, cluster, {
        ...{ deployment, terminal, originals: `${resolve(path)}.evidence` },
      });
      terminal.say(pushedText(pushed, deployment));
    }
  }
}
