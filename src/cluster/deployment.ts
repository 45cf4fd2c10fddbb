import type { ClickhouseParameter } from '../translate/clickhouse-parameter.ts';
import type { Cluster } from './connection.ts';

/** The rest of a condition for the deployment of the address. */
export function ofDeployment({ address }: Cluster): string {
  return address.deployment === undefined ? '' : ' AND deployment = {deployment:String}';
}

/** The parameters of `ofDeployment`. */
export function deploymentParameters({ address: { deployment } }: Cluster): readonly ClickhouseParameter[] {
  return deployment === undefined ? [] : [{ name: 'deployment', type: 'String', value: deployment }];
}
