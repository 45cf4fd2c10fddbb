import { type ClusterLogs, clusterLogs } from '../../cluster/cluster-logs.ts';
import { checkSchema } from '../../cluster/init.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openNamedCluster } from './open-named-cluster.ts';

/** The logs of a cluster, open for questions. */
export interface OpenClusterLogs extends AsyncDisposable {
  readonly logs: ClusterLogs;
  /** Name for its logs among those of several sources. */
  readonly name: string;
}

/** Opens the logs of a cluster. Ctrl-C ends its queries. Rejects with a `ClusterError` if it has no tables for logs. */
export async function openClusterLogs(address: string, terminal: Terminal): Promise<OpenClusterLogs> {
  const cluster = await openNamedCluster(address, terminal);
  try {
    await checkSchema(cluster);
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  const { database, deployment } = cluster.address;
  return {
    logs: clusterLogs(cluster, terminal.interruption()),
    name: deployment === undefined ? database : `${database}/${deployment}`,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
