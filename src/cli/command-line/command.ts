import {
  type ColourChoice,
  colourChoices,
  hasColours,
  type OutputStyle,
  type Pager,
  pagerCommand,
  type Terminal,
} from '../terminal/terminal.ts';
import { displayWidth, toStyle } from '../terminal/text.ts';
import type { ArgumentSpecs, ArgumentValues } from './argument.ts';
import type { ExitCode } from './exit-code.ts';
import {
  checkCombination,
  type Exclusions,
  type OptionSpecs,
  type OptionValues,
  optionFlag,
  type Requirements,
} from './option.ts';

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
  readonly run: (call: WrittenCall, terminal: Terminal) => Promise<ExitCode>;
}

/** Reads the written texts of a call. Throws a `UsageError` for a wrong value, or options that exclude each other. */
export function readCall<A extends ArgumentSpecs, O extends OptionSpecs>(
  spec: CommandSpec<A, O>,
  call: WrittenCall,
): Omit<CommandCall<CommandSpec<A, O>>, 'terminal'> {
  // Each value comes from the `read` of its own specification; the compiler cannot follow that through the keys.
  const options = readOptions(spec.options, call) as OptionValues<O>;
  const values = readArguments(spec.arguments, call) as ArgumentValues<A>;
  checkCombination(spec.options, spec, call.options);
  return { arguments: values, options };
}

/** Combines a specification with a loader of its implementation. The module is loaded on the call. */
export function defineCommand<A extends ArgumentSpecs, O extends OptionSpecs>(
  spec: CommandSpec<A, O>,
  load: () => Promise<RunCommand<CommandSpec<A, O>>>,
): Command {
  return {
    spec,
    async run(writtenCall, terminal) {
      const call = readCall(spec, writtenCall);
      const display = openDisplay(terminal, displayChoices(call.options));
      const run = await load();
      try {
        return await run({ ...call, terminal: display.terminal });
      } finally {
        await display.end();
      }
    },
  };
}

/** The values of the options that all commands with them share. */
function displayChoices({ color, noPager }: Readonly<Record<string, unknown>>): DisplayChoices {
  const choice = colourChoices.find((choice) => choice === color);
  return { ...(choice && { color: choice }), ...(typeof noPager === 'boolean' && { noPager }) };
}

function readArguments(specs: ArgumentSpecs, call: WrittenCall): Record<string, unknown> {
  const read = Object.entries(specs).map(([name, spec]) => [name, spec.read(call.arguments[name] ?? [])]);
  return Object.fromEntries(read);
}

function readOptions(specs: OptionSpecs, call: WrittenCall): Record<string, unknown> {
  const read = Object.entries(specs).map(([name, spec]) => [
    name,
    spec.read(call.options[name] ?? [], optionFlag(name)),
  ]);
  return Object.fromEntries(read);
}

/** Choices of how a command shows its output. */
interface DisplayChoices {
  readonly color?: ColourChoice;
  readonly noPager?: boolean;
}

/** Applies the choices of a call to a terminal. Without `noPager` the command has no pager. */
function openDisplay(terminal: Terminal, { color = 'auto', noPager = true }: DisplayChoices): Display {
  const coloured = color === 'auto' ? terminal : withColours(terminal, color);
  return noPager ? { terminal: coloured, end: async () => {} } : openPaging(coloured);
}

function withColours(terminal: Terminal, choice: ColourChoice): Terminal {
  const recolour = (face: OutputStyle): OutputStyle => ({
    // The width of a terminal can change at any time.
    get width() {
      return face.width;
    },
    style: toStyle(hasColours({ choice, isTerminal: true, environment: terminal.environment })),
  });
  return { ...terminal, stdout: recolour(terminal.stdout), stderr: recolour(terminal.stderr) };
}

/** A terminal for one command. */
interface Display {
  readonly terminal: Terminal;
  /** Prints what waits, and waits for the reader of a pager. */
  readonly end: () => Promise<void>;
}

/**
 * Shows more than one screen of data in a pager. Up to a screen it waits and is printed as it is, and
 * so it is without a terminal or a pager. Messages come after the pager.
 */
export function openPaging(terminal: Terminal): Display {
  const { pager: pagers } = terminal;
  const command = pagerCommand(terminal.environment);
  if (!pagers || command === undefined) return { terminal, end: async () => {} };
  let waiting: string | undefined = '';
  let pager: Pager | undefined;
  const messages: string[] = [];

  const flush = async () => {
    const text = waiting ?? '';
    waiting = undefined;
    if (text !== '') await terminal.print(text);
  };
  const paged: Terminal = {
    ...terminal,
    async print(text) {
      if (pager) return pager.write(text);
      if (waiting === undefined) return terminal.print(text);
      waiting += text;
      if (!isLonger(waiting, pagers.rows(), terminal.stdout.width)) return;
      terminal.show('');
      pager = pagers.start(command);
      await (pager ? pager.write(waiting) : flush());
    },
    message(line) {
      if (pager || waiting) messages.push(line);
      else terminal.message(line);
    },
    show(state) {
      if (!pager) terminal.show(state);
    },
  };
  return {
    terminal: paged,
    async end() {
      await (pager ? pager.end() : flush());
      for (const line of messages) terminal.message(line);
    },
  };
}

/** True if a text takes more rows than a screen without that of the prompt. */
function isLonger(text: string, rows: number, width: number | undefined): boolean {
  const lines = text.split('\n', rows + 1);
  if (rows < lines.length) return true;
  const taken = lines.map((line) => Math.max(1, Math.ceil(displayWidth(withoutStyle(line)) / (width ?? 80))));
  return rows < taken.reduce((sum, count) => sum + count, 0);
}

function withoutStyle(line: string): string {
  return line
    .split(String.fromCharCode(27))
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^\[\d+m/, '')))
    .join('');
}
