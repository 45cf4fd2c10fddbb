import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { removeStaleFiles, temporaryBeside } from './temporary-name.ts';

/** A file that is being written. Disposal removes it unless it was finished. */
export interface AtomicFile extends AsyncDisposable {
  /** Path to write to: beside the target, or the target itself if that is not a regular file. */
  readonly temporary: string;
  /** Permissions of the replaced file; undefined if there is none. */
  readonly mode: number | undefined;
  /**
   * Renames the written file to its target, replacing it. Resolves once bytes and name are on the disk. Rejects
   * with the system error, or with `STORE_FAILED` if the name may not be on the disk.
   */
  readonly finish: () => Promise<void>;
}

/**
 * Starts to write a file that appears complete or not at all. It has a temporary name until its bytes are on
 * the disk. Links to the target stay links. Removes what killed processes left of earlier attempts.
 */
export async function beginAtomicFile(path: string): Promise<AtomicFile> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) return writeThrough(path);
  const target = found ? await realpath(path) : resolve(path);
  await removeStaleFiles(target);
  const temporary = temporaryBeside(target);
  return {
    temporary,
    mode: found?.mode,
    finish: async () => {
      await syncFile(temporary);
      await rename(temporary, target);
      await syncFolder(dirname(target));
    },
    // A failed removal is left to the next attempt and hides no error.
    [Symbol.asyncDispose]: () => rm(temporary, { force: true }).catch(() => undefined),
  };
}

/** Anything but a regular file, such as a pipe, is written to and not replaced. */
function writeThrough(path: string): AtomicFile {
  return {
    temporary: path,
    mode: undefined,
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

async function syncFile(path: string): Promise<void> {
  // Opened for writing: Windows cannot sync otherwise.
  await using handle = await open(path, 'r+');
  await handle.sync();
}
