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
  writePartRows,
} from '../../case/index.ts';
import { ClusterError } from '../cluster-error.ts';
import type { Cluster } from '../connection.ts';
import { readKeeping } from '../count-lost.ts';
import { type PushedCoverage, saveCoverage } from '../coverage.ts';
import { checkWritableSchema } from '../init.ts';
import { quotedName } from '../schema.ts';
import { deviatingRows } from './deviating-rows.ts';
import { insertLogsSql, insertUnreadableSql, loadRow } from './push-rows.ts';
import { type Reservation, reserveIds } from './reserve-ids.ts';
import { loadDigests } from './row-digests.ts';

/** Options of `pushCase`. */
export interface PushOptions {
  /** Name of the deployment, a column of every log. */
  readonly deployment: string;
  /** Folder for files of one batch. */
  readonly folder: string;
  /** Location of the originals: a folder or an address. */
  readonly originals: string;
  /** Intervals that the exports of the case requested. Recorded once all parts are there. */
  readonly coverage?: readonly PushedCoverage[];
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
  await checkWritableSchema(cluster);
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
  const wanted = { push: randomUUID(), ids: Math.max(1, lastId - firstId + 1), parts: parts.length };
  const reserved = await reserveIds(cluster, wanted, { signal: options.signal });
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
    try {
      return await loadPart(push, part, randomUUID());
    } catch (error) {
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
  if (problem !== undefined) {
    push.onBatch(-sent);
    throw new ClusterError(
      'CLUSTER_INCOMPLETE',
      `The ${part.logs} logs of part ${part.part} did not arrive as they are: ${problem}. The part was not added`,
    );
  }
  const row = loadRow(part, {
    ...{ load, ...options, digests },
    part: part.part + push.shift.firstPart,
    fileParts: push.fileParts.get(part.fileSha256) ?? 0,
  });
  await cluster.command(`INSERT INTO ${quotedName(cluster.address.database)}.loads ${row.sql}`, {
    parameters: row.parameters,
    signal,
  });
  if (await isDropped(push, load)) {
    push.onBatch(-sent);
    throw new ClusterError('CLUSTER_INCOMPLETE', `The load of part ${part.part} was given up as a dead one`);
  }
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
      ...{ load, shift },
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
  async_insert: 0,
  ...sameReplicas,
  // Logs of many days come together where clocks were wrong.
  max_partitions_per_insert_block: 0,
  precise_float_parsing: 1,
} as const;
