import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { removeStale, temporaryBeside } from './temporary-name.ts';

/** A file on its way to a path. Disposing of it removes what was not finished. */
export interface WholeFile extends AsyncDisposable {
  /** Path to write to: beside the target, or the target where that is no file. */
  readonly temporary: string;
  /** Permissions of the file that it takes the place of; undefined where there is none. */
  readonly mode: number | undefined;
  /**
   * Gives the written file its name, in place of what was there. Resolves when
   * its bytes and its name are on the disk. Rejects with the error of the system,
   * or with `STORE_FAILED` where its name may not be on the disk.
   */
  readonly finish: () => Promise<void>;
}

/**
 * Begins to write a file that appears whole or not at all: under a temporary
 * name, which it keeps until its bytes are on the disk. A link to a file stays.
 * Removes what killed processes have left of earlier tries.
 */
export async function beginWhole(path: string): Promise<WholeFile> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) return writeThrough(path);
  const target = found ? await realpath(path) : resolve(path);
  await removeStale(target);
  const temporary = temporaryBeside(target);
  return {
    temporary,
    mode: found?.mode,
    finish: async () => {
      await syncFile(temporary);
      await rename(temporary, target);
      await syncFolder(dirname(target));
    },
    // What cannot be removed is for the next try, and hides no failure.
    [Symbol.asyncDispose]: () => rm(temporary, { force: true }).catch(() => undefined),
  };
}

/** What is no file, as a pipe, is not replaced but written to. */
function writeThrough(path: string): WholeFile {
  return {
    temporary: path,
    mode: undefined,
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

async function syncFile(path: string): Promise<void> {
  // For writing: on Windows nothing else can be synced.
  await using handle = await open(path, 'r+');
  await handle.sync();
}
