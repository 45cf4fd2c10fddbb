import * as v from 'valibot';
import type { Cluster } from './connection.ts';
import { readLayout } from './layout.ts';
import { quotedName } from './schema.ts';

/** A shard that does not answer. */
export interface MissingShard {
  readonly number: number;
  /** Host and port of each of its replicas. */
  readonly servers: readonly string[];
}

const definedShards = v.array(v.tuple([v.number(), v.array(v.string())]));

/** Returns the shards of the cluster that do not answer for the table of logs. None for tables on one server. */
export async function missingShards(cluster: Cluster): Promise<readonly MissingShard[]> {
  const { cluster: name } = await readLayout(cluster);
  if (name === undefined) return [];
  // Each shard that answers gives a row of its own, also one without logs.
  const answers = await cluster.query(
    `SELECT shardNum(), count() FROM ${quotedName(cluster.address.database)}.log_rows`,
    { settings: { skip_unavailable_shards: 1, distributed_group_by_no_merge: 1 } },
  );
  const answering = new Set(answers.map(([shard]) => Number(shard)));
  const rows = await cluster.query(
    `SELECT shard_num, groupArray(concat(host_name, ':', toString(port))) FROM system.clusters
     WHERE cluster = {cluster:String} GROUP BY shard_num ORDER BY shard_num`,
    { parameters: [{ name: 'cluster', type: 'String', value: name }] },
  );
  return v
    .parse(definedShards, rows)
    .filter(([number]) => !answering.has(number))
    .map(([number, servers]) => ({ number, servers }));
}
