import type { Command, WrittenCall } from './command-line/command.ts';
import { type CommandLine, readCommandLine } from './command-line/command-line.ts';
import { type ExitCode, exitCodes } from './command-line/exit-code.ts';
import { reportFailure } from './command-line/report-failure.ts';
import { applyDefaults } from './configuration/apply-defaults.ts';
import { readConfiguration } from './configuration/effective-defaults.ts';
import { refuseCluster } from './input/refuse-cluster.ts';
import { queryCommands } from './query-commands.ts';
import { escapeUnsafeLines } from './terminal/printable.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Width of the help without a terminal, and its maximum, for readable lines. */
const helpWidth = 90;

/** Runs a command line and returns the exit code. Never rejects. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const width = Math.min(helpWidth, terminal.data.width ?? helpWidth);
    return await act(readCommandLine(words, await commandsFor(words), width), terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** The commands that a command line is read with. A command on queries does without the table of all. */
async function commandsFor([first]: readonly string[]): Promise<readonly Command[]> {
  return queryCommands.some(({ spec }) => spec.name === first) ? queryCommands : allCommands();
}

async function allCommands(): Promise<readonly Command[]> {
  return (await import('./command-table.ts')).commands;
}

/** The written call with the defaults of the configuration files. */
async function withDefaults(
  { command: { spec }, written }: CommandLine & { kind: 'call' },
  { environment }: Terminal,
): Promise<WrittenCall> {
  // These show the files themselves, or depend on none.
  if (spec.name === 'config' || spec.name === 'completion') return written;
  const loadSpecs = async () => (await allCommands()).map((each) => each.spec);
  const { defaults } = await readConfiguration(loadSpecs, environment);
  return applyDefaults(spec, written, defaults);
}

async function act(line: CommandLine, terminal: Terminal): Promise<ExitCode> {
  switch (line.kind) {
    case 'call':
      refuseCluster(line.command.spec.name, line.written.arguments);
      return line.command.run(await withDefaults(line, terminal), terminal);
    case 'answer':
      await terminal.print(line.text);
      return exitCodes.done;
    case 'mistake':
      terminal.say(escapeUnsafeLines(line.message.trimEnd()));
      return exitCodes.wrongUsage;
  }
}
