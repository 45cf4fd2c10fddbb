import { type CommandLine, readCommandLine } from './command-line/command-line.ts';
import { commands } from './command-table.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { reportFailure } from './failure.ts';
import { printableLines } from './terminal/printable.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Help is set to this width where there is no terminal, and never wider, so that lines stay readable. */
const helpWidth = 90;

/** Does what a command line asks for. Gives back what the process is to end with; never rejects. */
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
      terminal.say(printableLines(line.message.trimEnd()));
      return exitCodes.wrongUsage;
  }
}
