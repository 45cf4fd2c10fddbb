import * as v from 'valibot';
import { noTime } from '../language/index.ts';
import { textFields } from '../records/index.ts';
import { ClusterError } from './address.ts';
import type { Cluster, QueryOptions } from './connection.ts';

/** Version of the tables below. */
export const schemaVersion = 1;

/** Options of the tables. */
export interface SchemaOptions {
  /** Cluster of the servers' configuration: each table is on all its shards, with a Distributed table over it. */
  readonly cluster?: string | undefined;
  /** Statements change one server of the cluster: the servers have no Keeper to pass them on. Default: all servers. */
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

/** Fields whose words have an index: those of a bare word, as one without an index would be read whole for all of them. */
const indexed = [
  'msg',
  'source',
  'className',
  'username',
  'stackTraces',
  'serviceTypes',
  'logLevel',
  'requestID',
];

const tokenIndexes = indexed
  .map((field) => `INDEX \`${field}_terms\` \`${field}_tokens\` TYPE text(tokenizer = 'array')`)
  .join(', ');

/** Indexes of a log by its number, and of those of a request by their text. */
const valueIndexes =
  'INDEX ids id TYPE minmax GRANULARITY 1, INDEX `requestID_texts` `requestID` TYPE bloom_filter(0.001) GRANULARITY 1';

const logColumns = `deployment LowCardinality(String), load UUID, id Int64 CODEC(Delta, ZSTD(1)), part Int32, entry LowCardinality(String),
  position Int64 CODEC(Delta, ZSTD(1)), byte_offset Nullable(Int64), byte_length Nullable(Int32), time Int64 CODEC(Delta, ZSTD(1)),
  \`logCode\` Nullable(Int64), elapsed Nullable(Float64), extra String CODEC(ZSTD(3)), ${textFields.map(textColumns).join(', ')},
  added DateTime DEFAULT now(), ${tokenIndexes}, ${valueIndexes}`;

const loadColumns = `load UUID, deployment LowCardinality(String), part_key String, part Int32, file String, file_sha256 String, entry String,
  entry_number Int64, entry_sha256 String, bytes Int64, format LowCardinality(String), logs Int64, unreadable Int64, remarks String,
  problem String, problem_message String, job String, days Map(Int64, Int64), added DateTime64(3, 'UTC'), zone String, originals String,
  committed DateTime64(3, 'UTC') DEFAULT now64(3), digests Map(Int64, UInt64), unreadable_digest UInt64, file_parts Int32`;

/** A table: its columns, how it is stored, and the key that spreads it over shards. */
interface Table {
  readonly columns: string;
  readonly storage: string;
  readonly shardBy: string;
}

/** Days since the epoch. A log without a time is on a day of its own. */
export const dayExpression = 'intDiv(time, 86400000)';

/** The time after which a log is kept for some days, in seconds: its own, or, if that is none of a clock, that of adding. */
const age = 'if(time BETWEEN 0 AND 4294967295000, intDiv(time, 1000), toUnixTimestamp(added))';

const ttlOf = (keepDays: number) => `TTL toDateTime(${age}) + toIntervalDay(${Math.trunc(keepDays)})`;

/** A table whose rows each shard has, so that none is lost with a shard: `place` spreads the copies of a row. */
const everywhere = (columns: string) => ({ columns: `${columns}, place UInt64`, shardBy: 'place' });

function tablesFor({ keepDays }: SchemaOptions): Readonly<Record<string, Table>> {
  const ttl = keepDays === undefined ? '' : ` ${ttlOf(keepDays)}`;
  return {
    log_rows: {
      columns: logColumns,
      // The parts of a day age together, so that the server drops them whole.
      storage: `PARTITION BY intDiv(${age}, 86400) ORDER BY (deployment, time, id)${ttl} SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1`,
      // Neighbours in a case stay together.
      shardBy: 'intHash64(intDiv(id, 8192))',
    },
    unreadable_rows: {
      columns: `deployment LowCardinality(String), load UUID, part Int32, entry String, position Int64, byte_offset Nullable(Int64),
        byte_length Nullable(Int64), code LowCardinality(String), reason String, raw String CODEC(ZSTD(3)), added DateTime DEFAULT now()`,
      storage: 'ORDER BY (load, position)',
      shardBy: 'cityHash64(load)',
    },
    loads: { ...everywhere(loadColumns), storage: 'ORDER BY (deployment, part_key, load)' },
    dropped_loads: {
      ...everywhere("load UUID, dropped DateTime64(3, 'UTC') DEFAULT now64(3)"),
      storage: 'ORDER BY load',
    },
    reservations: {
      columns: 'push UUID, first_id Int64, ids Int64, first_part Int32, parts Int32',
      storage: 'ORDER BY first_id',
      shardBy: '0',
    },
    // The times that the exports of each pushed case requested.
    coverages: {
      ...everywhere(
        "deployment LowCardinality(String), source String, actions Int64, coverage String, pushed DateTime64(3, 'UTC') DEFAULT now64(3)",
      ),
      storage: 'ORDER BY (deployment, source, actions)',
    },
    about: {
      ...everywhere("version Int32, keep_days Int32, created DateTime64(3, 'UTC') DEFAULT now64(3)"),
      storage: 'ORDER BY version',
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

/** SELECTs of rows that count, for searches and users: each shard runs them on its own rows. */
const rowViews: Readonly<Record<string, string>> = {
  searchable_logs: `SELECT deployment, id, time, \`logCode\`, elapsed, ${logFields}, extra, part, entry, position,
    ${textFields.map((field) => `\`${field}_tokens\``).join(', ')} FROM log_rows ${rowsOfVisible}`,
  logs: `SELECT deployment, id, if(rows.time = ${noTime}, NULL, fromUnixTimestamp64Milli(rows.time, 'UTC')) AS time, \`logCode\`, elapsed,
    ${textFields.map((field) => `nullIf(rows.\`${field}\`, '') AS \`${field}\``).join(', ')}, nullIf(rows.extra, '') AS extra, part, entry, position
    FROM log_rows AS rows ${rowsOfVisible}`,
  unreadable: `SELECT deployment, part, entry, position, code, reason, raw FROM unreadable_rows ${rowsOfVisible}`,
};

/** Views over the whole. */
const views: Readonly<Record<string, string>> = {
  requests: `SELECT deployment, \`requestID\`, count() AS logs, min(time) AS first, max(time) AS last, max(elapsed) AS elapsed,
    min(username) AS username, count(DISTINCT machine) AS machines FROM logs WHERE \`requestID\` IS NOT NULL
    GROUP BY deployment, \`requestID\``,
  parts: `SELECT deployment, part, file, file_sha256, entry, entry_number, entry_sha256, bytes, format, logs, unreadable, remarks, problem,
    problem_message, job, added, zone, originals, committed, load, days, digests, unreadable_digest, file_parts FROM loads ${rowsOfVisible} LIMIT 1 BY load`,
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
 * Returns the statements that create the missing tables of a database, each ready to run. Running them again changes
 * nothing but `keepDays`.
 */
export function schemaStatements(database: string, options: SchemaOptions = {}): readonly string[] {
  const base = quotedName(database);
  const { onCluster, localOf } = tablePlacement(options);
  const createView = (name: string, select: string) =>
    `CREATE OR REPLACE VIEW ${base}.${name}${onCluster} AS ${withDatabase(select, base)}`;
  const statements = [
    `CREATE DATABASE IF NOT EXISTS ${base}${onCluster}`,
    ...Object.entries(tablesFor(options)).flatMap(([name, table]) =>
      tableStatements(name, table, { base, options }),
    ),
    ...Object.entries(rowViews).flatMap(([name, select]) => {
      const local = select.replace(/FROM (\w+_rows)\b/, (_, table: string) => `FROM ${localOf(table)}`);
      const create = createView(localOf(name), local);
      return options.cluster === undefined
        ? [create]
        : [create, distributedStatement(name, 'rand()', { base, options })];
    }),
    ...Object.entries(views).map(([name, select]) => createView(name, select)),
  ];
  if (options.keepDays !== undefined)
    statements.push(
      `ALTER TABLE ${base}.${localOf('log_rows')}${onCluster} MODIFY ${ttlOf(options.keepDays)}`,
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
  return cluster === undefined
    ? [statement]
    : [statement, distributedStatement(name, shardBy, { base, options })];
}

/** The statement of a table over those of all shards. */
function distributedStatement(name: string, shardBy: string, { base, options }: Target): string {
  const { onCluster, localOf } = tablePlacement(options);
  const local = localOf(name);
  return `CREATE TABLE IF NOT EXISTS ${base}.${name}${onCluster} AS ${base}.${local}
    ENGINE = Distributed(${quotedName(options.cluster ?? '')}, ${base}, ${local}, ${shardBy})`;
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
    `CREATE ROLE IF NOT EXISTS ${writer}${onCluster}`,
    `GRANT${onCluster} SELECT, INSERT, ALTER DELETE ON ${tables} TO ${writer}`,
    ...(options.cluster === undefined
      ? []
      : [`GRANT${onCluster} SELECT ON system.clusters TO ${reader}, ${writer}`]),
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
 * Creates the missing tables of the database of a cluster. Tables that exist keep their cluster. Rejects with `CLUSTER_SCHEMA` if a newer version created them or they are on another cluster,
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
    const places = isForOneServer ? '[0]' : await placesOf(cluster);
    await cluster.command(
      `INSERT INTO ${quotedName(database)}.${about} (version, keep_days, place) SELECT ${schemaVersion}, ${keepDays ?? 0}, arrayJoin(${places})`,
    );
  }
  return { ...(layout.cluster !== undefined && { cluster: layout.cluster }), isForOneServer };
}

/** Returns SQL of the list of a `place` for each shard: a row with each of them is on every shard. */
export async function placesOf(cluster: Cluster, options: QueryOptions = {}): Promise<string> {
  const { cluster: name } = await readLayout(cluster, {}, options);
  if (name === undefined) return '[0]';
  const shards =
    'SELECT DISTINCT shard_num, shard_weight FROM system.clusters WHERE cluster = {cluster:String} AND 0 < shard_weight';
  const [row] = await cluster.query(
    `SELECT toString(groupArray(place)) FROM (SELECT sum(shard_weight) OVER (ORDER BY shard_num) - shard_weight AS place FROM (${shards}))`,
    { ...options, parameters: [{ name: 'cluster', type: 'String', value: name }] },
  );
  return String(row?.[0]);
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
  try {
    const [row] = await cluster.query(`SELECT max(version) FROM ${quotedName(database)}.about`);
    return Number(row?.[0]) || undefined;
  } catch (error) {
    // A user without a grant does not see the table either: the server says then what he lacks.
    if (tables === 0 && error instanceof ClusterError && error.code === 'CLUSTER_SCHEMA') return undefined;
    throw error;
  }
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
