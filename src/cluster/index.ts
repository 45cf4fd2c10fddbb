export { parseClusterAddress } from './address.ts';
export { clusterErrorCodes } from './cluster-error.ts';
export { clusterStatus } from './cluster-status.ts';
export { type Cluster, openCluster } from './connection.ts';
export { initCluster } from './init.ts';
export { pushCase } from './push-case.ts';
export { schemaStatements } from './schema.ts';
