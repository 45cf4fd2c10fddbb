import type { Command, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { optionFlag } from '../command-line/option.ts';
import { readConfiguration, userFilePath } from '../configuration/configuration.ts';
import { formatTable } from '../output/table.ts';
import type { configSpec } from '../specs/deployment-specs.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Prints the defaults in effect for the given commands, with the file of each. */
export function configCommand(commands: () => readonly Command[]): RunCommand<typeof configSpec> {
  return async ({ options: { json }, terminal }) => {
    const { environment, stdout } = terminal;
    const specs = commands().map(({ spec }) => spec);
    const { paths, defaults } = await readConfiguration(async () => specs, environment);
    const rows = defaults.map(({ command, option, written: args, path }) => {
      const isSwitch = specs.find(({ name }) => name === command)?.options[option]?.value === undefined;
      const value = isSwitch ? String(0 < args.length) : args.join(',');
      return { command, option: optionFlag(option), value, file: path };
    });
    if (json) {
      await terminal.print(`${toJson({ files: paths, defaults: rows }, 2)}\n`);
      return exitCodes.done;
    }
    if (rows.length === 0) terminal.message(emptyText(paths, userFilePath(environment)));
    else {
      const cells = rows.map(({ command, option, value, file }) => [command, option, value, file]);
      const columns = ['command', 'option', 'value', 'from'].map((name) => ({ name }));
      const lines = formatTable(columns, cells, stdout);
      await terminal.print(`${lines.join('\n')}\n`);
    }
    return exitCodes.done;
  };
}

function emptyText(paths: readonly string[], userPath: string | undefined): string {
  if (userPath === undefined) return 'No configuration is read: LOGQUARRY_CONFIG is "none".';
  const read = paths.map((path) => `"${path}"`).join(', ');
  if (paths.length > 0) return escapeUnsafe(`No defaults in ${read}.`);
  return escapeUnsafe(`No defaults: neither ".logquarry.json" nor "${userPath}" exists.`);
}
