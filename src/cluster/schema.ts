import { noTime } from '../language/index.ts';
import { textFields } from '../records/index.ts';

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
  return statements.map((each) => each.replaceAll(/\s+/g, ' '));
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
  const made = `CREATE TABLE IF NOT EXISTS ${base}.${local}${onCluster} (${columns}) ENGINE = ${engine} ${storage}`;
  if (cluster === undefined) return [made];
  return [
    made,
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
      (each) =>
        `ALTER TABLE ${base}.${each}${onCluster} ${added.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`,
    ),
  );
}

/** Names the database of each table of a view. */
function withDatabase(select: string, base: string): string {
  return select.replaceAll(/FROM (\w+)/g, `FROM ${base}.$1`);
}
