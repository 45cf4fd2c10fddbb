import { colourChoices } from '../terminal/colours.ts';
import { type DisplayChoices, openDisplay } from '../terminal/display.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ArgumentSpecs, ArgumentValues } from './argument.ts';
import { checkCombination, type Exclusions, type Requirements } from './combinations.ts';
import type { ExitCode } from './exit-code.ts';
import { type OptionSpecs, type OptionValues, optionFlag } from './option.ts';

/** Arguments, options and help texts of a command. Parser, help and manual are all made from it. */
export interface CommandSpec<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** One word, or two for a command of a group, such as `catalog folders`. */
  readonly name: string;
  /** One line for the list of commands; no final stop. */
  readonly summary: string;
  /** Paragraphs for its own help, after the summary. */
  readonly details?: readonly string[];
  readonly arguments: A;
  readonly options: O;
  readonly excludes?: Exclusions;
  readonly requires?: Requirements;
  readonly examples: readonly [CommandExample, ...CommandExample[]];
}

/** A working command line and its purpose. */
export interface CommandExample {
  readonly run: string;
  readonly about: string;
}

/** One call of a command. */
export interface CommandCall<S extends CommandSpec> {
  readonly arguments: ArgumentValues<S['arguments']>;
  readonly options: OptionValues<S['options']>;
  readonly terminal: Terminal;
}

/**
 * Runs a command and reports its result. Failures are thrown; `report-failure.ts` maps them to exit
 * codes.
 */
export type RunCommand<S extends CommandSpec> = (call: CommandCall<S>) => Promise<ExitCode>;

/** The written texts of a command line, by argument and option name. */
export interface WrittenCall {
  readonly arguments: { readonly [name: string]: readonly string[] };
  readonly options: { readonly [name: string]: readonly string[] };
}

/** A command with its types erased, for the command table. */
export interface Command {
  readonly spec: CommandSpec;
  readonly run: (written: WrittenCall, terminal: Terminal) => Promise<ExitCode>;
}

/** Combines a specification with a loader of its implementation. The module is loaded on the call. */
export function defineCommand<A extends ArgumentSpecs, O extends OptionSpecs>(
  spec: CommandSpec<A, O>,
  load: () => Promise<RunCommand<CommandSpec<A, O>>>,
): Command {
  return {
    spec,
    async run(written, terminal) {
      // Each value comes from the `read` of its own specification; the compiler cannot follow that through the keys.
      const options = readOptions(spec.options, written);
      const display = openDisplay(terminal, displayChoices(options));
      const call = {
        arguments: readArguments(spec.arguments, written) as ArgumentValues<A>,
        options: options as OptionValues<O>,
        terminal: display.terminal,
      };
      checkCombination(spec.options, spec, written.options);
      const run = await load();
      try {
        return await run(call);
      } finally {
        await display.end();
      }
    },
  };
}

/** The values of the options that all commands with them share. */
function displayChoices({ color, noPager }: Readonly<Record<string, unknown>>): DisplayChoices {
  const choice = colourChoices.find((each) => each === color);
  return { ...(choice && { color: choice }), ...(typeof noPager === 'boolean' && { noPager }) };
}

function readArguments(specs: ArgumentSpecs, written: WrittenCall): Record<string, unknown> {
  const read = Object.entries(specs).map(([name, spec]) => [name, spec.read(written.arguments[name] ?? [])]);
  return Object.fromEntries(read);
}

function readOptions(specs: OptionSpecs, written: WrittenCall): Record<string, unknown> {
  const read = Object.entries(specs).map(([name, spec]) => [
    name,
    spec.read(written.options[name] ?? [], optionFlag(name)),
  ]);
  return Object.fromEntries(read);
}
