import { rmSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { beginAtomicFile, diskFailureOf, makeTemporaryFolder, StoreError } from '../../database/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { UsageError } from './exit-code.ts';
import { isDatabase } from './files.ts';

/** Destination of data: a file if named, else the standard output. */
export interface Output {
  readonly path: string | undefined;
  readonly terminal: Terminal;
  /** True for a file that only its owner may read. */
  readonly secret?: boolean;
  /** True for logs: a new file is for its owner alone, and one that is replaced keeps its permissions. */
  readonly isPersonal?: boolean;
}

/** Data to write: a text, bytes, or pieces of a text. */
type OutputContent = string | Uint8Array | AsyncIterable<string>;

/**
 * Writes data, and reports the name of a written file. An existing file is replaced atomically, unless
 * it is a case.
 */
export async function writeOutput(
  content: OutputContent,
  { path, terminal, ...access }: Output,
): Promise<void> {
  if (path === undefined) {
    if (typeof content !== 'string') throw new UsageError('--out FILE is required: the data are no text');
    return terminal.print(content);
  }
  await writeWholeFile(path, content, access);
  terminal.message(`Written to "${escapeUnsafe(path)}".`);
}

/** Writes a file whole or not at all, in place of an existing one. Rejects for the path of a case. */
export async function writeWholeFile(
  path: string,
  content: OutputContent | AsyncIterable<Uint8Array>,
  access: Pick<Output, 'secret' | 'isPersonal'> = {},
): Promise<void> {
  if (await isDatabase(path))
    throw new UsageError(`"${path}" is a case and is not replaced: name another file`);
  try {
    await replaceFile(path, content, access);
  } catch (error) {
    throw writeFailure(`The file "${path}"`, error);
  }
}

async function replaceFile(
  path: string,
  content: OutputContent | AsyncIterable<Uint8Array>,
  { secret = false, isPersonal = false }: Pick<Output, 'secret' | 'isPersonal'>,
): Promise<void> {
  await using file = await beginAtomicFile(path);
  await writeFile(file.temporary, content, { mode: secret || isPersonal ? 0o600 : 0o666 });
  if (file.mode !== undefined && !secret) await chmod(file.temporary, file.mode);
  await file.finish();
}

/** A message of the system without its path, which is that of a temporary file. */
function withoutPath(message: string): string {
  return message.replace(/, [a-z]+ '.*$/s, '');
}

/**
 * Adds the path to a system error of writing: `STORE_FAILED` if the disk is full or broken, else a
 * `UsageError`. Returns any other error unchanged.
 */
export function writeFailure(what: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const message = `${what} cannot be written: ${withoutPath(error.message)}`;
  if (diskFailureOf(error)) return new StoreError('STORE_FAILED', message, { cause: error });
  return new UsageError(message, { cause: error });
}

/** A folder that is removed on disposal, or at the exit of the process. */
interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Creates a temporary folder that only the user can read. Rejects with a `UsageError` if that fails,
 * or with a `StoreError` if the disk fails.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await makeTemporaryFolder().catch((error: Error) => {
    throw diskFailureOf(error) ? error : new UsageError(error.message, { cause: error });
  });
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', removeNow);
  return {
    path,
    async [Symbol.asyncDispose]() {
      process.off('exit', removeNow);
      await rm(path, { recursive: true, force: true });
    },
  };
}
