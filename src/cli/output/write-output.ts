import { chmod, writeFile } from 'node:fs/promises';
import { beginWhole } from '../../store/files/write-whole.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isDatabase } from '../input/is-database.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeFailure } from './write-failure.ts';

/** Where data goes: to a file where one is named, else to the standard output. */
export interface Output {
  readonly path: string | undefined;
  readonly terminal: Terminal;
  /** For a file that others may not read. */
  readonly secret?: boolean;
}

/**
 * Writes data, and says so where it went to a file. A file that exists is
 * replaced once all is written, unless it is a case.
 */
export async function writeOutput(text: string, { path, terminal, secret = false }: Output): Promise<void> {
  if (path === undefined) return terminal.print(text);
  if (await isDatabase(path))
    throw new UsageError(`"${path}" is a case, so it is not replaced; name another file`);
  try {
    await replaceFile(path, text, secret);
  } catch (error) {
    throw writeFailure(`The file "${path}"`, error);
  }
  terminal.say(`Written to "${printable(path)}".`);
}

async function replaceFile(path: string, text: string, secret: boolean): Promise<void> {
  await using file = await beginWhole(path);
  await writeFile(file.temporary, text, { mode: secret ? 0o600 : 0o666 });
  if (file.mode !== undefined && !secret) await chmod(file.temporary, file.mode);
  await file.finish();
}
