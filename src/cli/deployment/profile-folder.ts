import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../command-line/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Environment = Terminal['environment'];

/**
 * The folder of this program's settings: %APPDATA% on Windows, else by the XDG Base Directory
 * Specification.
 */
export function configurationFolder(environment: Environment, platform: string = process.platform): string {
  const { APPDATA, XDG_CONFIG_HOME, HOME } = environment;
  const home = HOME || homedir();
  if (platform === 'win32') return join(APPDATA || join(home, 'AppData', 'Roaming'), 'logquarry');
  // Relative paths are invalid by the specification.
  const isUsable = XDG_CONFIG_HOME !== undefined && isAbsolute(XDG_CONFIG_HOME);
  return join(isUsable ? XDG_CONFIG_HOME : join(home, '.config'), 'logquarry');
}

/** True if a text can name a profile: a file name that needs no quoting in any shell or file system. */
export function isProfileName(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && !text.endsWith('.json');
}

/** Returns the name of a profile. Throws a `UsageError` if it is malformed. */
export function checkProfileName(text: string): string {
  if (isProfileName(text)) return text;
  throw new UsageError(
    `The name of a profile must consist of letters, digits, ".", "_" and "-" and not end in ".json", got "${text}"`,
  );
}

/** The path of a named profile. */
export function profilePath(name: string, environment: Environment): string {
  return join(configurationFolder(environment), 'profiles', `${name}.json`);
}

/** The names of all profiles, sorted. */
export async function listProfileNames(environment: Environment): Promise<readonly string[]> {
  const folder = join(configurationFolder(environment), 'profiles');
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter(isProfileName)
    .toSorted();
}

/** The path of the file that holds the name of the default profile. */
export function defaultNamePath(environment: Environment): string {
  return join(configurationFolder(environment), 'default-profile');
}

/** The name of the default profile; undefined if none is chosen. */
export async function readDefaultProfileName(environment: Environment): Promise<string | undefined> {
  const text = await readFile(defaultNamePath(environment), 'utf8').catch(() => '');
  return isProfileName(text.trim()) ? text.trim() : undefined;
}

/** The path of the default profile if no name is chosen. */
export function unnamedProfilePath(environment: Environment): string {
  return join(configurationFolder(environment), 'profile.json');
}
