import type { Command, WrittenCall } from '../command-line/command.ts';
import { type CommandLine, readCommandLine } from '../command-line/command-line.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import { escapeUnsafeLines } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { applyDefaults } from './apply-defaults.ts';
import { readConfiguration } from './effective-defaults.ts';

/** Width of the help without a terminal, and its maximum, for readable lines. */
const helpWidth = 90;

/** Runs the words of a command line with some commands and returns the exit code. Never rejects. */
export async function runWords(
  words: readonly string[],
  commands: readonly Command[],
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const width = Math.min(helpWidth, terminal.data.width ?? helpWidth);
    return await act(readCommandLine(words, commands, width), commands, terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

/** The written call with the defaults of the configuration files. */
async function withDefaults(
  { command: { spec }, written }: CommandLine & { kind: 'call' },
  commands: readonly Command[],
  { environment }: Terminal,
): Promise<WrittenCall> {
  // These show the files themselves, or depend on none.
  if (spec.name === 'config' || spec.name === 'completion') return written;
  const specs = commands.map((each) => each.spec);
  const { defaults } = await readConfiguration(specs, environment);
  return applyDefaults(spec, written, defaults);
}

async function act(line: CommandLine, commands: readonly Command[], terminal: Terminal): Promise<ExitCode> {
  switch (line.kind) {
    case 'call':
      return line.command.run(await withDefaults(line, commands, terminal), terminal);
    case 'answer':
      await terminal.print(line.text);
      return exitCodes.done;
    case 'mistake':
      terminal.say(escapeUnsafeLines(line.message.trimEnd()));
      return exitCodes.wrongUsage;
  }
}
