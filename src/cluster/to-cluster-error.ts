import { ClickHouseError } from '@clickhouse/client';
import type { ClusterAddress } from './address.ts';
import { ClusterError, type ClusterErrorCode } from './cluster-error.ts';

/** Codes of ClickHouse with a code of their own here. */
const codes: ReadonlyMap<string, ClusterErrorCode> = new Map<string, ClusterErrorCode>([
  ...[
    'AUTHENTICATION_FAILED',
    'REQUIRED_PASSWORD',
    'WRONG_PASSWORD',
    'UNKNOWN_USER',
    'ACCESS_DENIED',
    'READONLY',
  ].map((type) => [type, 'CLUSTER_REFUSED'] as const),
  ...['UNKNOWN_TABLE', 'UNKNOWN_DATABASE', 'UNKNOWN_IDENTIFIER', 'NO_SUCH_COLUMN_IN_TABLE'].map(
    (type) => [type, 'CLUSTER_SCHEMA'] as const,
  ),
  ...[
    'MEMORY_LIMIT_EXCEEDED',
    'TOO_MANY_ROWS',
    'TOO_MANY_BYTES',
    'TOO_MANY_ROWS_OR_BYTES',
    'QUOTA_EXCEEDED',
  ].map((type) => [type, 'CLUSTER_LIMIT'] as const),
  ...['TIMEOUT_EXCEEDED', 'TOO_SLOW'].map((type) => [type, 'CLUSTER_TIMEOUT'] as const),
  ...[
    'ALL_CONNECTION_TRIES_FAILED',
    'NETWORK_ERROR',
    'SOCKET_TIMEOUT',
    'ALL_REPLICAS_LOST',
    'ALL_REPLICAS_ARE_STALE',
  ].map((type) => [type, 'CLUSTER_UNREACHABLE'] as const),
]);

/** Errors that are those of the SQL if a user wrote it. */
const sqlErrors: ReadonlySet<ClusterErrorCode> = new Set(['CLUSTER_SCHEMA', 'CLUSTER_FAILED']);

/** Errors of a query with more or longer values than a server takes in a request. */
const beyondRequest =
  /HTML Form Exception|request URI invalid or too long|Max query size exceeded|\b(?:TOO_BIG_AST|TOO_DEEP_AST)\b/;

/** The maximum length of a message of the server: it repeats the query. */
const maxMessage = 500;

/** Converts an error of the client to a `ClusterError` without the password. */
export function toClusterError(
  error: unknown,
  {
    password,
    address,
    isUserSql = false,
  }: {
    readonly password: string;
    readonly address: ClusterAddress;
    /** An error of the server is one of SQL that a user wrote. */
    readonly isUserSql?: boolean | undefined;
  },
): ClusterError {
  if (error instanceof ClusterError) return error;
  const text = error instanceof Error ? error.message || String(error.name) : String(error);
  const shown = (password === '' ? text : text.replaceAll(password, '***')).trim();
  const message = maxMessage < shown.length ? `${shown.slice(0, maxMessage)} …` : shown;
  if (beyondRequest.test(shown))
    return new ClusterError(
      'CLUSTER_LIMIT',
      `The query is too long for the server: name fewer or shorter values. ${message}`,
    );
  if (error instanceof ClickHouseError) {
    const known = codes.get(error.type ?? '') ?? 'CLUSTER_FAILED';
    const code = isUserSql && sqlErrors.has(known) ? 'CLUSTER_SQL' : known;
    return new ClusterError(code, `${adviceOf(code, error.type)}${message} (${error.type ?? error.code})`);
  }
  if (isConnectionFailure(error))
    return new ClusterError('CLUSTER_UNREACHABLE', `No answer from ${address.origin}: ${message}`);
  return new ClusterError('CLUSTER_FAILED', `${address.origin} answered with an error: ${message}`);
}

function adviceOf(code: ClusterErrorCode, type: string | undefined): string {
  if (code === 'CLUSTER_SCHEMA') return 'The database has no such tables: run "logquarry cluster init". ';
  if (code === 'CLUSTER_LIMIT' && type !== 'MEMORY_LIMIT_EXCEEDED')
    return 'The query exceeds a limit of the user at the server: select fewer logs, or have it raised there. ';
  if (code === 'CLUSTER_LIMIT')
    return 'The query exceeds a limit: select fewer logs, or raise LOGQUARRY_CLUSTER_MEMORY. ';
  if (code === 'CLUSTER_TIMEOUT')
    return 'The query takes longer than its time: select fewer logs, or raise LOGQUARRY_CLUSTER_TIME (of SQL: --timeout). ';
  return '';
}

/** Errors of the socket have a code such as ECONNREFUSED; a time limit of the client has only its text. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^(E[A-Z]+|UND_ERR\w*|ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO\w*)$/.test(code) ||
    /timeout|socket|aborted|hang up/i.test(error.message)
  );
}
