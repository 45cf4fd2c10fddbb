import * as v from 'valibot';
import { ClusterError } from './cluster-error.ts';
import type { Cluster } from './connection.ts';
import { readLayout } from './layout.ts';
import { quotedName, type SchemaOptions, schemaStatements, schemaVersion, tablePlacement } from './schema.ts';

/** Oldest release with the text index as the tables use it. */
const oldestServer = [26, 4] as const;

/** Options of creating tables. */
export type InitOptions = Omit<SchemaOptions, 'isForOneServer'>;

/** Result of creating tables. */
export interface Initialized {
  /** The cluster that the tables are on; absent for a single server. */
  readonly cluster?: string;
  /** The servers have no Keeper to pass statements on: only this one has changed. */
  readonly isForOneServer: boolean;
}

/**
 * Creates the missing tables of the database of a cluster, and migrates those of an older version. Tables that exist
 * keep their cluster. Rejects with `CLUSTER_SCHEMA` if a newer version created them or they are on another cluster,
 * and with `CLUSTER_VERSION` if the server is too old.
 *
 * ```ts
 * await initCluster(cluster, { keepDays: 400 });
 * ```
 */
export async function initCluster(cluster: Cluster, options: InitOptions = {}): Promise<Initialized> {
  const { database } = cluster.address;
  const existing = await versionOf(cluster).catch((error: unknown) => {
    // Other servers of the cluster may be without tables yet.
    if (error instanceof ClusterError && error.code === 'CLUSTER_SCHEMA') return undefined;
    throw error;
  });
  if (existing !== undefined) refuseNewer(existing, database);
  const layout = { ...options, ...(await readLayout(cluster, options)) };
  const isForOneServer = layout.cluster !== undefined && !(await passesOn(cluster, layout));
  const schema = { ...layout, isForOneServer };
  for (const statement of schemaStatements(database, schema)) await cluster.command(statement);
  const { keepDays } = options;
  if (existing !== schemaVersion || keepDays !== undefined) {
    const about = isForOneServer ? tablePlacement(schema).localOf('about') : 'about';
    await cluster.command(
      `INSERT INTO ${quotedName(database)}.${about} (version, keep_days) VALUES (${schemaVersion}, ${keepDays ?? 0})`,
    );
  }
  return { ...(layout.cluster !== undefined && { cluster: layout.cluster }), isForOneServer };
}

/** Reports if the servers of a cluster pass statements on to each other, by creating the database. */
async function passesOn(cluster: Cluster, schema: SchemaOptions): Promise<boolean> {
  const { onCluster } = tablePlacement(schema);
  const database = quotedName(cluster.address.database);
  try {
    await cluster.command(`CREATE DATABASE IF NOT EXISTS ${database}${onCluster}`);
    return true;
  } catch (error) {
    if (isWithoutKeeper(error)) return false;
    throw error;
  }
}

/** Reports if a statement failed because the servers have no Keeper to pass it on. */
export function isWithoutKeeper(error: unknown): boolean {
  return (
    error instanceof ClusterError &&
    /\((QUERY_IS_PROHIBITED|NO_ELEMENTS_IN_CONFIG|NO_ZOOKEEPER)\)$/.test(error.message)
  );
}

/**
 * Rejects with `CLUSTER_SCHEMA` unless the database has tables that this version reads, and with `CLUSTER_VERSION` if
 * the server is too old. Returns the version of the tables.
 */
export async function checkSchema(cluster: Cluster): Promise<number> {
  const { database } = cluster.address;
  const version = await versionOf(cluster);
  if (version === undefined)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has no tables for logs: run "logquarry cluster init"`,
    );
  refuseNewer(version, database);
  return version;
}

/** Rejects as `checkSchema` does, and with `CLUSTER_SCHEMA` if the tables have to be migrated before logs are added. */
export async function checkWritableSchema(cluster: Cluster): Promise<void> {
  const version = await checkSchema(cluster);
  if (version < schemaVersion)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${cluster.address.database}" has tables of version ${version}, and logs are added to those of version ${schemaVersion}: run "logquarry cluster init" once more`,
    );
}

function refuseNewer(version: number, database: string): void {
  if (schemaVersion < version)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has tables of version ${version}; this program reads versions up to ${schemaVersion}. Use a newer logquarry`,
    );
}

const state = v.tuple([v.pipe(v.union([v.string(), v.number()]), v.transform(Number)), v.string()]);

/** Returns the version of the tables; undefined without tables. */
async function versionOf(cluster: Cluster): Promise<number | undefined> {
  const { database } = cluster.address;
  const [found] = await cluster.query(
    "SELECT count(), version() FROM system.tables WHERE database = {database:String} AND name = 'about'",
    { parameters: [{ name: 'database', type: 'String', value: database }] },
  );
  const [tables, server] = v.parse(state, found);
  refuseOld(server);
  if (tables === 0) return undefined;
  const [row] = await cluster.query(`SELECT max(version) FROM ${quotedName(database)}.about`);
  return Number(row?.[0]) || undefined;
}

function refuseOld(server: string): void {
  const [major = 0, minor = 0] = server.split('.').map(Number);
  const [oldest, release] = oldestServer;
  if (oldest < major || (major === oldest && release <= minor)) return;
  throw new ClusterError(
    'CLUSTER_VERSION',
    `The server is ClickHouse ${server}, and ${oldestServer.join('.')} or newer is required for the index of words`,
  );
}
