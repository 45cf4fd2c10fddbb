import { type ClusterLogs, clusterLogs } from '../../cluster/index.ts';
import { temporaryFolder } from '../files/temporary-folder.ts';
import { displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clusterLimits } from './cluster-limits.ts';
import { openReadableCluster } from './open-readable-cluster.ts';

/** The logs of a cluster, open for questions. */
export interface OpenClusterLogs extends AsyncDisposable {
  readonly logs: ClusterLogs;
  /** Name for its logs among those of several sources. */
  readonly name: string;
}

/** Opens the logs of a cluster. Ctrl-C ends its queries. Rejects with a `ClusterError` if it has no tables for logs. */
export async function openClusterLogs(
  address: string,
  terminal: Pick<Terminal, 'environment' | 'say' | 'show' | 'talk' | 'interruption' | 'noteIncomplete'>,
): Promise<OpenClusterLogs> {
  const cluster = await openReadableCluster(address, terminal);
  const opened: AsyncDisposable[] = [cluster];
  const close = async () => {
    for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
  };
  const { database, deployment } = cluster.address;
  const logs = clusterLogs(cluster, { signal: terminal.interruption(), copies });
  return {
    logs: {
      ...logs,
      copyLogs: async (...asked) => {
        const display = displayProgress(terminal);
        const copied = await logs.copyLogs(...asked).finally(() => display.end());
        opened.push(copied);
        return copied;
      },
    },
    name: deployment === undefined ? database : `${database}/${deployment}`,
    [Symbol.asyncDispose]: close,
  };

  async function copies() {
    const folder = await temporaryFolder();
    opened.push(folder);
    const { logs: mostLogs } = clusterLimits(terminal.environment);
    return { folder: folder.path, mostLogs };
  }
}
