import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { packageVersion } from '../../database/index.ts';
import type { ArgumentSpec } from '../command-line/argument.ts';
import type { Command, CommandSpec, WrittenCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import {
  type HelpItem,
  layOutExample,
  layOutItems,
  layOutTerms,
  shortenAbout,
} from '../command-line/help-layout.ts';
import { type OptionGroup, type OptionSpec, optionFlag, shortFlag } from '../command-line/option.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import { checkArgumentPlaces } from '../input/check-argument-places.ts';
import { refuseCluster } from '../input/refuse-cluster.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafeLines, wrapToWidth } from '../terminal/text.ts';
import { readConfiguration } from './configuration.ts';
import type { OptionDefault } from './read-defaults.ts';

/** The commands that words are read with, and all commands, by which configuration files are read. */
export interface CommandTable {
  readonly commands: () => Promise<readonly Command[]>;
  /** The help beyond that of single commands; undefined where the words call a command. */
  readonly help: () => Promise<ProgramHelp | undefined>;
  readonly allCommands: () => Promise<readonly Command[]>;
}

/** Texts that list commands, in lines of at most `width` columns. */
export interface ProgramHelp {
  /** A few commands with what they do, and the names of all: one screen. */
  readonly ofStart: (specs: readonly CommandSpec[], width: number) => string;
  /** All commands in sections, one a line. */
  readonly ofProgram: (specs: readonly CommandSpec[], width: number) => string;
  /** The commands of a group, such as `catalog`. */
  readonly ofGroup: (group: string, specs: readonly CommandSpec[], width: number) => string;
}

/** Width of the help without a terminal, and its maximum, for readable lines. */
const helpWidth = 90;

/** Runs the words of a command line with some commands and returns the exit code. Never rejects. */
export async function runArgs(
  args: readonly string[],
  table: CommandTable,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const width = Math.min(helpWidth, terminal.stdout.width ?? helpWidth);
    const [commands, help] = await Promise.all([table.commands(), table.help()]);
    return await act(readCommandLine(args, commands, width, help), table, terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** Adds the defaults of the configuration files to a written call. `loadSpecs` returns those of all commands. */
export async function withDefaults(
  spec: CommandSpec,
  call: WrittenCall,
  loadSpecs: () => Promise<readonly CommandSpec[]>,
  environment: Terminal['environment'],
): Promise<WrittenCall> {
  // These show the files themselves, or depend on none.
  if (spec.name === 'config' || spec.name === 'completion') return call;
  const { defaults } = await readConfiguration(loadSpecs, environment);
  return applyDefaults(spec, call, defaults);
}

async function act(line: CommandLine, table: CommandTable, terminal: Terminal): Promise<ExitCode> {
  switch (line.kind) {
    case 'call': {
      const { command, written: call } = line;
      refuseCluster(command.spec.name, call.arguments);
      checkArgumentPlaces(command.spec, call);
      const loadSpecs = async () => (await table.allCommands()).map(({ spec }) => spec);
      const whole = await withDefaults(command.spec, call, loadSpecs, terminal.environment);
      return runCall(command, whole, terminal);
    }
    case 'answer':
      await terminal.print(line.text);
      return exitCodes.done;
    case 'mistake':
      terminal.message(escapeUnsafeLines(line.message.trimEnd()));
      return exitCodes.wrongUsage;
  }
}

/** Runs a command. An answer of yes or no that lacks logs is an incomplete one. */
async function runCall(command: Command, call: WrittenCall, terminal: Terminal): Promise<ExitCode> {
  let isIncomplete = false;
  const noteIncomplete = () => {
    isIncomplete = true;
  };
  try {
    const code = await command.run(call, { ...terminal, noteIncomplete });
    return isIncomplete && (code === exitCodes.done || code === exitCodes.no) ? exitCodes.incomplete : code;
  } catch (error) {
    if (isLimitOfCluster(error)) {
      const { sayCostliest } = await import('../cluster/open-cluster.ts');
      await sayCostliest(call, terminal);
    }
    throw error;
  }
}

function isLimitOfCluster(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^CLUSTER_(LIMIT|TIMEOUT)$/.test(String(error.code));
}

/** A parsed command line: a call, a text to print, or a mistake. */
type CommandLine =
  | { readonly kind: 'call'; readonly command: Command; readonly written: WrittenCall }
  /** Help or the version, printed as data. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'mistake'; readonly message: string };

/** Parses the words of a command line. `width` is the line length of the help, in columns; without `help` no list of commands is shown. */
export function readCommandLine(
  args: readonly string[],
  commands: readonly Command[],
  width: number,
  help?: ProgramHelp,
): CommandLine {
  const output = { answer: '', mistake: '' };
  let called: CommandLine | undefined;
  const specs = commands.map(({ spec }) => spec);
  const isFull = isFullHelp(args);
  const helpOfProgram = isFull ? help?.ofProgram : help?.ofStart;
  const program = toProgram().configureHelp({ formatHelp: () => helpOfProgram?.(specs, width) ?? '' });
  for (const command of commands) {
    const added = addCommand(program, command, (group) => help?.ofGroup(group, specs, width) ?? '');
    added.configureHelp({ formatHelp: () => commandHelp(command.spec, { specs, width, isFull }) });
    // Arguments and options are added to the named command only: adding all takes as long as a short command.
    if (args.includes(firstWord(command)))
      complete(added, command, (call) => {
        called = { kind: 'call', command, written: call };
      });
  }
  for (const subcommand of withSubcommands(program)) {
    subcommand.exitOverride().configureOutput({
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
    program.parse(withoutHelpCommand(isFull ? args.slice(0, -1) : args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'answer', text: output.answer };
    return { kind: 'mistake', message: describeMistake(output.mistake, error, { args, commands }) };
  }
  return called ?? { kind: 'mistake', message: output.mistake };
}

/** Completes a message of commander about a command or an option that there is not. */
function describeMistake(
  mistake: string,
  { code }: CommanderError,
  { args, commands }: { readonly args: readonly string[]; readonly commands: readonly Command[] },
): string {
  if (code === 'commander.unknownCommand') return describeUnknown(mistake, args[0], commands);
  if (code !== 'commander.unknownOption' || !/^error: unknown option '--(format|out|output)'/.test(mistake))
    return mistake;
  const called = commands.find(({ spec }) => args.join(' ').startsWith(`${spec.name} `));
  const forms = Object.entries(called?.spec.options ?? {}).filter(([, { group }]) => group === 'format');
  if (forms.length === 0) return mistake;
  const hint = `(Did you mean ${forms.map(([name]) => optionFlag(name)).join(', ')}?)\n`;
  return mistake.includes('Did you mean')
    ? mistake.replace(/\(Did you mean .*\)\n/, hint)
    : mistake.replace(/\n/, `\n${hint}`);
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
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  return first === 'help' && 0 < rest.length ? [...rest, '--help'] : args;
}

/** True for a command line that ends in `--help all`, and for `help all`. */
function isFullHelp(args: readonly string[]): boolean {
  const [help = '', all] = args.slice(-2);
  return all === 'all' && (['-h', '--help'].includes(help) || (help === 'help' && args.length === 2));
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
  const names = spec.name.split(' ');
  const group = names.slice(0, -1).reduce((parent, name) => groupIn(parent, name, helpOf), program);
  return group.command(names.at(-1) ?? '');
}

/** Adds help, arguments, options and the action to a command. */
function complete(sub: Commander, { spec }: Command, onCall: (call: WrittenCall) => void): void {
  /** The texts written for an option under its current or former name. */
  const textsOf = (name: string, { formerly }: OptionSpec<unknown>): readonly string[] => {
    const args = texts(sub.getOptionValue(name));
    const before = formerly === undefined ? [] : texts(sub.getOptionValue(formerly));
    if (formerly !== undefined && 0 < args.length && 0 < before.length)
      throw new UsageError(
        `${optionFlag(formerly)} is the former name of ${optionFlag(name)}: give only one of them`,
      );
    return [...args, ...before];
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

/** Most lines of a short help: one screen. */
const screen = 40;

/** Headings of the options, in order. */
const headings: readonly (readonly [OptionGroup | undefined, string])[] = [
  [undefined, 'Options'],
  ['format', 'Output'],
  ['advanced', 'More options'],
  ['connection', 'Connection'],
];

/** Groups that a short help names without explanations. */
const terse: ReadonlySet<OptionGroup | undefined> = new Set<OptionGroup>(['advanced', 'connection']);

/** Extent of a help text. */
interface Detail {
  /** Commands whose names begin with that of the command. */
  readonly below: readonly HelpItem[];
  readonly isFull: boolean;
  readonly details: readonly string[];
  readonly isBrief: boolean;
  readonly examples: number;
}

/**
 * The help of a command in lines of at most `width` columns. Unless `isFull`, its own options come with the
 * shared ones named only, as far as one screen allows.
 */
function commandHelp(
  spec: CommandSpec,
  {
    specs,
    width,
    isFull,
  }: { readonly specs: readonly CommandSpec[]; readonly width: number; readonly isFull: boolean },
): string {
  const below = specs
    .filter(({ name }) => name.startsWith(`${spec.name} `))
    .map(({ name, summary }) => ({ term: name.slice(spec.name.length + 1), about: summary }));
  const all = { below, isFull, isBrief: false, details: spec.details ?? [], examples: spec.examples.length };
  const shorter = [all, { ...all, isBrief: true }, { ...all, isBrief: true, details: [] }];
  const attempts = isFull ? [all] : [...shorter, { ...all, isBrief: true, details: [], examples: 1 }];
  const texts = attempts.map((detail) => helpLines(spec, width, detail));
  const lines = texts.find((text) => text.length <= screen) ?? texts.at(-1) ?? [];
  return `${lines.join('\n')}\n`;
}

function helpLines(spec: CommandSpec, width: number, detail: Detail): string[] {
  const { details, examples, isBrief } = detail;
  const paragraphs = [`${spec.summary}.`, ...details].flatMap((paragraph) => [
    '',
    ...wrapToWidth(paragraph, width),
  ]);
  const omits = !detail.isFull && (hasTerse(spec) || details.length < (spec.details?.length ?? 0));
  return [
    ...wrapToWidth(`Usage: logquarry ${spec.name} ${usageOf(spec)}`, width),
    ...paragraphs,
    ...layOutItems('Commands', detail.below, width),
    ...layOutItems('Arguments', argumentItems(spec), width),
    ...headings.flatMap(([group, heading]) => optionLines(spec, { group, heading, width, detail })),
    '',
    examples === 1 ? 'Example:' : 'Examples:',
    ...spec.examples.slice(0, examples).flatMap((example) => layOutExample(example, width)),
    ...(omits || isBrief ? ['', ...wrapToWidth(`All of it: logquarry ${spec.name} --help all`, width)] : []),
  ];
}

function hasTerse({ options }: CommandSpec): boolean {
  return Object.values(options).some(({ group }) => terse.has(group));
}

interface OptionSection {
  readonly group: OptionGroup | undefined;
  readonly heading: string;
  readonly width: number;
  readonly detail: Detail;
}

function optionLines({ options }: CommandSpec, { group, heading, width, detail }: OptionSection): string[] {
  const specs = Object.entries(options).filter(([, spec]) => spec.group === group);
  const own = specs.map(([name, spec]) => ({ term: optionTerm(name, spec), about: optionAbout(spec) }));
  if (!detail.isFull && terse.has(group))
    return layOutTerms(
      heading,
      own.map(({ term }) => term),
      width,
    );
  const items = group === undefined ? [...own, helpItem] : own;
  return layOutItems(heading, detail.isBrief ? briefItems(items, width) : items, width);
}

const helpItem: HelpItem = { term: '-h, --help [all]', about: 'Print this help, or all of it' };

function briefItems(items: readonly HelpItem[], width: number): HelpItem[] {
  const column = Math.max(...items.map(({ term }) => term.length)) + 4;
  return items.map(({ term, about }) => ({ term, about: shortenAbout(about, width - column) }));
}

function argumentItems(spec: CommandSpec): HelpItem[] {
  return Object.entries(spec.arguments).map(([name, { about, times }]) => ({
    term: argumentTerm(name, times),
    about,
  }));
}

function argumentTerm(name: string, times: string): string {
  return `${name.toUpperCase()}${times === 'one' ? '' : '…'}`;
}

/** The arguments of a command as in its usage line. */
export function usageOf(spec: CommandSpec): string {
  const terms = Object.entries(spec.arguments).map(([name, { times, usage }]) => {
    const word = argumentTerm(name, times);
    return usage ?? (times === 'any' ? `[${word}]` : word);
  });
  return [...terms, '[options]'].join(' ');
}

/** The flags of an option with the placeholder of its value, such as `-n, --limit <N>`. */
export function optionTerm(name: string, { value }: OptionSpec<unknown>): string {
  const flags = [shortFlag(name), optionFlag(name)].filter((flag) => flag !== undefined).join(', ');
  return value === undefined ? flags : `${flags} <${value}>`;
}

/** The explanation of an option with its default. */
export function optionAbout({ about, fallback }: OptionSpec<unknown>): string {
  return fallback === undefined ? about : `${about} (default: ${fallback})`;
}

/** Names that other tools have for what a command does. */
const otherNames: Readonly<Record<string, string>> = {
  count: 'search --count',
  grep: 'search',
  find: 'search',
  filter: 'search',
  query: 'search',
  info: 'overview',
  stats: 'overview',
  summary: 'overview',
  timeline: 'histogram',
  facets: 'top',
  lint: 'check',
  validate: 'check',
  fmt: 'format',
  view: 'ui',
  web: 'ui',
  cat: 'show',
  get: 'show',
  tail: 'logs query',
  download: 'export',
  load: 'import',
  man: 'help',
  login: 'sign-in',
  logout: 'sign-out',
};

/** Returns the command that other tools call by a name; undefined for any other word. */
function commandOfOtherName(name: string): string | undefined {
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}

type Written = WrittenCall['options'];

/**
 * Adds defaults to the options of a call. One that a written option or an earlier default excludes is left
 * out, and so is one that requires an option that is not given.
 */
export function applyDefaults(
  spec: CommandSpec,
  call: WrittenCall,
  defaults: readonly OptionDefault[],
): WrittenCall {
  const own = defaults.filter(({ command, written: texts }) => command === spec.name && 0 < texts.length);
  const options: Record<string, readonly string[]> = { ...call.options };
  for (const { option, written: texts } of own)
    if (!isGiven(options, option) && !isExcluded(spec, options, option)) options[option] = texts;
  const needed = Object.entries(spec.requires ?? {});
  const idle = needed.filter(([option, other]) => !isGiven(call.options, option) && !isGiven(options, other));
  return { ...call, options: { ...options, ...Object.fromEntries(idle.map(([option]) => [option, []])) } };
}

function isGiven(options: Written, name: string): boolean {
  return 0 < (options[name]?.length ?? 0);
}

function isExcluded({ excludes = {} }: CommandSpec, options: Written, option: string): boolean {
  return Object.entries(excludes).some(([name, others]) =>
    name === option
      ? others.some((other) => isGiven(options, other))
      : others.includes(option) && isGiven(options, name),
  );
}
