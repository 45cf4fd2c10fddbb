import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { parseClusterAddress } from '../../src/cluster/address.ts';
import { type Cluster, openCluster } from '../../src/cluster/connection.ts';
import { pushCase } from '../../src/cluster/push-case.ts';
import { initCluster } from '../../src/cluster/schema.ts';
import { clusterName, type Server } from './start-server.ts';

/** Opens a database with tables for logs. */
export async function openDatabase(address: string): Promise<Cluster> {
  const cluster = openCluster(parseClusterAddress(address));
  await initCluster(cluster);
  return cluster;
}

/** Opens a database of two shards. Its logs alternate between them: by the usual key few logs are on one. */
export async function openSpreadDatabase(
  shards: readonly [Server, Server],
  database: string,
): Promise<Cluster> {
  for (const shard of shards) {
    await using each = openCluster(parseClusterAddress(shard.address(database)));
    await initCluster(each, { cluster: clusterName });
    await shard.ask(`DROP TABLE ${database}.log_rows SYNC`);
    await shard.ask(
      `CREATE TABLE ${database}.log_rows AS ${database}.log_rows_local ENGINE = Distributed(${clusterName}, ${database}, log_rows_local, id)`,
    );
  }
  return openCluster(parseClusterAddress(shards[0].address(database)));
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

/** Makes a case with parts of as many logs each, some of them of another day, and an unreadable record. */
export async function madeCase(path: string, parts: number, logs: number): Promise<void> {
  await using made = await openCase(path, { access: 'write', create: true });
  for (let part = 0; part < parts; part += 1) {
    const lines = Array.from({ length: logs }, (_, index) =>
      JSON.stringify({
        time: 1_700_000_000_000 + 50_000 * (part * logs + index),
        msg: `Request ${part} ${index} timed out`,
        elapsed: index / 7,
        code: 9003,
        ...(index % 9 === 0 && { logLevel: 'SEVERE', stackTraces: `at a.b.C\n at d${index % 5}` }),
      }),
    );
    lines[1] = JSON.stringify({ msg: `Request ${part} 1 without a time`, source: '' });
    const bytes = new TextEncoder().encode(`${lines.join('\n')}\nnonsense\n`);
    await addFile(made, { name: `part-${part}.ndjson`, bytes });
  }
}
