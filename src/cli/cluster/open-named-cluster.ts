import { type Cluster, openCluster, parseClusterAddress } from '../../cluster/index.ts';
import { readSecret } from '../profiles/read-secret.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clusterLimits } from './cluster-limits.ts';
import { readClusterProfile } from './cluster-profile.ts';

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
  { environment, say }: Pick<Terminal, 'environment' | 'say'>,
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
    say(`The connection to ${host} is not encrypted: the password can be read on the way.`);
  const { time: usual, memory } = clusterLimits(environment);
  const time = 'timeout' in options ? (options.timeout ?? longest) : usual;
  return openCluster(address, {
    ...{ user: profile.user ?? environment.LOGQUARRY_CLUSTER_USER, password, limits: { time, memory } },
    skipsShards,
  });
}

async function passwordOfEnvironment(environment: Terminal['environment']): Promise<string | undefined> {
  const { LOGQUARRY_CLUSTER_PASSWORD: given, LOGQUARRY_CLUSTER_PASSWORD_FILE: file } = environment;
  return (
    given ?? (file === undefined ? undefined : await readSecret(file, 'LOGQUARRY_CLUSTER_PASSWORD_FILE'))
  );
}
