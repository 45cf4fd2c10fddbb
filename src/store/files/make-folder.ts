import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';

/**
 * Makes a folder within one that exists, unless it is there. Rejects with the
 * error of the system. Not by `recursive`: with that Node reports a full disk as
 * a missing folder.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    // One that another process has removed meanwhile is missed by who writes into it.
    if (!isThere || statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw error;
  }
}
