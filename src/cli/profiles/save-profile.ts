import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rootOf } from '../deployment/root-of.ts';
import { writeOutput } from '../output/write-output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openKeyRing } from './key-ring.ts';
import { namedProfile, type Profile, type StoredProfile } from './profile.ts';
import { defaultName, defaultNamePath, profilePath } from './profile-folder.ts';

/** A named profile to be kept. Holds a secret. */
export interface ProfileToSave {
  readonly name: string;
  /** Without any secret. */
  readonly profile: Omit<Profile, 'token' | 'password' | 'keyRing'>;
  readonly secret?: { readonly kind: 'token' | 'password'; readonly value: string } | undefined;
  /** The administrative base address that the secret is for. */
  readonly root: string;
  /** True stores the secret in the file even where there is a key ring. */
  readonly noKeyRing: boolean;
}

/**
 * Keeps a named profile in the place of an earlier one. The secret goes to the
 * key ring of the system, or where there is none to the file, which only its
 * owner can read. Says so where a key ring did not take it.
 */
export async function saveProfile(wanted: ProfileToSave, terminal: Terminal): Promise<void> {
  const { name, profile, secret } = wanted;
  const path = profilePath(name, terminal.environment);
  const earlier = await namedProfile(name, terminal.environment).catch(() => undefined);
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
    `The key ring of the system did not take the secret ("${ring.program}": ${problem}): it is in the file of the profile, which only its owner can read.`,
  );
  return false;
}

/** Removes a named profile and its secret. */
export async function removeProfile(stored: StoredProfile, terminal: Terminal): Promise<void> {
  await forgetSecret(stored, terminal);
  await rm(stored.path);
  const { environment } = terminal;
  if ((await defaultName(environment)) === stored.name) await rm(defaultNamePath(environment));
}

/** Removes the secret of a profile from the key ring. */
async function forgetSecret({ name, profile }: StoredProfile, { environment }: Terminal): Promise<void> {
  if (profile.keyRing === undefined || profile.url === undefined) return;
  const ring = await openKeyRing({ environment });
  await ring?.remove({ profile: name, root: rootOf(profile.url) ?? '' });
}
