import type { Command } from './command-line/command.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { runArgs } from './configuration/run-args.ts';
import { queryCommands } from './query-commands.ts';
import type { Terminal } from './terminal/terminal.ts';
import { wrapMessage } from './terminal/text.ts';

/** Runs a command line and returns the exit code. Never rejects. */
export function runCommandLine(args: readonly string[], plainTerminal: Terminal): Promise<ExitCode> {
  const terminal: Terminal = {
    ...plainTerminal,
    message: (line) => plainTerminal.message(wrapMessage(line, plainTerminal.stderr.width)),
  };
  return runArgs(args, { commands: () => commandsFor(args), allCommands }, terminal);
}

/** The commands that a command line is read with. A command on queries does without the table of all. */
async function commandsFor([first]: readonly string[]): Promise<readonly Command[]> {
  return queryCommands.some(({ spec }) => spec.name === first) ? queryCommands : allCommands();
}

async function allCommands(): Promise<readonly Command[]> {
  return (await import('./command-table.ts')).commands;
}
