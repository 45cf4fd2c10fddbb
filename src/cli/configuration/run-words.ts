import type { Command, WrittenCall } from '../command-line/command.ts';
import { type CommandLine, readCommandLine } from '../command-line/command-line.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import { checkArgumentPlaces } from '../input/check-argument-places.ts';
import { refuseCluster } from '../input/refuse-cluster.ts';
import { escapeUnsafeLines } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { applyDefaults } from './apply-defaults.ts';
import { readConfiguration } from './effective-defaults.ts';

/** The commands that words are read with, and all commands, by which configuration files are read. */
export interface CommandTable {
  readonly commands: () => Promise<readonly Command[]>;
  readonly allCommands: () => Promise<readonly Command[]>;
}

/** Width of the help without a terminal, and its maximum, for readable lines. */
const helpWidth = 90;

/** Runs the words of a command line with some commands and returns the exit code. Never rejects. */
export async function runWords(
  words: readonly string[],
  table: CommandTable,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const width = Math.min(helpWidth, terminal.data.width ?? helpWidth);
    return await act(readCommandLine(words, await table.commands(), width), table, terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** The written call with the defaults of the configuration files. */
async function withDefaults(
  { command: { spec }, written }: CommandLine & { kind: 'call' },
  { allCommands }: CommandTable,
  { environment }: Terminal,
): Promise<WrittenCall> {
  // These show the files themselves, or depend on none.
  if (spec.name === 'config' || spec.name === 'completion') return written;
  const loadSpecs = async () => (await allCommands()).map((each) => each.spec);
  const { defaults } = await readConfiguration(loadSpecs, environment);
  return applyDefaults(spec, written, defaults);
}

async function act(line: CommandLine, table: CommandTable, terminal: Terminal): Promise<ExitCode> {
  switch (line.kind) {
    case 'call':
      refuseCluster(line.command.spec.name, line.written.arguments);
      checkArgumentPlaces(line.command.spec, line.written);
      return runCall(line.command, await withDefaults(line, table, terminal), terminal);
    case 'answer':
      await terminal.print(line.text);
      return exitCodes.done;
    case 'mistake':
      terminal.say(escapeUnsafeLines(line.message.trimEnd()));
      return exitCodes.wrongUsage;
  }
}

/** Runs a command. An answer of yes or no that lacks logs is an incomplete one. */
async function runCall(command: Command, written: WrittenCall, terminal: Terminal): Promise<ExitCode> {
  let isIncomplete = false;
  const noteIncomplete = () => {
    isIncomplete = true;
  };
  try {
    const code = await command.run(written, { ...terminal, noteIncomplete });
    return isIncomplete && (code === exitCodes.done || code === exitCodes.no) ? exitCodes.incomplete : code;
  } catch (error) {
    if (isLimitOfCluster(error)) {
      const { sayCostliest } = await import('../cluster/say-costliest.ts');
      await sayCostliest(written, terminal);
    }
    throw error;
  }
}

function isLimitOfCluster(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^CLUSTER_(LIMIT|TIMEOUT)$/.test(String(error.code));
}

/** A table of the given commands alone. */
export function tableOf(commands: readonly Command[]): CommandTable {
  const all = async () => commands;
  return { commands: all, allCommands: all };
}
