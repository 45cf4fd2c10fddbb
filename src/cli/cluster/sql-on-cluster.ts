import { runClusterSql } from '../../cluster/run-sql.ts';
import type { Filter } from '../../meaning/filter.ts';
import type { SqlPiece } from '../../store/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openNamedCluster } from './open-named-cluster.ts';

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
  await using cluster = await openNamedCluster(address, terminal, { timeout });
  yield* runClusterSql(cluster, sql, options);
}
