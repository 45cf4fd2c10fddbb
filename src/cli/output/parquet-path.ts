import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../command-line/usage-error.ts';

/** What Parquet files begin with. */
const mark = 'PAR1';

/**
 * The path of a Parquet file that is to be written. Rejects with a `UsageError`
 * where something else is there, above all a case or a log file: it would be
 * gone.
 */
export async function checkParquetPath(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) throw new UsageError(`There is no folder "${folder}" to hold "${path}"`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UsageError(`"${path}" is a folder; name a file in it`);
  if (found && !(found.isFile() && (found.size === 0 || (await isParquet(path)))))
    throw new UsageError(`"${path}" is there and no Parquet file, so it is not replaced; name another one`);
  return path;
}

async function isParquet(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === mark;
  } catch {
    return false;
  }
}
