import { type CommandLine, readCommandLine } from './command-line/command-line.ts';
import { type ExitCode, exitCodes } from './command-line/exit-code.ts';
import { reportFailure } from './command-line/report-failure.ts';
import { commands } from './command-table.ts';
import { escapeUnsafeLines } from './terminal/printable.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Width of the help without a terminal, and its maximum, for readable lines. */
const helpWidth = 90;

/** Runs a command line and returns the exit code. Never rejects. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const width = Math.min(helpWidth, terminal.data.width ?? helpWidth);
    return await act(readCommandLine(words, commands, width), terminal);
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

async function act(line: CommandLine, terminal: Terminal): Promise<ExitCode> {
  switch (line.kind) {
    case 'call':
      return line.command.run(line.written, terminal);
    case 'answer':
      await terminal.print(line.text);
      return exitCodes.done;
    case 'mistake':
      terminal.say(escapeUnsafeLines(line.message.trimEnd()));
      return exitCodes.wrongUsage;
  }
}
