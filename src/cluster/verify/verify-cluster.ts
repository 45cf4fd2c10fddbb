import type { Deviation } from '../../case/index.ts';
import type { Cluster, QueryOptions } from '../connection.ts';
import { readKeeping } from '../count-lost.ts';
import { checkWritableSchema } from '../init.ts';
import { deviatingRows } from '../loading/deviating-rows.ts';
import { loadDigests } from '../loading/row-digests.ts';
import { type ClusterPart, readClusterParts } from './cluster-parts.ts';
import { checkPartOriginals, type OriginalsOptions } from './verify-originals.ts';

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

/**
 * Checks the logs of a cluster: counts and hashes the rows of every part as they are stored. Where the folder
 * of the originals is on this machine, it hashes them and reads every record again. Returns every deviation.
 *
 * ```ts
 * const { deviations } = await verifyCluster(cluster, { folder });
 * ```
 */
export async function verifyCluster(
  cluster: Cluster,
  options: OriginalsOptions,
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
