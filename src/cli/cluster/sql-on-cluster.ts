import type { SqlPiece } from '../../case/index.ts';
import { clusterSqlToParquet, runClusterSql } from '../../cluster/index.ts';
import type { Filter } from '../../language/index.ts';
import { writeWholeFile } from '../files/write-output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openReadableCluster } from './open-readable-cluster.ts';

/** SQL with its limits. */
interface SqlOnCluster {
  readonly address: string;
  readonly sql: string;
  readonly limit: number | undefined;
  /** Milliseconds; none without. */
  readonly timeout: number | undefined;
  readonly signal: AbortSignal;
  readonly toFilter: (query: string) => Promise<Filter>;
}

/** Runs SQL on a cluster, and yields its result in pieces as they come. */
export async function* sqlOnCluster(
  { address, sql, timeout, ...options }: SqlOnCluster,
  terminal: Terminal,
): AsyncGenerator<SqlPiece, void, undefined> {
  await using cluster = await openReadableCluster(address, terminal, { timeout });
  yield* runClusterSql(cluster, sql, options);
}

/** Writes the result of SQL on a cluster as a Parquet file; returns the number of rows. */
export async function sqlOnClusterToParquet(
  { address, sql, timeout, path, ...options }: Omit<SqlOnCluster, 'limit'> & { readonly path: string },
  terminal: Terminal,
): Promise<number> {
  await using cluster = await openReadableCluster(address, terminal, { timeout });
  const { rows, bytes } = await clusterSqlToParquet(cluster, sql, options);
  await writeWholeFile(path, bytes);
  return rows;
}
