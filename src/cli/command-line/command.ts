import type { ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ArgumentSpecs, ArgumentValues } from './argument.ts';
import { checkCombination, type Exclusions, type Requirements } from './combinations.ts';
import { flagOf, type OptionSpecs, type OptionValues } from './option.ts';

/**
 * What a command takes and says about itself. The parser of the command line,
 * the help and the manual are made of these, so that a fact stands once.
 */
export interface CommandSpec<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** In one word, or in two where it is one of a group, as `catalog folders`. */
  readonly name: string;
  /** One line for the list of commands; no final stop. */
  readonly summary: string;
  /** Paragraphs for its own help, after the summary. */
  readonly details?: readonly string[];
  readonly arguments: A;
  readonly options: O;
  readonly excludes?: Exclusions;
  readonly requires?: Requirements;
  readonly examples: readonly [Example, ...Example[]];
}

/** A command line that works, and what it is for. */
export interface Example {
  readonly run: string;
  readonly about: string;
}

/** One call of a command. */
export interface Call<S extends CommandSpec> {
  readonly arguments: ArgumentValues<S['arguments']>;
  readonly options: OptionValues<S['options']>;
  readonly terminal: Terminal;
}

/**
 * Does what a command is for and says how it went. Failures are thrown; what
 * they mean for the exit code is decided in one place, `failure.ts`.
 */
export type Run<S extends CommandSpec> = (call: Call<S>) => Promise<ExitCode>;

/** A command line as it was written, by the names of the specification. */
export interface Written {
  readonly arguments: { readonly [name: string]: readonly string[] };
  readonly options: { readonly [name: string]: readonly string[] };
}

/** A command whose types are no longer known, as the table of commands has it. */
export interface Command {
  readonly spec: CommandSpec;
  readonly run: (written: Written, terminal: Terminal) => Promise<ExitCode>;
}

/** Puts a specification and what runs it together. The module of the command is loaded when it is called. */
export function toCommand<A extends ArgumentSpecs, O extends OptionSpecs>(
  spec: CommandSpec<A, O>,
  load: () => Promise<Run<CommandSpec<A, O>>>,
): Command {
  return {
    spec,
    async run(written, terminal) {
      // Each value was made by the `read` of its own specification, which the compiler cannot see through the keys.
      const call = {
        arguments: readArguments(spec.arguments, written) as ArgumentValues<A>,
        options: readOptions(spec.options, written) as OptionValues<O>,
        terminal,
      };
      checkCombination(spec.options, spec, written.options);
      const run = await load();
      return run(call);
    },
  };
}

function readArguments(specs: ArgumentSpecs, written: Written): Record<string, unknown> {
  const read = Object.entries(specs).map(([name, spec]) => [name, spec.read(written.arguments[name] ?? [])]);
  return Object.fromEntries(read);
}

function readOptions(specs: OptionSpecs, written: Written): Record<string, unknown> {
  const read = Object.entries(specs).map(([name, spec]) => [
    name,
    spec.read(written.options[name] ?? [], flagOf(name)),
  ]);
  return Object.fromEntries(read);
}
