import type { ClusterAddress } from '../../cluster/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readKeyRingSecret } from '../profiles/key-ring-secret.ts';
import { readNamedProfile } from '../profiles/profile.ts';
import { checkProfileName } from '../profiles/profile-folder.ts';
import { rootAddressOf } from '../profiles/root-address.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** User and password of a cluster. */
interface Credentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Reads the user and the password of the profile that an address names. Throws a `UsageError` if the profile is for
 * another server or user: its password is sent to nobody else.
 */
export async function readClusterProfile(
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
