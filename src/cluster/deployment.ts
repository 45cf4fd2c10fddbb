import type { ClickhouseParameter } from '../language/index.ts';
import type { Cluster } from './connection.ts';
import { quotedName } from './schema.ts';

/** The rest of a condition for the deployment of the address. */
export function ofDeployment({ address }: Cluster): string {
  return address.deployment === undefined ? '' : ' AND deployment = {deployment:String}';
}

/** The parameters of `ofDeployment`. */
export function deploymentParameters({ address: { deployment } }: Cluster): readonly ClickhouseParameter[] {
  return deployment === undefined ? [] : [{ name: 'deployment', type: 'String', value: deployment }];
}

/**
 * Returns the deployments of the cluster if that of the address is not among them: the address may have it misspelt.
 * Undefined if it is, or if the address names none.
 */
export async function otherDeployments(cluster: Cluster): Promise<readonly string[] | undefined> {
  const { database, deployment } = cluster.address;
  if (deployment === undefined) return undefined;
  const rows = await cluster.query(
    `SELECT DISTINCT deployment FROM ${quotedName(database)}.loads ORDER BY deployment`,
  );
  const known = rows.map(([name]) => String(name));
  return known.includes(deployment) ? undefined : known;
}
