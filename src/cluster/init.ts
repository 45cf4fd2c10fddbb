import { ClusterError } from './cluster-error.ts';
import type { Cluster } from './connection.ts';
import { quotedName, type SchemaOptions, schemaStatements, schemaVersion } from './schema.ts';

/**
 * Creates the missing tables of the database of a cluster. Rejects with `CLUSTER_SCHEMA` if a newer version
 * created them.
 *
 * ```ts
 * await initCluster(cluster, { keepDays: 400 });
 * ```
 */
export async function initCluster(cluster: Cluster, options: SchemaOptions = {}): Promise<void> {
  const { database } = cluster.address;
  const existing = await versionOf(cluster);
  if (existing !== undefined) refuseNewer(existing, database);
  for (const statement of schemaStatements(database, options)) await cluster.command(statement);
  const { keepDays } = options;
  if (existing !== schemaVersion || keepDays !== undefined)
    await cluster.command(
      `INSERT INTO ${quotedName(database)}.about (version, keep_days) VALUES (${schemaVersion}, ${keepDays ?? 0})`,
    );
}

/** Rejects with `CLUSTER_SCHEMA` unless the database has the tables of this version. */
export async function checkSchema(cluster: Cluster): Promise<void> {
  const { database } = cluster.address;
  const version = await versionOf(cluster);
  if (version === undefined)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has no tables for logs: run "logquarry cluster init"`,
    );
  refuseNewer(version, database);
}

function refuseNewer(version: number, database: string): void {
  if (schemaVersion < version)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has tables of version ${version}; this program reads versions up to ${schemaVersion}. Use a newer logquarry`,
    );
}

async function versionOf(cluster: Cluster): Promise<number | undefined> {
  const { database } = cluster.address;
  const [found] = await cluster.query(
    "SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'about'",
    { parameters: [{ name: 'database', type: 'String', value: database }] },
  );
  if (Number(found?.[0]) === 0) return undefined;
  const [row] = await cluster.query(`SELECT max(version) FROM ${quotedName(database)}.about`);
  return Number(row?.[0]) || undefined;
}
