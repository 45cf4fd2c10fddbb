import { setTimeout as wait } from 'node:timers/promises';
import { ClusterError } from '../cluster-error.ts';
import type { Cluster, QueryOptions } from '../connection.ts';
import { quotedName } from '../schema.ts';

/** Numbers that one push gives to its logs and parts, and no other one. */
export interface Reservation {
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
const attempts = 8;

/**
 * Reserves the next free numbers. Two writers may pick the same ones: each looks again after writing its
 * reservation, and withdraws to a later number if it sees another in its range. The later of the two always does.
 */
export async function reserveIds(
  cluster: Cluster,
  { push, ids, parts }: Wanted,
  options: QueryOptions = {},
): Promise<Reservation> {
  const table = `${quotedName(cluster.address.database)}.reservations`;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
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
