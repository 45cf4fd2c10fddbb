import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

const schema = v.strictObject({
  url: v.optional(v.string()),
  user: v.optional(v.string()),
  password: v.optional(v.string()),
  token: v.optional(v.string()),
  /** When the token ends, as a date and time of ISO 8601. */
  expires: v.optional(v.string()),
  referer: v.optional(v.string()),
  ca: v.optional(v.string()),
  cert: v.optional(v.string()),
  key: v.optional(v.string()),
  proxy: v.optional(v.string()),
});

/** A way to a deployment, kept in a file. May hold secrets. */
export type Profile = v.InferOutput<typeof schema>;

/** The profile of a path, or the default one where there is one; an empty one otherwise. */
export async function readProfile(
  path: string | undefined,
  environment: Terminal['environment'],
): Promise<Profile> {
  const chosen = path ?? environment.LOGQUARRY_PROFILE;
  const { XDG_CONFIG_HOME } = environment;
  const otherwise = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'logquarry', 'profile.json');
  const file = await open(chosen ?? otherwise, { isChosen: chosen !== undefined });
  return file === undefined ? {} : toProfile(file.text, file.path);
}

async function open(
  path: string,
  { isChosen }: { isChosen: boolean },
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  try {
    const { mode } = await stat(path);
    checkMode('The profile', path, mode);
    return { path, text: await readFile(path, 'utf8') };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    if (!isChosen && 'code' in error && error.code === 'ENOENT') return undefined;
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

function toProfile(text: string, path: string): Profile {
  const read = v.safeParse(schema, fromJson(text));
  if (read.success) return read.output;
  // What is wrong is told by its place alone: the values may be secrets.
  const places = read.issues.map((issue) => `"${v.getDotPath(issue) ?? 'the whole'}"`).join(', ');
  throw new UsageError(
    `The profile "${path}" requires a JSON object with the texts url, user, password, token, expires, referer, ca, cert, key and proxy; not so: ${places}`,
  );
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
