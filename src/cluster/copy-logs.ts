import { join } from 'node:path';
import * as v from 'valibot';
import {
  addStoredLogs,
  addStoredParts,
  type Case,
  openCase,
  problemCodes,
  type RemarkCount,
  type StoredLog,
  type StoredPart,
  type UnreadableInCase,
} from '../case/index.ts';
import { remarkCodes } from '../records/index.ts';
import { ClusterError } from './cluster-error.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { deploymentParameters, ofDeployment } from './deployment.ts';
import type { ClusterRow } from './read-rows.ts';
import { quotedName } from './schema.ts';

/** Options of a copy. */
export interface CopyTarget {
  /** Existing folder for the file of the case. */
  readonly folder: string;
  /** The most logs: beyond it the copy is refused before it begins. */
  readonly mostLogs: number;
  readonly onProgress?: ((logs: number) => void) | undefined;
}

/** Logs to copy. */
interface CopiedLogs {
  /** Their number, or the most that they can be. */
  readonly count: number;
  readonly isExact: boolean;
  readonly logs: () => AsyncIterable<StoredLog>;
  /** Parts and unreadable records that belong to them. */
  readonly parts?: readonly StoredPart[];
  readonly unreadable?: readonly UnreadableInCase[];
}

let copies = 0;

/**
 * Copies logs into a new case, with their ids. Rejects with `CLUSTER_LIMIT` if there are too many; a log that is
 * missing or too many is an error.
 */
export async function copyIntoCase(
  { count, isExact, logs, parts = [], unreadable = [] }: CopiedLogs,
  { folder, mostLogs, onProgress }: CopyTarget,
): Promise<Case> {
  if (mostLogs < count)
    throw new ClusterError(
      'CLUSTER_LIMIT',
      `This question is answered from a copy of the selected logs, and these are ${count}, more than ${mostLogs}. ` +
        'Select fewer, for instance by --from and --to, or raise LOGQUARRY_CLUSTER_LOGS',
    );
  copies += 1;
  const path = join(folder, `copied-${copies}.duckdb`);
  const into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
  try {
    const copied = await addStoredLogs(into, logs(), onProgress);
    if (isExact && copied < count)
      throw new ClusterError(
        'CLUSTER_INCOMPLETE',
        `Of ${count} logs of the cluster ${copied} arrived. Some may have been deleted for their age meanwhile: repeat the command`,
      );
    await addStoredParts(into, parts, unreadable);
    return into;
  } catch (error) {
    await into[Symbol.asyncDispose]();
    throw error;
  }
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());

const remarks = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({
      code: v.picklist(Object.keys(remarkCodes) as RemarkCount['code'][]),
      field: v.string(),
      count: v.number(),
    }),
  ),
);

const problemCode = v.picklist(['', ...(Object.keys(problemCodes) as (keyof typeof problemCodes)[])]);

const partRow = v.tuple([
  ...([number, v.string(), v.string(), v.string(), number, v.string(), number, v.string()] as const),
  ...([number, number, remarks, problemCode, v.string(), v.string(), number, v.string()] as const),
]);

const partColumns = `part, file, file_sha256, entry, entry_number, entry_sha256, bytes, format, logs, unreadable, remarks, problem,
  problem_message, job, toUnixTimestamp64Milli(added), zone`;

/** Reads the parts of a cluster or of the deployment that its address names: all, or the one of a number. */
export async function readStoredParts(
  cluster: Cluster,
  options: QueryOptions,
  part?: number,
): Promise<readonly StoredPart[]> {
  const where = part === undefined ? 'true' : `part = ${Math.trunc(part)}`;
  const rows = await cluster.query(
    `SELECT ${partColumns} FROM ${quotedName(cluster.address.database)}.parts WHERE ${where}${ofDeployment(cluster)} ORDER BY part`,
    { ...options, parameters: deploymentParameters(cluster) },
  );
  return rows.map(toPart);
}

function toPart(row: ClusterRow): StoredPart {
  const [part, file, fileSha256, entry, entryNumber, entrySha256, bytes, format, ...rest] = v.parse(
    partRow,
    row,
  );
  const [logs, unreadable, remarkCounts, code, message, job, added, zone] = rest;
  return {
    ...{ part, file, entry, entryNumber, bytes, format, logs, unreadable, remarks: remarkCounts, added },
    ...(fileSha256 !== '' && { fileSha256 }),
    ...(entrySha256 !== '' && { entrySha256 }),
    ...(code !== '' && { problem: { code, message } }),
    ...(job !== '' && { job }),
    ...(zone !== '' && { zone }),
  };
}

const unreadableRow = v.tuple([number, v.string(), number, v.string(), v.string(), v.string()]);

/** Reads all unreadable records of a cluster or of the deployment that its address names. */
export async function readUnreadable(
  cluster: Cluster,
  options: QueryOptions,
): Promise<readonly UnreadableInCase[]> {
  const rows = await cluster.query(
    `SELECT part, entry, position, code, reason, raw FROM ${quotedName(cluster.address.database)}.unreadable
     WHERE true${ofDeployment(cluster)} ORDER BY part, position`,
    { ...options, parameters: deploymentParameters(cluster) },
  );
  return rows.map((each) => {
    const [part, entry, position, code, reason, raw] = v.parse(unreadableRow, each);
    return { part, entry, position, code, reason, raw };
  });
}
