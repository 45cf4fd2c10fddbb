/** Failures of a cluster. The codes are stable; the manual prints the texts. */
export const clusterErrorCodes = {
  CLUSTER_ADDRESS: 'The address of the cluster is not valid',
  CLUSTER_UNREACHABLE: 'The cluster does not answer, or the connection broke',
  CLUSTER_REFUSED: 'The user or password is wrong, or the user lacks a right',
  CLUSTER_SCHEMA: 'The database has no tables for logs, or those of a newer version',
  CLUSTER_VERSION: 'The server is older than the oldest release that has the index of words',
  CLUSTER_LIMIT: 'A query exceeds a limit on memory or rows',
  CLUSTER_TIMEOUT: 'A query takes longer than its time',
  CLUSTER_SQL: 'The SQL of a user is not valid, or may not run',
  CLUSTER_INEXACT: 'A part of the query has no exact condition in SQL',
  CLUSTER_INCOMPLETE: 'A part of a case did not arrive whole',
  CLUSTER_FAILED: 'The cluster reported another failure',
} as const;

/** Stable code of a failure of a cluster. */
export type ClusterErrorCode = keyof typeof clusterErrorCodes;

/** A failure of a cluster. Its message has no secret. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;

  constructor(code: ClusterErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
