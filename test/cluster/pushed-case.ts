import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseClusterAddress } from '../../src/cluster/address.ts';
import { type Cluster, openCluster } from '../../src/cluster/connection.ts';
import { initCluster } from '../../src/cluster/init.ts';
import { pushCase } from '../../src/cluster/push-case.ts';
import type { Case } from '../../src/store/index.ts';

/** Opens a database with tables for logs. */
export async function openDatabase(address: string): Promise<Cluster> {
  const cluster = openCluster(parseClusterAddress(address));
  await initCluster(cluster);
  return cluster;
}

/** Pushes a case as the logs of a deployment. */
export async function push(from: Case, cluster: Cluster, deployment = 'test') {
  const folder = await mkdtemp(join(tmpdir(), 'push-'));
  try {
    return await pushCase(from, cluster, { deployment, folder, originals: '/originals' });
  } finally {
    await rm(folder, { recursive: true });
  }
}
