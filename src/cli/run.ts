import type { Command } from './command-line/command.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { type ProgramHelp, runArgs } from './configuration/run-args.ts';
import { queryCommands } from './query-commands.ts';
import type { Terminal } from './terminal/terminal.ts';
import { wrapMessage } from './terminal/text.ts';

/** Runs a command line and returns the exit code. Never rejects. */
export function runCommandLine(args: readonly string[], plainTerminal: Terminal): Promise<ExitCode> {
  const terminal: Terminal = {
    ...plainTerminal,
    message: (line) => plainTerminal.message(wrapMessage(line, plainTerminal.stderr.width)),
  };
  return runArgs(
    args,
    { commands: () => commandsFor(args), help: () => helpFor(args), allCommands },
    terminal,
  );
}

/** The commands that a command line is read with. A command on queries does without the table of all. */
async function commandsFor(args: readonly string[]): Promise<readonly Command[]> {
  return callsQueryCommand(args) ? queryCommands : allCommands();
}

async function helpFor(args: readonly string[]): Promise<ProgramHelp | undefined> {
  return callsQueryCommand(args) ? undefined : (await import('./configuration/program-help.ts')).programHelp;
}

function callsQueryCommand([first]: readonly string[]): boolean {
  return queryCommands.some(({ spec }) => spec.name === first);
}

async function allCommands(): Promise<readonly Command[]> {
  return (await import('./command-table.ts')).commands;
}
