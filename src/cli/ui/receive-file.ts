import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PageRefusal, type ReceivedFile } from '../../server/index.ts';
import type { Command } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { runWords, tableOf } from '../configuration/run-words.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { pageTerminal } from './page-terminal.ts';

/**
 * Writes a file that a browser sends into a new folder below `folder`, under its own name. Returns the
 * path. An interrupted one is removed. Memory does not depend on its size.
 */
export async function receiveFile({ name, bytes, signal }: ReceivedFile, folder: string): Promise<string> {
  const own = await mkdtemp(join(folder, 'received-'));
  const path = join(own, name);
  try {
    // The types of Node and of the web name the same stream.
    const input = Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return path;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

/** Commands and the environment of a call. */
interface ImportContext {
  readonly commands: readonly Command[];
  readonly environment: Terminal['environment'];
  readonly signal: AbortSignal;
}

/** Runs the words of an import. Rejects with a `PageRefusal` in the words of the command if it fails. */
export async function importFile(
  words: readonly string[],
  { commands, environment, signal }: ImportContext,
): Promise<void> {
  const said: string[] = [];
  const terminal = pageTerminal({ environment, signal, say: (line) => said.push(line) });
  const code = await runWords(words, tableOf(commands), terminal);
  if (code !== exitCodes.done) throw new PageRefusal(said.join('\n'), 422);
}
