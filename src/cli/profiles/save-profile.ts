import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeOutput } from '../files/write-output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openKeyRing } from './key-ring.ts';
import { type ConnectionProfile, readNamedProfile, type StoredProfile } from './profile.ts';
import { defaultNamePath, profilePath, readDefaultProfileName } from './profile-folder.ts';
import { rootAddressOf } from './root-address.ts';

/** A named profile to save. Holds a secret. */
export interface ProfileToSave {
  readonly name: string;
  /** Without secrets. */
  readonly profile: Omit<ConnectionProfile, 'token' | 'password' | 'keyRing'>;
  readonly secret?: { readonly kind: 'token' | 'password'; readonly value: string } | undefined;
  /** Administrative base address of the secret. */
  readonly root: string;
  /** True stores the secret in the file even if there is a key ring. */
  readonly noKeyRing: boolean;
}

/**
 * Saves a named profile, replacing an earlier one. The secret goes to the key ring of the system, or
 * else to the file, which only its owner can read. Reports a key ring that refuses it.
 */
export async function saveProfile(wanted: ProfileToSave, terminal: Terminal): Promise<void> {
  const { name, profile, secret } = wanted;
  const path = profilePath(name, terminal.environment);
  const earlier = await readNamedProfile(name, terminal.environment).catch(() => undefined);
  if (earlier) await forgetSecret(earlier, terminal);
  const isInRing = secret !== undefined && (await storeInRing(wanted, secret.value, terminal));
  const inFile = secret && (isInRing ? { keyRing: secret.kind } : { [secret.kind]: secret.value });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify({ ...profile, ...inFile }, null, 2)}\n`;
  await writeOutput(text, { path, terminal, secret: true });
}

async function storeInRing(
  { name, root, noKeyRing }: ProfileToSave,
  secret: string,
  terminal: Terminal,
): Promise<boolean> {
  const ring = noKeyRing ? undefined : await openKeyRing({ environment: terminal.environment });
  if (!ring) return false;
  const problem = await ring.store({ profile: name, root }, secret);
  if (problem === undefined) return true;
  terminal.say(
    `The key ring of the system refused the secret ("${ring.program}": ${problem}): it is in the file of the profile, which only its owner can read.`,
  );
  return false;
}

/** Removes a named profile and its secret. */
export async function removeProfile(stored: StoredProfile, terminal: Terminal): Promise<void> {
  await forgetSecret(stored, terminal);
  await rm(stored.path);
  const { environment } = terminal;
  if ((await readDefaultProfileName(environment)) === stored.name) await rm(defaultNamePath(environment));
}

/** Removes the secret of a profile from the key ring. */
async function forgetSecret({ name, profile }: StoredProfile, { environment }: Terminal): Promise<void> {
  if (profile.keyRing === undefined || profile.url === undefined) return;
  const ring = await openKeyRing({ environment });
  await ring?.remove({ profile: name, root: rootAddressOf(profile.url) ?? '' });
}
