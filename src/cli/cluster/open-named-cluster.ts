import { type Cluster, type ClusterAddress, openCluster, parseClusterAddress } from '../../cluster/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readKeyRingSecret } from '../profiles/key-ring-secret.ts';
import { readNamedProfile } from '../profiles/profile.ts';
import { checkProfileName } from '../profiles/profile-folder.ts';
import { readSecret } from '../profiles/read-secret.ts';
import { rootAddressOf } from '../profiles/root-address.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clusterLimits } from './cluster-limits.ts';

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
