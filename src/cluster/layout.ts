import * as v from 'valibot';
import { ClusterError } from './cluster-error.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import type { SchemaOptions } from './schema.ts';

/** The distribution of the tables of a database over servers. */
export type ClusterLayout = Pick<SchemaOptions, 'cluster' | 'isReplicated'>;

const engines = v.array(v.tuple([v.string(), v.string(), v.string()]));

/**
 * Returns the layout of the tables of a database, or the wanted one if there are none. Rejects with `CLUSTER_SCHEMA`
 * if they are spread otherwise than wanted.
 */
export async function readLayout(
  cluster: Cluster,
  wanted: ClusterLayout = {},
  options: QueryOptions = {},
): Promise<ClusterLayout> {
  const { database } = cluster.address;
  const rows = await cluster.query(
    "SELECT name, engine, engine_full FROM system.tables WHERE database = {database:String} AND name IN ('log_rows', 'log_rows_local')",
    { ...options, parameters: [{ name: 'database', type: 'String', value: database }] },
  );
  const found = new Map(v.parse(engines, rows).map(([name, ...rest]) => [name, rest]));
  const [engine, definition = ''] = found.get('log_rows') ?? [];
  if (engine === undefined) return wanted;
  const name = /^Distributed\('((?:[^'\\]|\\.)*)'/.exec(definition)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const [storage = engine] = found.get('log_rows_local') ?? [];
  if (wanted.cluster !== undefined && wanted.cluster !== name)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has tables on ${name === undefined ? 'one server' : `the cluster "${name}"`}, which stay there: name another database for the cluster "${wanted.cluster}"`,
    );
  const isReplicated = storage.startsWith('Replicated');
  if (wanted.isReplicated && !isReplicated)
    throw new ClusterError(
      'CLUSTER_SCHEMA',
      `The database "${database}" has tables that are not replicated: name another database for replicated ones`,
    );
  return { isReplicated, ...(name !== undefined && { cluster: name }) };
}
