export { type ClusterAddress, isClusterAddress, parseClusterAddress } from './address.ts';
export { clusterLogs } from './cluster-logs.ts';
export { clusterStatus, type MissingShard, missingShards } from './cluster-status.ts';
export { otherDeployments } from './condition.ts';
export { type Cluster, type ClusterLimits, openCluster } from './connection.ts';
export { cleanLoads, hasFile, pushCase } from './push-case.ts';
export { clusterSqlToParquet, runClusterSql } from './run-sql.ts';
export { checkSchema, initCluster, roleStatements, schemaStatements } from './schema.ts';
export { type ClusterVerification, verifyCluster } from './verify-cluster.ts';
