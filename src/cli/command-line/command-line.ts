import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { packageVersion } from '../../store/chain/version.ts';
import type { ArgumentSpec } from './argument.ts';
import type { Command, CommandSpec, WrittenCall } from './command.ts';
import { commandGroups } from './command-groups.ts';
import { type OptionSpec, optionFlag } from './option.ts';
import { UsageError } from './usage-error.ts';

/** A parsed command line: a call, a text to print, or a mistake. */
export type CommandLine =
  | { readonly kind: 'call'; readonly command: Command; readonly written: WrittenCall }
  /** Help or the version, printed as data. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'mistake'; readonly message: string };

/** Parses the words of a command line. `width` is the line length of the help, in columns. */
export function readCommandLine(
  words: readonly string[],
  commands: readonly Command[],
  width: number,
): CommandLine {
  const output = { answer: '', mistake: '' };
  let called: CommandLine | undefined;
  const program = toProgram();
  for (const command of commands) {
    const added = addCommand(program, command);
    // Arguments and options are added to the named command only: adding all takes as long as a short command.
    if (words.includes(firstWord(command)))
      complete(added, command, (written) => {
        called = { kind: 'call', command, written };
      });
  }
  for (const each of withSubcommands(program)) {
    each.exitOverride().configureOutput({
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      writeOut: (text) => {
        output.answer += text;
      },
      writeErr: (text) => {
        output.mistake += text;
      },
    });
  }
  try {
    program.parse(withoutHelpCommand(words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'answer', text: output.answer };
    return { kind: 'mistake', message: output.mistake };
  }
  return called ?? { kind: 'mistake', message: output.mistake };
}

/**
 * Turns `help catalog info` into `catalog info --help`: commander's own help command does not find
 * grouped commands.
 */
function withoutHelpCommand(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  return first === 'help' && 0 < rest.length ? [...rest, '--help'] : words;
}

function withSubcommands(command: Commander): readonly Commander[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

const about = 'Checks, exports, stores and searches the logs of a containerised GIS deployment.';

const outputHelp = `
A terminal shows a page of a long result. Files, pipes and Parquet files get all
of it unless --limit is given.
`;

const exitCodeHelp = `
Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 the deployment failed or
refused, 4 the export or a list is incomplete, 130 interrupted.`;

function toProgram(): Commander {
  return new Commander('logquarry')
    .description(about)
    .version(packageVersion, '--version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand('help [COMMAND]', 'Print the help of a command')
    .usage('COMMAND …')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', outputHelp + exitCodeHelp);
}

function firstWord({ spec }: Command): string {
  return spec.name.split(' ', 1)[0] ?? '';
}

/** Adds a command with its summary only, as the list of commands needs it. */
function addCommand(program: Commander, { spec }: Command): Commander {
  const words = spec.name.split(' ');
  const group = words.slice(0, -1).reduce(groupIn, program);
  return group.command(words.at(-1) ?? '').summary(spec.summary);
}

/** Adds help, arguments, options and the action to a command. */
function complete(sub: Commander, { spec }: Command, onCall: (written: WrittenCall) => void): void {
  /** The texts written for an option under its current or former name. */
  const textsOf = (name: string, { formerly }: OptionSpec<unknown>): readonly string[] => {
    const written = texts(sub.getOptionValue(name));
    const before = formerly === undefined ? [] : texts(sub.getOptionValue(formerly));
    if (formerly !== undefined && 0 < written.length && 0 < before.length)
      throw new UsageError(
        `${optionFlag(formerly)} is the former name of ${optionFlag(name)}: give only one of them`,
      );
    return [...written, ...before];
  };
  sub
    .description([`${spec.summary}.`, ...(spec.details ?? [])].join('\n\n'))
    .usage(usageOf(spec))
    .helpOption('-h, --help', 'Print this help')
    .showHelpAfterError(`"logquarry ${spec.name} --help" shows its arguments and options.`)
    .addHelpText('after', examplesOf(spec));
  for (const [name, argument] of Object.entries(spec.arguments)) sub.addArgument(toArgument(name, argument));
  for (const [name, option] of Object.entries(spec.options)) {
    sub.addOption(toOption(name, option));
    if (option.formerly !== undefined) sub.addOption(toOption(option.formerly, option).hideHelp());
  }
  sub.action(() => {
    onCall({
      arguments: Object.fromEntries(
        Object.keys(spec.arguments).map((name, at) => [name, texts(sub.processedArgs[at])]),
      ),
      options: Object.fromEntries(
        Object.entries(spec.options).map(([name, option]) => [name, textsOf(name, option)]),
      ),
    });
  });
}

/** The parent command of a group, such as `catalog` for `catalog folders`. */
function groupIn(parent: Commander, name: string): Commander {
  const found = parent.commands.find((command) => command.name() === name);
  if (found) return found;
  const about = commandGroups[name] ?? '';
  return parent
    .command(name)
    .summary(about)
    .description(`${about}.`)
    .usage('COMMAND …')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() });
}

function usageOf(spec: CommandSpec): string {
  const words = Object.entries(spec.arguments).map(([name, { times }]) => {
    const word = `${name.toUpperCase()}${times === 'one' ? '' : '…'}`;
    return times === 'any' ? `[${word}]` : word;
  });
  return [...words, '[options]'].join(' ');
}

function toArgument(name: string, { about, times }: ArgumentSpec<unknown>): Argument {
  const term = `${name.toUpperCase()}${times === 'one' ? '' : '...'}`;
  return new Argument(times === 'any' ? `[${term}]` : `<${term}>`, about);
}

function toOption(name: string, { value, about, fallback }: OptionSpec<unknown>): Option {
  const flags = value === undefined ? optionFlag(name) : `${optionFlag(name)} <${value}>`;
  const option = new Option(flags, fallback === undefined ? about : `${about} (default: ${fallback})`);
  // Commander takes "--no-index" for a negation; here it is an ordinary flag.
  option.negate = false;
  return value === undefined ? option : option.argParser((text, before) => [...texts(before), text]);
}

/** The texts commander parsed for an argument or an option. */
function texts(parsed: unknown): readonly string[] {
  if (parsed === undefined) return [];
  return Array.isArray(parsed) ? parsed.map(String) : [String(parsed)];
}

function examplesOf({ examples }: CommandSpec): string {
  const lines = examples.map(({ run, about }) => `  # ${about}\n  ${run}`);
  return `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`;
}
