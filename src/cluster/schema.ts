import * as v from 'valibot';
import { noTime } from '../language/index.ts';
import { textFields } from '../records/index.ts';
import { ClusterError } from './address.ts';
import type { Cluster, QueryOptions } from './connection.ts';

/** Version of the tables below. */
export const schemaVersion = 3;

/** Options of the tables. */
export interface SchemaOptions {
  /** Cluster of the servers' configuration: each table is on all its shards, with a Distributed table over it. */
  readonly cluster?: string | undefined;
  /** Statements change one server of the cluster: the servers have no Keeper to pass them on. Default: all of them. */
  readonly isForOneServer?: boolean;
  /** Tables are replicated: the servers need ClickHouse Keeper, and the macros `shard` and `replica`. */
  readonly isReplicated?: boolean;
  /** Days after which logs are deleted by their time. Default: never. */
  readonly keepDays?: number | undefined;
}

/** Texts with few different values. */
const repeated: ReadonlySet<string> = new Set([
  ...['logLevel', 'source', 'className', 'methodName', 'username', 'serviceTypes', 'machine', 'process'],
]);

/** The columns of a text field: its value, and its tokens with an index over them. */
function textColumns(field: string): string {
  const type = repeated.has(field) ? 'LowCardinality(String)' : 'String CODEC(ZSTD(3))';
  const tokens = repeated.has(field) ? 'Array(LowCardinality(String))' : 'Array(String) CODEC(ZSTD(3))';
  return `\`${field}\` ${type}, \`${field}_tokens\` ${tokens}`;
}

const tokenIndexes = ['msg', 'stackTraces', 'requestID']
  .map((field) => `INDEX \`${field}_terms\` \`${field}_tokens\` TYPE text(tokenizer = 'array')`)
  .join(', ');

const logColumns = `deployment LowCardinality(String), load UUID, id Int64 CODEC(Delta, ZSTD(1)), part Int32, entry LowCardinality(String),
  position Int64 CODEC(Delta, ZSTD(1)), byte_offset Nullable(Int64), byte_length Nullable(Int32), time Int64 CODEC(Delta, ZSTD(1)),
  \`logCode\` Nullable(Int64), elapsed Nullable(Float64), extra String CODEC(ZSTD(3)), ${textFields.map(textColumns).join(', ')},
  added DateTime DEFAULT now(), ${tokenIndexes}`;

/** Columns of version 2: digests of rows by the day of logs and of unreadable records, and the parts of the file. */
const digestColumns = ['digests Map(Int64, UInt64)', 'unreadable_digest UInt64', 'file_parts Int32'];

const loadColumns = `load UUID, deployment LowCardinality(String), part_key String, part Int32, file String, file_sha256 String, entry String,
  entry_number Int64, entry_sha256 String, bytes Int64, format LowCardinality(String), logs Int64, unreadable Int64, remarks String,
  problem String, problem_message String, job String, days Map(Int64, Int64), added DateTime64(3, 'UTC'), zone String, originals String,
  committed DateTime64(3, 'UTC') DEFAULT now64(3), ${digestColumns.join(', ')}`;

/** A table: its columns, how it is stored, and the key that spreads it over shards. */
interface Table {
  readonly columns: string;
  readonly storage: string;
  readonly shardBy: string;
}

/** Days since the epoch. A log without a time is on a day of its own. */
export const dayExpression = 'intDiv(time, 86400000)';

/** The time after which a log is kept for some days: its own, or, if that is none of a clock, that of adding. */
const age = 'toDateTime(if(time BETWEEN 0 AND 4294967295000, intDiv(time, 1000), toUnixTimestamp(added)))';

function tablesFor({ keepDays }: SchemaOptions): Readonly<Record<string, Table>> {
  const ttl = keepDays === undefined ? '' : ` TTL ${age} + toIntervalDay(${Math.trunc(keepDays)})`;
  return {
    log_rows: {
      columns: logColumns,
      storage: `PARTITION BY ${dayExpression} ORDER BY (time, id)${ttl} SETTINGS index_granularity = 8192`,
      // Neighbours in a case stay together.
      shardBy: 'intHash64(intDiv(id, 8192))',
    },
    unreadable_rows: {
      columns: `deployment LowCardinality(String), load UUID, part Int32, entry String, position Int64, byte_offset Nullable(Int64),
        byte_length Nullable(Int64), code LowCardinality(String), reason String, raw String CODEC(ZSTD(3)), added DateTime DEFAULT now()`,
      storage: 'ORDER BY (load, position)',
      shardBy: 'cityHash64(load)',
    },
    loads: {
      columns: loadColumns,
      storage: 'ORDER BY (deployment, part_key, load)',
      shardBy: 'cityHash64(part_key)',
    },
    dropped_loads: {
      columns: "load UUID, dropped DateTime64(3, 'UTC') DEFAULT now64(3)",
      storage: 'ORDER BY load',
      shardBy: 'cityHash64(load)',
    },
    reservations: {
      columns: 'push UUID, first_id Int64, ids Int64, first_part Int32, parts Int32',
      storage: 'ORDER BY first_id',
      shardBy: '0',
    },
    // Version 3: the times that the exports of each pushed case requested.
    coverages: {
      columns:
        "deployment LowCardinality(String), source String, actions Int64, coverage String, pushed DateTime64(3, 'UTC') DEFAULT now64(3)",
      storage: 'ORDER BY (deployment, source, actions)',
      shardBy: 'cityHash64(source)',
    },
    about: {
      columns: "version Int32, keep_days Int32, created DateTime64(3, 'UTC') DEFAULT now64(3)",
      storage: 'ORDER BY version',
      shardBy: '0',
    },
  };
}

/**
 * One load of each part counts: of writers that loaded the same part, the one with the least id. A load whose rows
 * were given up for deletion never counts, even if its writer ends it later.
 */
const visibleLoads =
  'SELECT min(load) FROM loads WHERE load GLOBAL NOT IN (SELECT load FROM dropped_loads) GROUP BY deployment, part_key';

const rowsOfVisible = `WHERE load GLOBAL IN (${visibleLoads})`;

const logFields = textFields.map((field) => `\`${field}\``).join(', ');

/**
 * SQL of the logs that count, to stand behind FROM: conditions follow with AND. Unlike the view `searchable_logs` it reads
 * the Distributed table itself, so that each shard groups, sorts and limits its own rows and sends what is left of them.
 */
export function visibleLogs(database: string): string {
  const base = quotedName(database);
  return `${base}.log_rows ${withDatabase(rowsOfVisible, base)}`;
}

/** Views for searches and users. */
const views: Readonly<Record<string, string>> = {
  searchable_logs: `SELECT deployment, id, time, \`logCode\`, elapsed, ${logFields}, extra, part, entry, position,
    ${textFields.map((field) => `\`${field}_tokens\``).join(', ')} FROM log_rows ${rowsOfVisible}`,
  logs: `SELECT deployment, id, if(rows.time = ${noTime}, NULL, fromUnixTimestamp64Milli(rows.time, 'UTC')) AS time, \`logCode\`, elapsed,
    ${textFields.map((field) => `nullIf(rows.\`${field}\`, '') AS \`${field}\``).join(', ')}, nullIf(rows.extra, '') AS extra, part, entry, position
    FROM log_rows AS rows ${rowsOfVisible}`,
  requests: `SELECT deployment, \`requestID\`, count() AS logs, min(time) AS first, max(time) AS last, max(elapsed) AS elapsed,
    min(username) AS username, count(DISTINCT machine) AS machines FROM logs WHERE \`requestID\` IS NOT NULL
    GROUP BY deployment, \`requestID\``,
  parts: `SELECT deployment, part, file, file_sha256, entry, entry_number, entry_sha256, bytes, format, logs, unreadable, remarks, problem,
    problem_message, job, added, zone, originals, committed, load, days, digests, unreadable_digest, file_parts FROM loads ${rowsOfVisible} LIMIT 1 BY load`,
  unreadable: `SELECT deployment, part, entry, position, code, reason, raw FROM unreadable_rows ${rowsOfVisible}`,
};

/** A name as SQL. */
export function quotedName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

/** The part of a statement that makes the servers of a cluster run it, and the table that holds the rows. */
export function tablePlacement({ cluster, isForOneServer = false }: SchemaOptions) {
  const onCluster = cluster === undefined || isForOneServer ? '' : ` ON CLUSTER ${quotedName(cluster)}`;
  return { onCluster, localOf: (table: string) => (cluster === undefined ? table : `${table}_local`) };
}

/**
 * Returns the statements that create the missing tables of a database and migrate those of older versions, each
 * ready to run. Running them again changes nothing but `keepDays`.
 */
export function schemaStatements(database: string, options: SchemaOptions = {}): readonly string[] {
  const base = quotedName(database);
  const { onCluster, localOf } = tablePlacement(options);
  const statements = [
    `CREATE DATABASE IF NOT EXISTS ${base}${onCluster}`,
    ...Object.entries(tablesFor(options)).flatMap(([name, table]) =>
      tableStatements(name, table, { base, options }),
    ),
    ...migrations({ base, options }),
    ...Object.entries(views).map(
      ([name, select]) =>
        `CREATE OR REPLACE VIEW ${base}.${name}${onCluster} AS ${withDatabase(select, base)}`,
    ),
  ];
  if (options.keepDays !== undefined)
    statements.push(
      `ALTER TABLE ${base}.${localOf('log_rows')}${onCluster} MODIFY TTL ${age} + toIntervalDay(${Math.trunc(options.keepDays)})`,
    );
  return statements.map((statement) => statement.replaceAll(/\s+/g, ' '));
}

interface Target {
  /** The database as SQL. */
  readonly base: string;
  readonly options: SchemaOptions;
}

function tableStatements(
  name: string,
  { columns, storage, shardBy }: Table,
  { base, options }: Target,
): readonly string[] {
  const { cluster, isReplicated } = options;
  const { onCluster, localOf } = tablePlacement(options);
  const local = localOf(name);
  const engine = isReplicated ? 'ReplicatedMergeTree' : 'MergeTree';
  const statement = `CREATE TABLE IF NOT EXISTS ${base}.${local}${onCluster} (${columns}) ENGINE = ${engine} ${storage}`;
  if (cluster === undefined) return [statement];
  return [
    statement,
    `CREATE TABLE IF NOT EXISTS ${base}.${name}${onCluster} AS ${base}.${local}
       ENGINE = Distributed(${quotedName(cluster)}, ${base}, ${local}, ${shardBy})`,
  ];
}

/** Adds the columns of version 2 to tables of version 1. */
function migrations({ base, options }: Target): readonly string[] {
  const { onCluster, localOf } = tablePlacement(options);
  const columns: Readonly<Record<string, readonly string[]>> = {
    loads: digestColumns,
    unreadable_rows: ['added DateTime DEFAULT now()'],
  };
  return Object.entries(columns).flatMap(([table, added]) =>
    [...new Set([localOf(table), table])].map(
      (tableName) =>
        `ALTER TABLE ${base}.${tableName}${onCluster} ${added.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`,
    ),
  );
}

/** Names the database of each table of a view. */
function withDatabase(select: string, base: string): string {
  return select.replaceAll(/FROM (\w+)/g, `FROM ${base}.$1`);
}

/**
 * Returns the statements that create a role for readers and one for writers of a database, each ready to run by an
 * administrator. A reader may read the logs and nothing else: no other table, no file, no address.
 *
 * ```ts
 * roleStatements('gis')[0]; // 'CREATE ROLE IF NOT EXISTS `gis_reader` SETTINGS max_execution_time = 60 MAX 3600, …'
 * ```
 */
export function roleStatements(database: string, options: SchemaOptions = {}): readonly string[] {
  const { onCluster } = tablePlacement(options);
  const [reader, writer] = [quotedName(`${database}_reader`), quotedName(`${database}_writer`)];
  const tables = `${quotedName(database)}.*`;
  const limits = 'max_execution_time = 60 MAX 3600, max_memory_usage = 4000000000 MAX 16000000000';
  return [
    `CREATE ROLE IF NOT EXISTS ${reader}${onCluster} SETTINGS ${limits}`,
    `GRANT${onCluster} SELECT ON ${tables} TO ${reader}`,
    ...(options.cluster === undefined ? [] : [`GRANT${onCluster} SELECT ON system.clusters TO ${reader}`]),
    `CREATE ROLE IF NOT EXISTS ${writer}${onCluster}`,
    `GRANT${onCluster} SELECT, INSERT, ALTER DELETE ON ${tables} TO ${writer}`,
  ];
}

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

/** The distribution of the tables of a database over servers. */
type ClusterLayout = Pick<SchemaOptions, 'cluster' | 'isReplicated'>;

const engines = v.array(v.tuple([v.string(), v.string(), v.string()]));

/**
 * Returns the layout of the tables of a database, or the wanted one if there are none. Rejects with `CLUSTER_SCHEMA`
 * if they are spread otherwise than wanted.
 */
export async function readLayout(
  cluster: Cluster,
  layout: ClusterLayout = {},
  options: QueryOptions = {},
): Promise<ClusterLayout> {
  const { database } = cluster.address;
  const rows = await cluster.query(
    "SELECT name, engine, engine_full FROM system.tables WHERE database = {database:String} AND name IN ('log_rows', 'log_rows_local')",
    { ...options, parameters: [{ name: 'database', type: 'String', value: database }] },
  );
  const found = new Map(v.parse(engines, rows).map(([name, ...rest]) => [name, rest]));
  const [engine, definition = ''] = found.get('log_rows') ?? [];
  if (engine === undefined) return layout;
  const name = /^Distributed\('((?:[^'\\]|\\.)*)'/.exec(definition)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const [storage = engine] = found.get('log_rows_local') ?? [];
  if (layout.cluster !== undefined && layout.cluster !== name)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has tables on ${name === undefined ? 'one server' : `the cluster "${name}"`}, which stay there: name another database for the cluster "${layout.cluster}"`,
    );
  const isReplicated = storage.startsWith('Replicated');
  if (layout.isReplicated && !isReplicated)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has tables that are not replicated: name another database for replicated ones`,
    );
  return { isReplicated, ...(name !== undefined && { cluster: name }) };
}
