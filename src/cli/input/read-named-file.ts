import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { NamedFile } from '../../client/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A file as it is sent: its name without a folder, and its bytes. One that cannot be read, or is empty, is a `UsageError`. */
export async function readNamedFile(path: string): Promise<NamedFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  });
  if (bytes.length === 0) throw new UsageError(`The file "${path}" is empty`);
  return { name: basename(path), bytes: new Uint8Array(bytes) };
}
