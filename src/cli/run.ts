import type { ExitCode } from './command-line/exit-code.ts';
import { commands } from './command-table.ts';
import { runWords } from './configuration/run-words.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Runs a command line and returns the exit code. Never rejects. */
export function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runWords(words, commands, terminal);
}
