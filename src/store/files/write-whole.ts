import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';
import { removeStale, temporaryBeside } from './temporary-name.ts';

/** A file on its way to a path. Disposing of it removes what was not finished. */
export interface WholeFile extends AsyncDisposable {
  /** Path to write to, beside the target. */
  readonly temporary: string;
  /**
   * Gives the written file its name, in place of what was there. Resolves when
   * its bytes and its name are on the disk. Rejects with the error of the system.
   */
  readonly finish: () => Promise<void>;
}

/**
 * Begins to write a file that appears whole or not at all: under a temporary
 * name, which it keeps until its bytes are on the disk. Removes what killed
 * processes have left of earlier tries.
 */
export async function beginWhole(target: string): Promise<WholeFile> {
  await removeStale(target);
  const temporary = temporaryBeside(target);
  return {
    temporary,
    finish: async () => {
      await syncFile(temporary);
      await rename(temporary, target);
      await syncFolder(dirname(target));
    },
    // What cannot be removed is for the next try, and hides no failure.
    [Symbol.asyncDispose]: () => rm(temporary, { force: true }).catch(() => undefined),
  };
}

async function syncFile(path: string): Promise<void> {
  // For writing: on Windows nothing else can be synced.
  await using handle = await open(path, 'r+');
  await handle.sync();
}
