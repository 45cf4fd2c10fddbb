import * as v from 'valibot';
import type { Cluster, QueryOptions } from './connection.ts';
import { countByDay, countLost, readKeeping } from './loaded-rows.ts';
import { checkSchema, quotedName, readLayout } from './schema.ts';

/** Contents of a cluster. */
export interface ClusterStatus {
  readonly version: string;
  readonly deployments: readonly DeploymentStatus[];
  /** Parts whose rows are not as many as were loaded, but for logs that were deleted for their age. */
  readonly deviations: readonly PartDeviation[];
  /** Rows of loads that never finished, or that another load replaced. They count nowhere. */
  readonly unfinishedRows: number;
  /** Bytes of the tables on the disk of the server that answers. */
  readonly bytes: number;
  /** Bytes of one log there, with its indexes. */
  readonly bytesPerLog: number;
}

/** Contents of one deployment. */
export interface DeploymentStatus {
  readonly deployment: string;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  /** Times of the first and last log: milliseconds since the epoch. Absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
}

/** A part that has lost logs. */
export interface PartDeviation {
  readonly deployment: string;
  readonly part: number;
  readonly file: string;
  readonly entry: string;
  readonly loaded: number;
  /** Logs that are missing or too many, of the days of which none was deleted for its age. */
  readonly lost: number;
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());
const nullableNumber = v.pipe(
  v.nullable(v.union([v.string(), v.number()])),
  v.transform((value) => (value === null ? undefined : Number(value))),
);

const deploymentRow = v.tuple([v.string(), number, number, number, nullableNumber, nullableNumber]);
const partRow = v.tuple([
  v.string(),
  v.string(),
  number,
  v.string(),
  v.string(),
  number,
  number,
  v.array(number),
  v.array(number),
]);

/**
 * Counts what a cluster holds, row by row, and compares it with what was loaded.
 *
 * ```ts
 * const { deployments, deviations } = await clusterStatus(cluster);
 * ```
 */
export async function clusterStatus(cluster: Cluster, options: QueryOptions = {}): Promise<ClusterStatus> {
  await checkSchema(cluster);
  const base = quotedName(cluster.address.database);
  const counted = `SELECT load, count() AS found, minIf(time, time >= -8640000000000000) AS first,
    max(time) AS last, countIf(time >= -8640000000000000) AS timed FROM ${base}.log_rows GROUP BY load`;
  const joined = `${base}.parts AS parts GLOBAL LEFT JOIN (${counted}) AS stored ON parts.load = stored.load`;
  const deployments = await cluster.query(
    `SELECT deployment, count(), sum(found), sum(unreadable), minOrNullIf(first, timed > 0), maxOrNullIf(last, timed > 0)
     FROM ${joined} GROUP BY deployment ORDER BY deployment`,
    options,
  );
  const stored = await countByDay(cluster, options);
  const keeping = await readKeeping(cluster, options);
  const parts = await cluster.query(
    `SELECT toString(load), deployment, part, file, entry, logs, toUnixTimestamp64Milli(committed), mapKeys(days), mapValues(days)
     FROM ${base}.parts ORDER BY part`,
    options,
  );
  const server = await readFacts(cluster, options);
  return {
    ...server,
    deployments: deployments.map((row) => {
      const [deployment, parts, logs, unreadable, first, last] = v.parse(deploymentRow, row);
      return {
        deployment,
        parts,
        logs,
        unreadable,
        ...(first !== undefined && last !== undefined && { first, last }),
      };
    }),
    deviations: parts.flatMap((row) => {
      const [load, deployment, part, file, entry, logs, added, dates, counts] = v.parse(partRow, row);
      const days = new Map(dates.map((date, index) => [date, counts[index] ?? 0]));
      const lost = countLost({ days, added }, stored.get(load) ?? new Map(), keeping);
      return lost === 0 ? [] : [{ deployment, part, file, entry, loaded: logs, lost }];
    }),
  };
}

const facts = v.tuple([v.string(), number, number, v.nullable(v.number())]);

/** Reads the version of the server, the rows that count nowhere, and the bytes on its disk. */
async function readFacts(
  cluster: Cluster,
  options: QueryOptions,
): Promise<Pick<ClusterStatus, 'version' | 'unfinishedRows' | 'bytes' | 'bytesPerLog'>> {
  const { database } = cluster.address;
  const base = quotedName(database);
  // Of this table a user sees the rows of tables that he may read; `system.parts` needs a grant.
  const tables = "system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree'";
  const [row] = await cluster.query(
    `SELECT version(),
       (SELECT count() FROM ${base}.log_rows WHERE load GLOBAL NOT IN (SELECT load FROM ${base}.parts)),
       ifNull((SELECT sum(total_bytes) FROM ${tables}), 0),
       (SELECT sum(total_bytes) / sum(total_rows) FROM ${tables} AND name IN ('log_rows', 'log_rows_local') AND 0 < total_rows)`,
    { ...options, parameters: [{ name: 'database', type: 'String', value: database }] },
  );
  const [version, unfinishedRows, bytes, bytesPerLog] = v.parse(facts, row);
  return { version, unfinishedRows, bytes, bytesPerLog: Math.round(bytesPerLog ?? 0) };
}

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
