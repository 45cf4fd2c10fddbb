import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CommandSpec } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { configurationFolder } from '../deployment/profile-folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ConfigurationFile, OptionDefault } from './read-defaults.ts';

/** The configuration at a working folder. */
export interface Configuration {
  /** Paths of the files that were read, by descending priority. */
  readonly paths: readonly string[];
  /** Defaults in effect: one for each option of a command, that of the project before that of the user. */
  readonly defaults: readonly OptionDefault[];
}

/**
 * Reads the configuration files for the working folder. `loadSpecs` returns the specifications of all commands, and
 * is called if there is a file. Throws a `UsageError` for a mistake in one.
 */
export async function readConfiguration(
  loadSpecs: () => Promise<readonly CommandSpec[]>,
  environment: Terminal['environment'],
): Promise<Configuration> {
  const files = await readConfigurationFiles(environment, process.cwd());
  if (files.length === 0) return { paths: [], defaults: [] };
  // Most calls have no configuration and do without the parser.
  const { readDefaults } = await import('./read-defaults.ts');
  const specs = await loadSpecs();
  const first = new Map<string, OptionDefault>();
  for (const optionDefault of files.flatMap((file) => readDefaults(file, specs))) {
    const key = `${optionDefault.command} ${optionDefault.option}`;
    if (!first.has(key)) first.set(key, optionDefault);
  }
  return { paths: files.map(({ path }) => path), defaults: [...first.values()] };
}

type Environment = Terminal['environment'];

/** Name of the file of a project. */
const projectName = '.logquarry.json';

/** The path of the user's file; undefined if LOGQUARRY_CONFIG is `none`. */
export function userFilePath(environment: Environment): string | undefined {
  const { LOGQUARRY_CONFIG: named } = environment;
  if (named === 'none') return undefined;
  return named ? resolve(named) : join(configurationFolder(environment), 'config.json');
}

/**
 * Reads the configuration files by descending priority: the nearest one of a project, then the user's.
 * Absent files are left out. Throws a `UsageError` for an unreadable one, and for a named one that is absent.
 */
async function readConfigurationFiles(
  environment: Environment,
  folder: string,
): Promise<readonly ConfigurationFile[]> {
  const userPath = userFilePath(environment);
  if (userPath === undefined) return [];
  const text = await readIfThere(userPath);
  if (text === undefined && environment.LOGQUARRY_CONFIG)
    throw new UsageError(`LOGQUARRY_CONFIG names "${userPath}", which does not exist`);
  const project = await findProjectFile(folder, environment.HOME || homedir());
  return [
    ...(project ? [project] : []),
    ...(text === undefined ? [] : [{ kind: 'user' as const, path: userPath, text }]),
  ];
}

/** The nearest project file from a folder up to the home folder or the root. */
async function findProjectFile(folder: string, home: string): Promise<ConfigurationFile | undefined> {
  const path = join(folder, projectName);
  const text = await readIfThere(path);
  if (text !== undefined) {
    await checkOwner(path);
    return { kind: 'project', path, text };
  }
  const above = dirname(folder);
  return folder === above || folder === resolve(home) ? undefined : findProjectFile(above, home);
}

/** Refuses a project file of another user, who could leave one in a shared folder above. */
async function checkOwner(path: string): Promise<void> {
  const own = process.getuid?.();
  const { uid } = await stat(path);
  if (own === undefined || uid === own || uid === 0) return;
  throw new UsageError(
    `The configuration "${path}" belongs to another user: remove it, or set LOGQUARRY_CONFIG=none to read none`,
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The configuration "${path}" cannot be read: ${reason}`, { cause: error });
  }
}
