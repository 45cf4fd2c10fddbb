import type { Filter } from '../language/index.ts';
import { type ParameterisedSql, packParameters, toClickhouse } from '../language/index.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { deploymentParameters, ofDeployment } from './deployment.ts';
import { exactFilter } from './exact-filter.ts';

/**
 * Returns the condition of the logs that a filter selects, of the deployment that the address names. Rejects with
 * `CLUSTER_INEXACT` if there is none.
 */
export async function conditionOf(
  cluster: Cluster,
  filter: Filter,
  options: QueryOptions,
): Promise<ParameterisedSql> {
  const { sql, parameters } = packParameters(toClickhouse(await exactFilter(cluster, filter, options)));
  return {
    sql: `(${sql})${ofDeployment(cluster)}`,
    parameters: [...parameters, ...deploymentParameters(cluster)],
  };
}
