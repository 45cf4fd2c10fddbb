import * as v from 'valibot';
import type { Cluster, QueryOptions } from '../connection.ts';
import { quotedName } from '../schema.ts';

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

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const row = v.tuple([
  ...[v.string(), v.string(), number, v.string(), v.string(), v.string(), number, v.string()],
  ...[number, number, v.string(), v.string(), number, v.array(number), v.array(number)],
  ...[v.array(number), v.array(v.union([v.string(), v.number()])), v.union([v.string(), v.number()])],
] as const);

/** Reads the parts of a cluster, or of the one deployment that its address names. */
export async function readClusterParts(
  cluster: Cluster,
  options: QueryOptions,
): Promise<readonly ClusterPart[]> {
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
