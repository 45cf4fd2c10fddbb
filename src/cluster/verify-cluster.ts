import * as v from 'valibot';
import type { Deviation } from '../store/index.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { readKeeping } from './count-lost.ts';
import { deviatingRows } from './deviating-rows.ts';
import { checkWritableSchema } from './init.ts';
import { loadDigests } from './row-digests.ts';
import { quotedName } from './schema.ts';
import { checkPartOriginals } from './verify-originals.ts';

/** Result of checking the logs of a cluster. */
export interface ClusterVerification {
  /** Originals that were read. */
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  /** Empty if everything matches. */
  readonly deviations: readonly Deviation[];
  /** Sentences on unchecked parts, with reasons. */
  readonly remarks: readonly string[];
}

/** Options of checking the logs of a cluster. */
export interface ClusterVerifyOptions extends QueryOptions {
  /** Folder for temporary cases. */
  readonly folder: string;
  /** Folder with the originals. Default: where the cluster says that they are. */
  readonly originals?: string | undefined;
  /** Receives the file that is read. */
  readonly onFile?: (file: string) => void;
}

/** A part of a cluster, with the digests of its rows. */
export interface ClusterPart {
  readonly load: string;
  readonly deployment: string;
  readonly part: number;
  readonly file: string;
  readonly fileSha256: string;
  readonly entry: string;
  readonly entryNumber: number;
  readonly entrySha256: string;
  readonly logs: number;
  readonly unreadable: number;
  readonly zone: string;
  readonly originals: string;
  /** Milliseconds since the epoch. */
  readonly added: number;
  readonly days: ReadonlyMap<number, number>;
  /** Digests of the logs by day; empty for parts that version 1 of the tables loaded. */
  readonly digests: ReadonlyMap<number, bigint>;
  readonly unreadableDigest: bigint;
}

/**
 * Checks the logs of a cluster: counts and hashes the rows of every part as they are stored, hashes the originals, and
 * reads every record of them again, as far as their folder is on this machine. Returns every deviation.
 *
 * ```ts
 * const { deviations } = await verifyCluster(cluster, { folder });
 * ```
 */
export async function verifyCluster(
  cluster: Cluster,
  options: ClusterVerifyOptions,
): Promise<ClusterVerification> {
  await checkWritableSchema(cluster);
  const { signal } = options;
  const asked = { signal, settings: { max_execution_time: 3600 } };
  const parts = await readClusterParts(cluster, asked);
  const rows = await checkRows(cluster, parts, asked);
  const originals = await checkPartOriginals(parts, options);
  const unknown = parts.filter(isWithoutDigests).length;
  return {
    files: originals.files,
    parts: parts.length,
    logs: parts.reduce((sum, { logs }) => sum + logs, 0),
    unreadable: parts.reduce((sum, { unreadable }) => sum + unreadable, 0),
    deviations: [...rows, ...originals.deviations],
    remarks: [
      ...originals.remarks,
      ...(unknown === 0
        ? []
        : [`The rows of ${unknown} parts were counted alone: an older version recorded no digests of them.`]),
    ],
  };
}

/** Reports if a part was loaded before digests were recorded. */
function isWithoutDigests({ logs, unreadable, digests, unreadableDigest }: ClusterPart): boolean {
  return 0 < logs + unreadable && digests.size === 0 && unreadableDigest === 0n;
}

async function checkRows(
  cluster: Cluster,
  parts: readonly ClusterPart[],
  options: QueryOptions,
): Promise<readonly Deviation[]> {
  const found = await loadDigests(cluster, options);
  const keeping = await readKeeping(cluster, options);
  return parts.flatMap((part) => {
    const days = [...part.days].map(([day, rows]) => [day, { rows, digest: part.digests.get(day) }] as const);
    const unreadable = {
      rows: part.unreadable,
      digest: isWithoutDigests(part) ? undefined : part.unreadableDigest,
    };
    const { miscounted, alteredDays } = deviatingRows(
      { days: new Map(days), unreadable, added: part.added },
      found.get(part.load),
      keeping,
    );
    const message = `Part ${part.part} of "${part.deployment}" ("${part.file}", "${part.entry}")`;
    if (0 < miscounted)
      return [deviation(part, 'ROWS_MISCOUNTED', `${message}: ${miscounted} rows are missing or too many`)];
    return alteredDays === 0
      ? []
      : [deviation(part, 'ROWS_ALTERED', `${message}: rows differ from those that were loaded`)];
  });
}

function deviation({ part }: ClusterPart, code: Deviation['code'], message: string): Deviation {
  return { code, part, message };
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const row = v.tuple([
  ...[v.string(), v.string(), number, v.string(), v.string(), v.string(), number, v.string()],
  ...[number, number, v.string(), v.string(), number, v.array(number), v.array(number)],
  ...[v.array(number), v.array(v.union([v.string(), v.number()])), v.union([v.string(), v.number()])],
] as const);

async function readClusterParts(cluster: Cluster, options: QueryOptions): Promise<readonly ClusterPart[]> {
  const { deployment, database } = cluster.address;
  const parameters = [{ name: 'deployment', type: 'String', value: deployment ?? '' }] as const;
  const rows = await cluster.query(
    `SELECT toString(load), deployment, part, file, file_sha256, entry, entry_number, entry_sha256, logs, unreadable, zone,
       originals, toUnixTimestamp64Milli(committed), mapKeys(days), mapValues(days), mapKeys(digests), mapValues(digests),
       unreadable_digest
     FROM ${quotedName(database)}.parts ${deployment === undefined ? '' : 'WHERE deployment = {deployment:String}'} ORDER BY part`,
    { ...options, parameters },
  );
  return rows.map((each) => {
    const [load, of, part, file, fileSha256, entry, entryNumber, entrySha256, ...rest] = v.parse(row, each);
    const [logs, unreadable, zone, originals, added, days, counts, digestDays, digests, last] = rest;
    return {
      ...{ load, deployment: of, part, file, fileSha256, entry, entryNumber, entrySha256 },
      ...{ logs, unreadable, zone, originals, added, unreadableDigest: BigInt(last) },
      days: new Map(days.map((day, index) => [day, counts[index] ?? 0])),
      digests: new Map(digestDays.map((day, index) => [day, BigInt(digests[index] ?? 0)])),
    };
  });
}
