import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';

/**
 * Creates a folder within an existing one, unless it exists. Rejects with the system error. Does not use
 * `recursive`: with it, Node reports a full disk as a missing folder.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    // A folder that another process removed meanwhile fails at the next write into it.
    if (!isThere || statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw error;
  }
}
