import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openKeyRing } from './key-ring.ts';
import type { StoredProfile } from './profile.ts';

/** Reads the secret of a profile from the key ring of the system. Throws a `UsageError` on failure. */
export async function readKeyRingSecret(
  { name, path }: Pick<StoredProfile, 'name' | 'path'>,
  root: string,
  environment: Terminal['environment'],
): Promise<string> {
  const ring = await openKeyRing({ environment });
  const found = await ring?.find({ profile: name, root });
  if (found && 'secret' in found) return found.secret;
  const reason = ring ? `"${ring.program}" did not return it (${found?.problem})` : 'this machine has none';
  throw new UsageError(
    `The secret of the profile "${path}" is in the key ring of the system, and ${reason}: unlock the key ring, or save the profile again with --no-key-ring`,
  );
}
