import { stat } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import { isGlob, listFiles, matchFiles } from '../files/glob.ts';

/** The ending of query files that are found in a folder. */
export const queryFileSuffix = '.txt';

/**
 * Lists the query files that paths name, each once, in the order of the paths. A path is a file, a
 * folder with `.txt` files at any depth, a pattern, or `-` for the standard input. Throws
 * `UsageError` if a folder or a pattern has no file. A path that does not exist is returned as it
 * is.
 */
export async function listQueryFiles(paths: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    for (const file of await filesOf(path)) found.add(file);
  }
  return [...found];
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (path === '-') return [path];
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return orFail(await listed(path, listFiles(path, queryFileSuffix)), path);
  if (found || !isGlob(path)) return [path];
  return orFail(await listed(path, matchFiles(path)), path);
}

async function listed(path: string, files: Promise<string[]>): Promise<string[]> {
  try {
    return await files;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`"${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

function orFail(files: readonly string[], path: string): readonly string[] {
  if (0 < files.length) return files;
  throw new UsageError(
    isGlob(path)
      ? `No file matches "${path}"`
      : `The folder "${path}" has no query files: their names end in ${queryFileSuffix}`,
  );
}
