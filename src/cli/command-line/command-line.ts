import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { packageVersion } from '../../case/index.ts';
import type { ArgumentSpec } from './argument.ts';
import type { Command, WrittenCall } from './command.ts';
import { commandHelp, optionTerm } from './help-text.ts';
import { type OptionSpec, optionFlag } from './option.ts';
import { commandOfOtherName } from './other-names.ts';
import { groupHelp, programHelp } from './program-help.ts';
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
  const specs = commands.map(({ spec }) => spec);
  const isFull = isFullHelp(words);
  const program = toProgram().configureHelp({ formatHelp: () => programHelp(specs, width) });
  for (const command of commands) {
    const added = addCommand(program, command, (group) => groupHelp(group, specs, width));
    added.configureHelp({ formatHelp: () => commandHelp(command.spec, width, isFull) });
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
    program.parse(withoutHelpCommand(isFull ? words.slice(0, -1) : words), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'answer', text: output.answer };
    const isUnknown = error.code === 'commander.unknownCommand';
    return {
      kind: 'mistake',
      message: isUnknown ? describeUnknown(output.mistake, words[0], commands) : output.mistake,
    };
  }
  return called ?? { kind: 'mistake', message: output.mistake };
}

/** Completes the message about an unknown command: what other tools call so goes before what is spelled like it. */
function describeUnknown(mistake: string, word: string | undefined, commands: readonly Command[]): string {
  const other = commandOfOtherName(word ?? '');
  if (other !== undefined) return `error: unknown command '${word}'\n(Did you mean ${other}?)\n`;
  return mistake.includes('Did you mean') ? mistake : `${mistake}${commandHint(word, commands)}`;
}

/** Names the commands that begin like a word; commander names those that are spelled like it. */
function commandHint(word = '', commands: readonly Command[]): string {
  const names = [...new Set(commands.map(firstWord))];
  if (names.includes(word)) return `"logquarry ${word} --help" lists its commands.\n`;
  const begun = names.filter((name) => name.startsWith(word));
  if (begun.length === 0) return '"logquarry --help" lists the commands.\n';
  return `(Did you mean ${begun.length === 1 ? '' : 'one of '}${begun.join(', ')}?)\n`;
}

/**
 * Turns `help catalog info` into `catalog info --help`: commander's own help command does not find
 * grouped commands.
 */
function withoutHelpCommand(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  return first === 'help' && 0 < rest.length ? [...rest, '--help'] : words;
}

/** True for a command line that ends in `--help all`. */
function isFullHelp(words: readonly string[]): boolean {
  const [help = '', all] = words.slice(-2);
  return all === 'all' && ['-h', '--help'].includes(help);
}

function withSubcommands(command: Commander): readonly Commander[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function toProgram(): Commander {
  return new Commander('logquarry')
    .version(packageVersion, '-V, --version')
    .helpOption('-h, --help')
    .helpCommand('help [COMMAND]');
}

function firstWord({ spec }: Command): string {
  return spec.name.split(' ', 1)[0] ?? '';
}

/** Adds a command by its name only. */
function addCommand(program: Commander, { spec }: Command, helpOf: (group: string) => string): Commander {
  const words = spec.name.split(' ');
  const group = words.slice(0, -1).reduce((parent, name) => groupIn(parent, name, helpOf), program);
  return group.command(words.at(-1) ?? '');
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
    .helpOption('-h, --help')
    .showHelpAfterError(`"logquarry ${spec.name} --help" shows its arguments and options.`);
  for (const [name, argument] of Object.entries(spec.arguments)) sub.addArgument(toArgument(name, argument));
  for (const [name, option] of Object.entries(spec.options)) {
    sub.addOption(toOption(name, option));
    if (option.formerly !== undefined) sub.addOption(toOption(option.formerly, option));
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
function groupIn(parent: Commander, name: string, helpOf: (group: string) => string): Commander {
  const found = parent.commands.find((command) => command.name() === name);
  if (found) return found;
  return parent
    .command(name)
    .helpOption('-h, --help')
    .helpCommand(false)
    .configureHelp({ formatHelp: () => helpOf(name) });
}

function toArgument(name: string, { times }: ArgumentSpec<unknown>): Argument {
  const term = `${name.toUpperCase()}${times === 'one' ? '' : '...'}`;
  return new Argument(times === 'any' ? `[${term}]` : `<${term}>`);
}

function toOption(name: string, spec: OptionSpec<unknown>): Option {
  const option = new Option(optionTerm(name, spec));
  // Commander takes "--no-index" for a negation; here it is an ordinary flag.
  option.negate = false;
  return spec.value === undefined ? option : option.argParser((text, before) => [...texts(before), text]);
}

/** The texts commander parsed for an argument or an option. */
function texts(parsed: unknown): readonly string[] {
  if (parsed === undefined) return [];
  return Array.isArray(parsed) ? parsed.map(String) : [String(parsed)];
}
