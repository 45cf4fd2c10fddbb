import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Case,
  digestPart,
  findActions,
  type IdentifiedPart,
  identifyParts,
  type PartDigests,
  type SourceCoverage,
  writePartRows,
} from '../case/index.ts';
import { type ClickhouseParameter, noTime } from '../language/index.ts';
import { textFields } from '../records/index.ts';
import { ClusterError } from './address.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { saveCoverage } from './coverage.ts';
import { deviatingRows, loadDigests, readKeeping } from './loaded-rows.ts';
import { checkSchema, isWithoutKeeper, placesOf, quotedName, readLayout, tablePlacement } from './schema.ts';

/** Options of `pushCase`. */
export interface PushOptions {
  /** Name of the deployment, a column of every log. */
  readonly deployment: string;
  /** Folder for files of one batch. */
  readonly folder: string;
  /** Location of the originals: a folder or an address. */
  readonly originals: string;
  /** Intervals that the exports of the case requested. Recorded once all parts are there. */
  readonly coverage?: readonly SourceCoverage[];
  readonly signal?: AbortSignal;
  /** Called after each batch. */
  readonly onProgress?: (progress: PushProgress) => void;
}

/** Progress of a push. */
export interface PushProgress {
  /** Logs sent so far, and those to send. */
  readonly logs: number;
  readonly total: number;
}

/** Result of a push. */
export interface Pushed {
  /** Parts and logs that this push added. */
  readonly parts: number;
  readonly logs: number;
  /** Parts that the cluster had already. */
  readonly present: number;
}

/** Logs in one INSERT: some tens of megabytes. */
const batchLogs = 200_000;

/** Attempts for a part: each is a load of its own, so that what an unfinished one left never counts. */
const attempts = 3;

/**
 * Copies the parts of a case to a cluster, each whole or not at all, and exactly once whatever breaks. Rows count
 * only when their load is in the table `loads`; several loads of a part count once.
 *
 * ```ts
 * const { logs, present } = await pushCase(incident, cluster, { deployment: 'prod', folder, originals });
 * ```
 */
export async function pushCase(from: Case, cluster: Cluster, options: PushOptions): Promise<Pushed> {
  await checkSchema(cluster);
  const parts = await identifyParts(from);
  const pushed = await pushParts(from, cluster, parts, options);
  const [first, ...others] = await findActions(from);
  if (first && options.coverage)
    await saveCoverage(
      cluster,
      options.deployment,
      { source: first.hash, actions: 1 + others.length, coverage: options.coverage },
      { signal: options.signal },
    );
  return pushed;
}

async function pushParts(
  from: Case,
  cluster: Cluster,
  parts: readonly IdentifiedPart[],
  options: PushOptions,
): Promise<Pushed> {
  const present = await presentKeys(cluster, options);
  const missing = parts.filter(({ key }) => !present.has(key));
  const total = missing.reduce((sum, { logs }) => sum + logs, 0);
  if (missing.length === 0) return { parts: 0, logs: 0, present: parts.length };
  const firstId = Math.min(...missing.map(({ ids }) => ids?.first ?? Number.POSITIVE_INFINITY));
  const lastId = Math.max(0, ...missing.map(({ ids }) => ids?.last ?? 0));
  const firstPart = missing[0]?.part ?? 1;
  const request = { push: randomUUID(), ids: Math.max(1, lastId - firstId + 1), parts: parts.length };
  const reserved = await reserveIds(cluster, request, { signal: options.signal });
  const shift: Reservation = {
    firstId: 0 < total ? reserved.firstId - firstId : 0,
    firstPart: reserved.firstPart - firstPart,
  };
  let logs = 0;
  const onBatch = (count: number) => {
    logs += count;
    options.onProgress?.({ logs, total });
  };
  const fileParts = new Map<string | undefined, number>();
  for (const { fileSha256 } of parts) fileParts.set(fileSha256, (fileParts.get(fileSha256) ?? 0) + 1);
  const push: Push = { from, cluster, options, shift, fileParts, onBatch };
  for (const part of missing) await pushPart(push, part);
  return { parts: missing.length, logs: total, present: parts.length - missing.length };
}

/** Context of the parts of one push. */
interface Push {
  readonly from: Case;
  readonly cluster: Cluster;
  readonly options: PushOptions;
  /** Difference of the numbers in the cluster to those in the case. */
  readonly shift: Reservation;
  /** Parts of each file of the case, by its hash. */
  readonly fileParts: ReadonlyMap<string | undefined, number>;
  readonly onBatch: (logs: number) => void;
}

async function presentKeys(
  cluster: Cluster,
  { deployment, signal }: PushOptions,
): Promise<ReadonlySet<string>> {
  const rows = await cluster.query(
    `SELECT DISTINCT part_key FROM ${quotedName(cluster.address.database)}.loads
       WHERE deployment = {deployment:String} AND load GLOBAL NOT IN (SELECT load FROM ${quotedName(cluster.address.database)}.dropped_loads)`,
    { parameters: [{ name: 'deployment', type: 'String', value: deployment }], signal },
  );
  return new Set(rows.map(([key]) => String(key)));
}

async function pushPart(push: Push, part: IdentifiedPart): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    let sent = 0;
    const onBatch = (logs: number) => {
      sent += logs;
      push.onBatch(logs);
    };
    try {
      return await loadPart({ ...push, onBatch }, part, randomUUID());
    } catch (error) {
      // What a load sent that never counts is sent again.
      push.onBatch(-sent);
      const isRetryable =
        error instanceof ClusterError &&
        (error.code === 'CLUSTER_UNREACHABLE' || error.code === 'CLUSTER_INCOMPLETE');
      if (!isRetryable || attempt === attempts) throw error;
      await wait(1000 * attempt, undefined, { signal: push.options.signal });
    }
  }
}

async function loadPart(push: Push, part: IdentifiedPart, load: string): Promise<void> {
  const { cluster, options } = push;
  const { signal } = options;
  let sent = 0;
  if (part.ids)
    for (let { first } = part.ids; first <= part.ids.last; first += batchLogs) {
      const ids = { first, last: Math.min(part.ids.last, first + batchLogs - 1) };
      const count = await sendRows(push, part, { load, ids });
      sent += count;
      push.onBatch(count);
    }
  if (0 < part.unreadable) await sendRows(push, part, { load });
  const digests = await digestPart(push.from, part.part);
  const problem =
    sent === part.logs ? await arrivalProblem(push, { part, digests, load }) : `${sent} were sent`;
  if (problem !== undefined)
    throw new ClusterError(
      'CLUSTER_INCOMPLETE',
      `The ${part.logs} logs of part ${part.part} did not arrive as they are: ${problem}. The part was not added`,
    );
  const row = loadRow(part, {
    load,
    places: await placesOf(cluster, { signal }),
    ...options,
    digests,
    part: part.part + push.shift.firstPart,
    fileParts: push.fileParts.get(part.fileSha256) ?? 0,
  });
  await cluster.command(`INSERT INTO ${quotedName(cluster.address.database)}.loads ${row.sql}`, {
    parameters: row.parameters,
    signal,
  });
  if (await isDropped(push, load))
    throw new ClusterError('CLUSTER_INCOMPLETE', `The load of part ${part.part} was given up as a dead one`);
}

/** Compares the rows that arrived with those of the case. Returns the difference; undefined if there is none. */
async function arrivalProblem(
  { cluster, options: { signal } }: Push,
  { part, digests, load }: { part: IdentifiedPart; digests: PartDigests; load: string },
): Promise<string | undefined> {
  const keeping = await readKeeping(cluster, { signal });
  const found = (await loadDigests(cluster, { signal, settings: countSettings }, load)).get(load);
  const expected = {
    days: new Map(part.days.map(([day, rows]) => [day, { rows, digest: digests.days.get(day) }])),
    unreadable: { rows: part.unreadable, digest: digests.unreadable },
    added: keeping.now,
  };
  const { miscounted, alteredDays } = deviatingRows(expected, found, keeping);
  if (0 < miscounted) return `${miscounted} are missing or too many`;
  return 0 < alteredDays ? 'some have other values' : undefined;
}

/** Reports if another program gave a load up meanwhile, because its writer paused for long. */
async function isDropped({ cluster, options }: Push, load: string): Promise<boolean> {
  const [row] = await cluster.query(
    `SELECT count() FROM ${quotedName(cluster.address.database)}.dropped_loads WHERE load = '${load}'`,
    { signal: options.signal },
  );
  return Number(row?.[0]) !== 0;
}

/** Sends a batch of logs, or the unreadable records. Returns the number of rows. */
async function sendRows(
  { from, cluster, options, shift }: Push,
  { part }: IdentifiedPart,
  { load, ids }: { readonly load: string; readonly ids?: { readonly first: number; readonly last: number } },
): Promise<number> {
  const { folder, deployment, signal } = options;
  const path = `${folder}/${load}.parquet`;
  try {
    const count = await writePartRows(from, path, { part, ids, signal });
    const sql = (ids ? insertLogsSql : insertUnreadableSql)(quotedName(cluster.address.database), {
      load,
      shift,
    });
    const parameters = [{ name: 'deployment', type: 'String', value: deployment }] as const;
    if (0 < count)
      await cluster.insert(sql, createReadStream(path), { parameters, settings: insertSettings, signal });
    return count;
  } finally {
    await rm(path, { force: true });
  }
}

/** Rows are counted at the replicas that they were sent to: others have them a little later. */
const sameReplicas = { load_balancing: 'in_order' } as const;

const countSettings = { max_execution_time: 600, ...sameReplicas } as const;

const insertSettings = {
  max_execution_time: 600,
  // A shard that writes reports no progress.
  receive_timeout: 600,
  async_insert: 0,
  ...sameReplicas,
  // Logs of many days come together where clocks were wrong.
  max_partitions_per_insert_block: 0,
  precise_float_parsing: 1,
} as const;

/** Numbers that one push gives to its logs and parts, and no other one. */
interface Reservation {
  readonly firstId: number;
  readonly firstPart: number;
}

/** Numbers to reserve. */
interface Wanted {
  /** UUID of the push. */
  readonly push: string;
  readonly ids: number;
  readonly parts: number;
}

/** Attempts before giving up: each waits longer. */
const reserveIdsAttempts = 8;

/**
 * Reserves the next free numbers. Two writers may pick the same ones: each looks again after writing its
 * reservation, and withdraws to a later number if it sees another in its range. The later of the two always does.
 */
async function reserveIds(
  cluster: Cluster,
  { push, ids, parts }: Wanted,
  options: QueryOptions = {},
): Promise<Reservation> {
  const table = `${quotedName(cluster.address.database)}.reservations`;
  for (let attempt = 0; attempt < reserveIdsAttempts; attempt += 1) {
    const [row] = await cluster.query(
      `SELECT greatest(max(first_id + ids), 1), greatest(max(first_part + parts), 1) FROM ${table}`,
      options,
    );
    const [firstId, firstPart] = (row ?? []).map(Number);
    if (firstId === undefined || firstPart === undefined || Number.isNaN(firstId + firstPart)) break;
    const values = [`'${push}'`, firstId, ids, firstPart, parts].join(', ');
    await cluster.command(`INSERT INTO ${table} VALUES (${values})`, options);
    const [found] = await cluster.query(
      `SELECT count() FROM ${table} WHERE push != '${push}'
         AND (first_id < ${firstId + ids} AND ${firstId} < first_id + ids OR first_part < ${firstPart + parts} AND ${firstPart} < first_part + parts)`,
      options,
    );
    if (Number(found?.[0]) === 0) return { firstId, firstPart };
    await wait(50 * 2 ** attempt * (1 + Math.random()), undefined, { signal: options.signal });
  }
  throw new ClusterError(
    'CLUSTER_FAILED',
    'Other writers took every number that this one reserved: repeat the command',
  );
}

/** Columns that an INSERT adds to the rows of a case. */
interface Added {
  /** UUID of the load. */
  readonly load: string;
  readonly shift: Reservation;
}

const caseColumns = [
  'id Int64, part Int32, entry String, position Int64, byte_offset Nullable(Int64), byte_length Nullable(Int32)',
  '`time` Nullable(Int64), `logCode` Nullable(Int64), elapsed Nullable(Float64), extra Nullable(String)',
  ...textFields.map((field) => `\`${field}\` Nullable(String), \`${field}_tokens\` Nullable(String)`),
].join(', ');

const logColumns = [
  'deployment, load, id, part, entry, position, byte_offset, byte_length, time, `logCode`, elapsed, extra',
  ...textFields.map((field) => `\`${field}\`, \`${field}_tokens\``),
].join(', ');

/** A case has the tokens of a text between single blanks, also at both ends. */
function tokensSql(field: string): string {
  const column = `\`${field}_tokens\``;
  return `if(isNull(${column}), [], splitByChar(' ', substring(assumeNotNull(${column}), 2, length(assumeNotNull(${column})) - 2)))`;
}

/** The INSERT of logs of a case, which follow as Parquet. `base` is the database as SQL. */
function insertLogsSql(base: string, { load, shift }: Added): string {
  const values = [
    `{deployment:String}, '${load}', id + ${shift.firstId}, part + ${shift.firstPart}, entry, position, byte_offset, byte_length`,
    `ifNull(time, ${noTime}), \`logCode\`, elapsed, ifNull(extra, '')`,
    ...textFields.map((field) => `ifNull(\`${field}\`, ''), ${tokensSql(field)}`),
  ];
  return `INSERT INTO ${base}.log_rows (${logColumns}) SELECT ${values.join(', ')} FROM input('${caseColumns}') FORMAT Parquet`;
}

/** The INSERT of unreadable records of a case, which follow as Parquet. */
function insertUnreadableSql(base: string, { load, shift }: Added): string {
  const columns =
    'part Int32, entry String, position Int64, byte_offset Nullable(Int64), byte_length Nullable(Int64), code String, reason String, raw Nullable(String)';
  return `INSERT INTO ${base}.unreadable_rows (deployment, load, part, entry, position, byte_offset, byte_length, code, reason, raw)
    SELECT {deployment:String}, '${load}', part + ${shift.firstPart}, entry, position, byte_offset, byte_length, code, reason, ifNull(raw, '')
    FROM input('${columns}') FORMAT Parquet`;
}

/** The row of `loads` that makes the rows of a load count, one for each shard, as the rest of an INSERT. */
function loadRow(
  part: IdentifiedPart,
  {
    load,
    places,
    deployment,
    originals,
    part: number,
    digests,
    fileParts,
  }: {
    readonly load: string;
    /** SQL of the list of the places that make a row for each shard. */
    readonly places: string;
    readonly deployment: string;
    readonly originals: string;
    readonly part: number;
    readonly digests: PartDigests;
    /** Parts of the file in the case. */
    readonly fileParts: number;
  },
): { readonly sql: string; readonly parameters: readonly ClickhouseParameter[] } {
  const texts = {
    deployment,
    part_key: part.key,
    file: part.file,
    file_sha256: part.fileSha256 ?? '',
    entry: part.entry,
    entry_sha256: part.entrySha256 ?? '',
    format: part.format,
    remarks: JSON.stringify(part.remarks),
    problem: part.problem?.code ?? '',
    problem_message: part.problem?.message ?? '',
    job: part.job ?? '',
    zone: part.zone ?? '',
    originals,
  };
  const { entryNumber, bytes, logs, unreadable, added } = part;
  const numbers = { part: number, entry_number: entryNumber, bytes, logs, unreadable };
  const parameters = Object.entries(texts).map(
    ([name, value]): ClickhouseParameter => ({ name, type: 'String', value: value.toWellFormed() }),
  );
  const days = part.days.map(([day, count]) => `${day}, ${count}`).join(', ');
  const sums = [...digests.days].map(([day, digest]) => `${day}, ${digest}`).join(', ');
  const names = [
    'load',
    'added',
    'days',
    'digests',
    'unreadable_digest',
    'file_parts',
    'place',
    ...Object.keys(numbers),
    ...Object.keys(texts),
  ];
  const values = [
    ...[
      `'${load}'`,
      `fromUnixTimestamp64Milli(${added})`,
      `CAST(map(${days}), 'Map(Int64, Int64)')`,
      `CAST(map(${sums}), 'Map(Int64, UInt64)')`,
      String(digests.unreadable),
      fileParts,
      `arrayJoin(${places})`,
      ...Object.values(numbers),
    ],
    ...parameters.map(({ name }) => `{${name}:String}`),
  ];
  // A SELECT: the parser of VALUES has no parameters.
  return { sql: `(${names.join(', ')}) SELECT ${values.join(', ')}`, parameters };
}

/** A file as a deployment has it. */
interface LoadedFile {
  readonly deployment: string;
  readonly sha256: string;
  readonly file: string;
  /** Zone of times without one; `UTC` is the default of a case. */
  readonly zone: string;
}

/** Reports if a cluster has all parts of a file. */
export async function hasFile(
  cluster: Cluster,
  { deployment, sha256, file, zone }: LoadedFile,
  options: QueryOptions = {},
): Promise<boolean> {
  const texts = { deployment, sha256, file, zone };
  const parameters = Object.entries(texts).map(
    ([name, value]) => ({ name, type: 'String', value: value.toWellFormed() }) as const,
  );
  const [row] = await cluster.query(
    `SELECT 0 < max(file_parts) AND max(file_parts) <= count() FROM ${quotedName(cluster.address.database)}.parts
     WHERE deployment = {deployment:String} AND file_sha256 = {sha256:String} AND file = {file:String}
       AND if(zone = '', 'UTC', zone) = {zone:String}`,
    { ...options, parameters },
  );
  return Number(row?.[0]) === 1;
}

/** Options of deleting the rows of dead loads. */
export interface CleanOptions extends QueryOptions {
  /** Seconds without a new row after which an unfinished load is dead. Default: 3600. */
  readonly idle?: number;
}

/** Result of deleting the rows of dead loads. */
export interface Cleaned {
  /** Loads that were given up now. */
  readonly loads: number;
  /** The servers have no Keeper to pass the deletion on: it was done at this one. */
  readonly isForOneServer: boolean;
}

/**
 * Deletes the rows of dead loads: those that never finished, and those that another load of the same part replaced.
 * The ids of the loads are recorded first: a writer that goes on nevertheless finds its load dropped, and repeats it.
 */
export async function cleanLoads(
  cluster: Cluster,
  { idle = 3600, ...options }: CleanOptions = {},
): Promise<Cleaned> {
  await checkSchema(cluster);
  const base = quotedName(cluster.address.database);
  const rows = `SELECT load, max(added) AS latest FROM ${base}.log_rows GROUP BY load UNION ALL SELECT load, max(added) FROM ${base}.unreadable_rows GROUP BY load`;
  const unfinished = `SELECT load FROM (${rows}) WHERE load GLOBAL NOT IN (SELECT load FROM ${base}.loads) GROUP BY load
    HAVING max(latest) <= now() - ${Math.trunc(idle)}`;
  const replaced = `SELECT load FROM ${base}.loads WHERE load GLOBAL NOT IN (SELECT load FROM ${base}.parts)`;
  const known = `load GLOBAL NOT IN (SELECT load FROM ${base}.dropped_loads)`;
  const found = await cluster.query(
    `SELECT DISTINCT toString(load) FROM (${unfinished} UNION ALL ${replaced}) WHERE ${known}`,
    options,
  );
  const dead = found.map(([load]) => `'${load}'`);
  if (0 < dead.length)
    await cluster.command(
      `INSERT INTO ${base}.dropped_loads (load, place) SELECT arrayJoin(CAST([${dead.join(', ')}], 'Array(UUID)')), arrayJoin(${await placesOf(cluster, options)})`,
      options,
    );
  return { loads: dead.length, isForOneServer: await deleteDropped(cluster, options) };
}

/** Deletes the rows of all dropped loads. Returns whether only those of this server. */
async function deleteDropped(cluster: Cluster, options: QueryOptions): Promise<boolean> {
  const base = quotedName(cluster.address.database);
  const layout = await readLayout(cluster, {}, options);
  let isForOneServer = false;
  for (const table of ['log_rows', 'unreadable_rows']) {
    const left = await cluster.query(
      `SELECT DISTINCT toString(load) FROM ${base}.${table} WHERE load GLOBAL IN (SELECT load FROM ${base}.dropped_loads)`,
      options,
    );
    if (left.length === 0) continue;
    const loads = left.map(([load]) => `'${load}'`).join(', ');
    const deleteFrom = (placement: ReturnType<typeof tablePlacement>) =>
      cluster.command(
        `DELETE FROM ${base}.${placement.localOf(table)}${placement.onCluster} WHERE load IN (${loads})`,
        { ...options, settings: deleteSettings },
      );
    await deleteFrom(tablePlacement(layout)).catch(async (error: unknown) => {
      if (!isWithoutKeeper(error)) throw error;
      isForOneServer = true;
      await deleteFrom(tablePlacement({ ...layout, isForOneServer }));
    });
  }
  return isForOneServer;
}

const deleteSettings = { max_execution_time: 600, receive_timeout: 600 } as const;
