import type { CommandSpec } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readConfigurationFiles } from './configuration-files.ts';
import type { OptionDefault } from './read-defaults.ts';

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
  for (const each of files.flatMap((file) => readDefaults(file, specs))) {
    const key = `${each.command} ${each.option}`;
    if (!first.has(key)) first.set(key, each);
  }
  return { paths: files.map(({ path }) => path), defaults: [...first.values()] };
}
