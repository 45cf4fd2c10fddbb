import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { defaultName, isProfileName, profilePath, unnamedDefault } from './profile-folder.ts';

const text = v.optional(v.string());
const schema = v.strictObject({
  url: text,
  user: text,
  password: text,
  token: text,
  /** When the token ends, as ISO 8601 has it. */
  expires: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  /** Which secret of the profile the key ring of the system holds. */
  keyRing: v.optional(v.picklist(['token', 'password'])),
  referer: text,
  ca: text,
  cert: text,
  key: text,
  proxy: text,
});

/** A way to a deployment, kept in a file. May hold secrets. */
export type Profile = v.InferOutput<typeof schema>;

/** A profile that was read. */
export interface StoredProfile {
  readonly name: string;
  readonly path: string;
  readonly profile: Profile;
}

/** The profile that a name or the path of a file stands for. Throws a `UsageError` where there is none. */
export async function chosenProfile(
  nameOrPath: string,
  environment: Terminal['environment'],
): Promise<StoredProfile> {
  const named = isProfileName(nameOrPath) ? await namedProfile(nameOrPath, environment) : undefined;
  const found = named ?? (await readProfile(nameOrPath));
  if (found) return found;
  const advice = isProfileName(nameOrPath) ? '; "logquarry profile list" shows those with a name' : '';
  throw new UsageError(`The profile "${nameOrPath}" cannot be read: there is no such file${advice}`);
}

/** The profile with a name; undefined where there is none. */
export async function namedProfile(
  name: string,
  environment: Terminal['environment'],
): Promise<StoredProfile | undefined> {
  return readProfile(profilePath(name, environment));
}

/** The default profile: the one that LOGQUARRY_PROFILE names, that was chosen, or that has no name; undefined where there is none. */
export async function defaultProfile(
  environment: Terminal['environment'],
): Promise<StoredProfile | undefined> {
  if (environment.LOGQUARRY_PROFILE) return chosenProfile(environment.LOGQUARRY_PROFILE, environment);
  const name = await defaultName(environment);
  if (name === undefined) return readProfile(unnamedDefault(environment));
  const found = await namedProfile(name, environment);
  if (found) return found;
  throw new UsageError(
    `The default profile "${name}" is not there: choose another by "logquarry profile use"`,
  );
}

/** The profile of a file; undefined where there is no such file. */
async function readProfile(path: string): Promise<StoredProfile | undefined> {
  try {
    const { mode } = await stat(path);
    checkMode('The profile', path, mode);
    const profile = toProfile(await readFile(path, 'utf8'), path);
    return { name: basename(path, '.json'), path, profile };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`The profile "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

/** Throws a `UsageError` where others than its owner can read a file. */
export function checkMode(what: string, path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new UsageError(
    `${what} "${path}" requires mode 0600, so that only its owner can read it, and has ${shown}: chmod 600 "${path}"`,
  );
}

function toProfile(written: string, path: string): Profile {
  const read = v.safeParse(schema, fromJson(written));
  if (read.success) return read.output;
  // What is wrong is told by its place alone: the values may be secrets.
  const places = read.issues.map((issue) => `"${v.getDotPath(issue) ?? 'the whole'}"`).join(', ');
  throw new UsageError(
    `The profile "${path}" requires a JSON object with the texts ${Object.keys(schema.entries).join(', ')}; not so: ${places}`,
  );
}

function fromJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
