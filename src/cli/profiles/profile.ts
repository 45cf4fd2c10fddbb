import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isProfileName, profilePath, readDefaultProfileName, unnamedProfilePath } from './profile-folder.ts';

const text = v.optional(v.string());
const schema = v.strictObject({
  url: text,
  user: text,
  password: text,
  token: text,
  /** Expiry of the token in ISO 8601. */
  expires: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  /** The kind of secret stored in the key ring of the system. */
  keyRing: v.optional(v.picklist(['token', 'password'])),
  referer: text,
  ca: text,
  cert: text,
  key: text,
  proxy: text,
});

/** Connection settings of a deployment in a file. May hold secrets. */
export type ConnectionProfile = v.InferOutput<typeof schema>;

/** A profile with its name and path. */
export interface StoredProfile {
  readonly name: string;
  readonly path: string;
  readonly profile: ConnectionProfile;
}

/** Reads a profile by name or path. Throws a `UsageError` if there is none. */
export async function readChosenProfile(
  nameOrPath: string,
  environment: Terminal['environment'],
): Promise<StoredProfile> {
  const named = isProfileName(nameOrPath) ? await readNamedProfile(nameOrPath, environment) : undefined;
  const found = named ?? (await readProfile(nameOrPath));
  if (found) return found;
  const advice = isProfileName(nameOrPath) ? '; "logquarry profile list" shows the named ones' : '';
  throw new UsageError(`The profile "${nameOrPath}" does not exist${advice}`);
}

/** Reads a named profile; undefined if there is none. */
export async function readNamedProfile(
  name: string,
  environment: Terminal['environment'],
): Promise<StoredProfile | undefined> {
  return readProfile(profilePath(name, environment));
}

/**
 * Reads the default profile: the one named by LOGQUARRY_PROFILE, the chosen one, or the unnamed one;
 * undefined if there is none.
 */
export async function readDefaultProfile(
  environment: Terminal['environment'],
): Promise<StoredProfile | undefined> {
  if (environment.LOGQUARRY_PROFILE) return readChosenProfile(environment.LOGQUARRY_PROFILE, environment);
  const name = await readDefaultProfileName(environment);
  if (name === undefined) return readProfile(unnamedProfilePath(environment));
  const found = await readNamedProfile(name, environment);
  if (found) return found;
  throw new UsageError(
    `The default profile "${name}" does not exist: choose another with "logquarry profile use"`,
  );
}

/** Reads the profile of a file; undefined if the file does not exist. */
async function readProfile(path: string): Promise<StoredProfile | undefined> {
  try {
    const { mode } = await stat(path);
    checkFileMode('The profile', path, mode);
    const profile = toProfile(await readFile(path, 'utf8'), path);
    return { name: basename(path, '.json'), path, profile };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`The profile "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

/** Throws a `UsageError` if others than its owner can read a file. */
export function checkFileMode(what: string, path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new UsageError(
    `${what} "${path}" must have mode 0600, so that only its owner can read it, and has ${shown}: chmod 600 "${path}"`,
  );
}

function toProfile(written: string, path: string): ConnectionProfile {
  const read = v.safeParse(schema, fromJson(written));
  if (read.success) return read.output;
  // Problems are named by position only, because the values may be secrets.
  const places = read.issues.map((issue) => `"${v.getDotPath(issue) ?? 'the whole'}"`).join(', ');
  throw new UsageError(
    `The profile "${path}" must be a JSON object with the texts ${Object.keys(schema.entries).join(', ')}; problems at: ${places}`,
  );
}

function fromJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
