import { costliestPart, queryParts } from '../../analysis/index.ts';
import type { LogSource, SqlPiece } from '../../case/index.ts';
import {
  type Cluster,
  type ClusterAddress,
  type ClusterLimits,
  type ClusterVerification,
  checkSchema,
  clusterLogs,
  clusterSqlToParquet,
  isClusterAddress,
  type MissingShard,
  missingShards,
  openCluster,
  otherDeployments,
  parseClusterAddress,
  runClusterSql,
  verifyCluster,
} from '../../cluster/index.ts';
import type { Filter } from '../../language/index.ts';
import type { WrittenCall } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { temporaryFolder, writeWholeFile } from '../command-line/write-output.ts';
import { readKeyRingSecret, readNamedProfile, readSecret, rootAddressOf } from '../deployment/profile.ts';
import { checkProfileName } from '../deployment/profile-folder.ts';
import { engineOption } from '../specs/query-options.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe } from '../terminal/text.ts';

/** Options of `openNamedCluster`. */
export interface OpenOptions {
  readonly passwordFile?: string | undefined;
  /** Milliseconds that a query may take, instead of the limit of the environment; undefined for no limit. */
  readonly timeout?: number | undefined;
  /** Answers without the shards that do not answer. */
  readonly skipsShards?: boolean;
}

/** Stands for no limit: a day in milliseconds. */
const longest = 86_400_000;

/**
 * Opens the cluster of an address, with the user and the password of the options, its profile or the environment. An encrypted
 * connection is the default; a password over any other is reported.
 */
export async function openNamedCluster(
  text: string,
  { environment, message }: Pick<Terminal, 'environment' | 'message'>,
  options: OpenOptions = {},
): Promise<Cluster> {
  const { passwordFile, skipsShards = false } = options;
  const address = parseClusterAddress(text);
  const profile =
    address.profile === undefined ? {} : await readClusterProfile(address.profile, address, environment);
  const password =
    passwordFile === undefined
      ? (profile.password ?? (await passwordOfEnvironment(environment)))
      : await readSecret(passwordFile, '--password-file');
  const host = new URL(address.origin).hostname;
  if (
    password !== undefined &&
    address.origin.startsWith('http:') &&
    !/^(localhost|127\.|\[::1\])/.test(host)
  )
    message(`The connection to ${host} is not encrypted: the password can be read on the way.`);
  const { time: usual, memory } = clusterLimits(environment);
  const time = 'timeout' in options ? (options.timeout ?? longest) : usual;
  return openCluster(address, {
    user: profile.user ?? environment.LOGQUARRY_CLUSTER_USER,
    password,
    limits: { time, memory },
    skipsShards,
  });
}

async function passwordOfEnvironment(environment: Terminal['environment']): Promise<string | undefined> {
  const { LOGQUARRY_CLUSTER_PASSWORD: password, LOGQUARRY_CLUSTER_PASSWORD_FILE: file } = environment;
  return (
    password ?? (file === undefined ? undefined : await readSecret(file, 'LOGQUARRY_CLUSTER_PASSWORD_FILE'))
  );
}

/** User and password of a cluster. */
interface Credentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Reads the user and the password of the profile that an address names. Throws a `UsageError` if the profile is for
 * another server or user: its password is sent to nobody else.
 */
async function readClusterProfile(
  name: string,
  { origin, user }: Pick<ClusterAddress, 'origin' | 'user'>,
  environment: Terminal['environment'],
): Promise<Credentials> {
  const stored = await readNamedProfile(checkProfileName(name), environment);
  if (!stored)
    throw new UsageError(`The profile "${name}" does not exist; "logquarry profile list" shows all profiles`);
  const { profile } = stored;
  const root = rootAddressOf(profile.url);
  if (root !== origin)
    throw new UsageError(
      `The profile "${name}" is for ${root ?? 'no address'}, and the cluster is at ${origin}`,
    );
  if (user !== undefined && profile.user !== user)
    throw new UsageError(`The profile "${name}" is for another user than "${user}"`);
  const inRing = profile.keyRing !== undefined && profile.password === undefined;
  const password = inRing ? await readKeyRingSecret(stored, root, environment) : profile.password;
  return { user: profile.user, password };
}

/** Limits on queries to clusters, and on the logs that are copied for one question. */
type Limits = Required<Pick<ClusterLimits, 'time' | 'memory'>> & { readonly logs: number };

/** Limits unless the environment has others. */
const usual: Limits = { time: 60_000, memory: 4_000_000_000, logs: 1_000_000 };

const units: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/**
 * Reads the limits from `LOGQUARRY_CLUSTER_TIME` (seconds), `LOGQUARRY_CLUSTER_MEMORY` (such as `8GB`) and
 * `LOGQUARRY_CLUSTER_LOGS`. Throws a `UsageError` for anything else.
 */
export function clusterLimits(environment: Terminal['environment']): Limits {
  const {
    LOGQUARRY_CLUSTER_TIME: time,
    LOGQUARRY_CLUSTER_MEMORY: memory,
    LOGQUARRY_CLUSTER_LOGS: logs,
  } = environment;
  return {
    time: time === undefined ? usual.time : 1000 * readNumber('LOGQUARRY_CLUSTER_TIME', time, /^(\d+)s?$/),
    memory: memory === undefined ? usual.memory : readMemory(memory),
    logs: logs === undefined ? usual.logs : readNumber('LOGQUARRY_CLUSTER_LOGS', logs, /^(\d+)$/),
  };
}

function readNumber(name: string, text: string, form: RegExp): number {
  const value = Number(form.exec(text)?.[1]);
  if (Number.isSafeInteger(value) && 0 < value) return value;
  throw new UsageError(`${name} must be a whole number of at least 1, got "${text}"`);
}

function readMemory(text: string): number {
  const [, digits, unit = 'B'] = /^([1-9]\d{0,11})([KMGT]?B)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw new UsageError(`LOGQUARRY_CLUSTER_MEMORY must be a size such as 8GB, got "${text}"`);
  return Number(digits) * (units[unit] ?? 1);
}

/**
 * Opens a cluster for reading its logs. If its address allows that shards are missing, those are named, and the
 * command ends as incomplete. Without one that is missing at first, no query skips any: one that fails later is an error.
 */
async function openReadableCluster(
  text: string,
  terminal: Pick<Terminal, 'environment' | 'message' | 'noteIncomplete'>,
  options: OpenOptions = {},
): Promise<Cluster> {
  const cluster = await openNamedCluster(text, terminal, options);
  let missing: readonly MissingShard[] = [];
  try {
    if (cluster.address.mayLackShards) missing = await missingShards(cluster);
    if (missing.length === 0) {
      await checkSchema(cluster);
      await sayUnknownDeployment(cluster, terminal);
      return cluster;
    }
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  await cluster[Symbol.asyncDispose]();
  sayMissing(missing, terminal);
  // The version and the deployments may be at a shard that is missing.
  const rest = await openNamedCluster(
    text,
    { ...terminal, message: () => {} },
    { ...options, skipsShards: true },
  );
  const known = new Set(missing.map(({ number }) => number));
  return {
    ...rest,
    [Symbol.asyncDispose]: async () => {
      // The answer is known as incomplete if the cluster does not say what else it lacks.
      const later = await missingShards(rest).catch(() => []);
      sayMissing(
        later.filter(({ number }) => !known.has(number)),
        terminal,
      );
      await rest[Symbol.asyncDispose]();
    },
  };
}

function sayMissing(
  missing: readonly MissingShard[],
  { message, noteIncomplete }: Pick<Terminal, 'message' | 'noteIncomplete'>,
): void {
  if (missing.length === 0) return;
  const names = missing.map(
    ({ number, servers }) => `shard ${number} (${servers.map(escapeUnsafe).join(', ')})`,
  );
  message(
    `warning: No answer from ${names.join(' and ')}: the answer lacks its logs, and those of parts whose record is there.`,
  );
  noteIncomplete?.();
}

/** Says if the cluster has no logs of the deployment of the address: an answer of nothing would hide a misspelt name. */
async function sayUnknownDeployment(cluster: Cluster, terminal: Pick<Terminal, 'message'>): Promise<void> {
  const others = await otherDeployments(cluster);
  if (!others) return;
  const shown = others.slice(0, 10).map((name) => `"${escapeUnsafe(name)}"`);
  const rest = others.length - shown.length;
  const known =
    others.length === 0
      ? 'it has no logs yet'
      : `it has those of ${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
  terminal.message(
    `warning: The cluster has no logs of the deployment "${escapeUnsafe(cluster.address.deployment ?? '')}": ${known}.`,
  );
}

/** The logs of a cluster, open for questions. */
export interface OpenClusterLogs extends AsyncDisposable {
  readonly logs: LogSource;
  /** Name for its logs among those of several sources. */
  readonly name: string;
}

/** Opens the logs of a cluster. Ctrl-C ends its queries. Rejects with a `ClusterError` if it has no tables for logs. */
export async function openClusterLogs(
  address: string,
  terminal: Pick<Terminal, 'environment' | 'message' | 'show' | 'stderr' | 'interruption' | 'noteIncomplete'>,
): Promise<OpenClusterLogs> {
  const cluster = await openReadableCluster(address, terminal);
  const opened: AsyncDisposable[] = [cluster];
  const close = async () => {
    for (const resource of opened.toReversed()) await resource[Symbol.asyncDispose]();
  };
  const { database, deployment } = cluster.address;
  const logs = clusterLogs(cluster, { signal: terminal.interruption(), copies });
  return {
    logs: {
      ...logs,
      copyLogs: async (...args) => {
        const display = displayProgress(terminal);
        const copied = await logs.copyLogs(...args).finally(() => display.end());
        opened.push(copied);
        return copied;
      },
    },
    name: deployment === undefined ? database : `${database}/${deployment}`,
    [Symbol.asyncDispose]: close,
  };

  async function copies() {
    const folder = await temporaryFolder();
    opened.push(folder);
    const { logs: mostLogs } = clusterLimits(terminal.environment);
    return { folder: folder.path, mostLogs };
  }
}

/** After a call exceeded a limit of a cluster, reports the clause of its query that costs most. */
export async function sayCostliest(call: WrittenCall, terminal: Terminal): Promise<void> {
  const [query] = call.arguments.query ?? call.options.search ?? [];
  // The address stands in the place of the query if a search has none.
  if (query === undefined || isClusterAddress(query)) return;
  const engine = engineOption.read(call.options.engine ?? [], 'engine');
  const addresses = new Set(Object.values(call.arguments).flat().filter(isClusterAddress));
  const clusters: OpenClusterLogs[] = [];
  try {
    // What opening says was said before.
    for (const address of addresses)
      clusters.push(await openClusterLogs(address, { ...terminal, message: () => undefined }));
    const costliest = await costliestPart(
      clusters.map(({ logs }) => logs),
      queryParts(query, engine),
    );
    if (costliest)
      terminal.message(
        `The clause ${escapeUnsafe(costliest.text)} costs most: alone it reads ${formatCount(costliest.logs, 'log')} at each server.`,
      );
  } catch {
    // The limit remains the failure that is reported.
  } finally {
    for (const cluster of clusters) await cluster[Symbol.asyncDispose]();
  }
}

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

/** Checks the logs of a cluster against their originals and the record of what was loaded, and shows the progress. */
export async function verifyNamedCluster(
  address: string,
  { originals, terminal }: { readonly originals: string | undefined; readonly terminal: Terminal },
): Promise<ClusterVerification> {
  await using cluster = await openNamedCluster(address, terminal);
  await sayUnknownDeployment(cluster, terminal);
  await using folder = await temporaryFolder();
  const display = displayProgress(terminal);
  let files = 0;
  return await verifyCluster(cluster, {
    folder: folder.path,
    originals,
    signal: terminal.interruption(),
    onFile: (file) => {
      files += 1;
      display.update({ doing: `Checking ${file}`, done: files, unit: 'originals' });
    },
  }).finally(() => display.end());
}
