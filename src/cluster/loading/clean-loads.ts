import type { Cluster, QueryOptions } from '../connection.ts';
import { checkWritableSchema, isWithoutKeeper } from '../init.ts';
import { readLayout } from '../layout.ts';
import { quotedName, tablePlacement } from '../schema.ts';

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
  await checkWritableSchema(cluster);
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
      `INSERT INTO ${base}.dropped_loads (load) VALUES ${dead.map((load) => `(${load})`).join(', ')}`,
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

const deleteSettings = { max_execution_time: 600 } as const;
