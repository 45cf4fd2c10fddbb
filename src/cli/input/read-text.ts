import { readFile } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';

/** Reads a small file that an option names, as UTF-8. Rejects with a `UsageError` that names both. */
export async function readText(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The file "${path}" of "${name}" cannot be read: ${reason}`, { cause });
  }
}
