import { rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Where data goes: to a file where one is named, else to the standard output. */
export interface Output {
  readonly path: string | undefined;
  readonly terminal: Terminal;
  /** For a file that others may not read. */
  readonly secret?: boolean;
}

/** Writes data, and says so where it went to a file. A file that exists is replaced. */
export async function writeOutput(text: string, { path, terminal, secret = false }: Output): Promise<void> {
  if (path === undefined) return terminal.print(text);
  try {
    // A file that exists would keep its mode.
    if (secret) await rm(path, { force: true });
    await writeFile(path, text, secret ? { mode: 0o600, flag: 'wx' } : {});
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be written: ${error.message}`, { cause: error });
  }
  terminal.say(`Written to "${path}".`);
}
