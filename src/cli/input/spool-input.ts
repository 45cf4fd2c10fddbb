import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { temporaryFolder } from '../files/temporary-folder.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The standard input as a file, which is removed on disposal. */
export interface SpooledInput extends AsyncDisposable {
  /** The paths, with that of the file in place of "-". */
  readonly paths: readonly string[];
}

/** Writes the standard input to a file if a path is "-": zips have to be read from their end. */
export async function spoolInput(paths: readonly string[], terminal: Terminal): Promise<SpooledInput> {
  if (!paths.includes('-')) return { paths, async [Symbol.asyncDispose]() {} };
  const folder = await temporaryFolder();
  try {
    const path = join(folder.path, 'stdin');
    await writeInput(path, terminal);
    return {
      paths: paths.map((each) => (each === '-' ? path : each)),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

function writeInput(path: string, terminal: Terminal): Promise<void> {
  const input = Readable.from(terminal.inputBytes(), { objectMode: false });
  return pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
    signal: terminal.interruption(),
  });
}
