/** Address of the logs in a cluster, without a secret. */
export interface ClusterAddress {
  /** HTTP address of the server. */
  readonly origin: string;
  readonly database: string;
  /** Absent if the address names none. */
  readonly user?: string;
  /** Reads only the logs of this deployment, and adds logs for it. Absent: all of them. */
  readonly deployment?: string;
  /** Reads what the available shards have, if others do not answer. */
  readonly mayLackShards?: true;
  /** Name of the profile with the user and the password. */
  readonly profile?: string;
  /** The address as text: without a password. */
  readonly text: string;
}

const scheme = 'clickhouse:';

/** Returns whether a text is the address of a cluster. */
export function isClusterAddress(text: string): boolean {
  return text.toLowerCase().startsWith(`${scheme}//`);
}

/**
 * Parses `clickhouse://[USER@]HOST[:PORT][/DATABASE][?deployment=NAME][&profile=NAME][&secure=false][&shards=available]`. The connection is
 * encrypted unless the host is this machine or `secure=false`. Throws a `ClusterError`.
 *
 * ```ts
 * parseClusterAddress('clickhouse://logs.example.com/gis?deployment=prod').origin; // 'https://logs.example.com:8443'
 * ```
 */
export function parseClusterAddress(text: string): ClusterAddress {
  // The text is in no message: it may have a password.
  const standIn = text.replace(/^clickhouse:/i, 'http:');
  if (!isClusterAddress(text) || !URL.canParse(standIn))
    throw addressError(`must be like clickhouse://host/database?deployment=NAME${portProblem(text)}`);
  const url = new URL(standIn);
  if (url.password !== '')
    throw addressError(
      'has a password, which histories and lists of processes keep: set LOGQUARRY_CLUSTER_PASSWORD or LOGQUARRY_CLUSTER_PASSWORD_FILE instead',
    );
  if (url.hash !== '') throw addressError('must not have a part after "#"');
  const { secure, deployment, profile, shards } = parametersOf(url);
  const isSecure = secure === undefined ? !isLoopback(url.hostname) : secure === 'true';
  // The parser drops port 80, the default of the stand-in scheme.
  const port = url.port || (/:80(?=[/?]|$)/.test(text) ? '80' : isSecure ? '8443' : '8123');
  const database = decodeName(url.pathname.slice(1)) || defaultDatabase;
  const user = decodeName(url.username);
  return {
    origin: `${isSecure ? 'https' : 'http'}://${url.hostname}:${port}`,
    database,
    ...(user !== '' && { user }),
    ...(deployment !== undefined && { deployment }),
    ...(profile !== undefined && { profile }),
    ...(shards === 'available' && { mayLackShards: true }),
    text: `clickhouse://${url.username ? `${url.username}@` : ''}${url.host}${url.pathname}${url.search}`,
  };
}

/** The part of a message for a port that is none; it may be the end of a password, which is not shown. */
function portProblem(text: string): string {
  const port = /^[^/?#@]*:(\d+)(?=[/?#]|$)/.exec(text.slice(`${scheme}//`.length))?.[1];
  return port !== undefined && 65_535 < Number(port)
    ? `: its port is ${port}, and the last one is 65535`
    : '';
}

/** The database of an address without one. */
const defaultDatabase = 'logquarry';

const parameterNames = ['deployment', 'profile', 'secure', 'shards'] as const;

function parametersOf({ searchParams }: URL): {
  readonly [Name in (typeof parameterNames)[number]]?: string;
} {
  for (const name of searchParams.keys())
    if (!parameterNames.some((parameter) => parameter === name))
      throw addressError(
        `has the unknown parameter "${name}": there are "deployment", "profile", "secure" and "shards"`,
      );
  for (const name of parameterNames)
    if (1 < searchParams.getAll(name).length)
      throw addressError(`has the parameter "${name}" more than once`);
  const [deployment, profile, secure, shards] = parameterNames.map(
    (name) => searchParams.get(name) ?? undefined,
  );
  if (secure !== undefined && secure !== 'true' && secure !== 'false')
    throw addressError(`must have secure=true or secure=false, got "${secure}"`);
  if (shards !== undefined && shards !== 'available' && shards !== 'all')
    throw addressError(`must have shards=available or shards=all, got "${shards}"`);
  if (deployment === '') throw addressError('has an empty deployment');
  return {
    ...(secure !== undefined && { secure }),
    ...(deployment !== undefined && { deployment }),
    ...(profile !== undefined && { profile }),
    ...(shards !== undefined && { shards }),
  };
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw addressError('has a "%" that begins no escape: write %25');
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

function addressError(problem: string): ClusterError {
  return new ClusterError('CLUSTER_ADDRESS', `The address of the cluster ${problem}`);
}

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
