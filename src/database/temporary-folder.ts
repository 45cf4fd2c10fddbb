import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeStaleFiles, temporaryBeside } from './atomic-file.ts';
import { messageOf, StoreError } from './store-error.ts';

/** Returns an unused path in the folder for temporary files. Removes what killed processes left there. */
export async function temporaryPath(): Promise<string> {
  const base = join(tmpdir(), 'logquarry');
  await removeStaleFiles(base);
  return temporaryBeside(base);
}

/** Creates a temporary folder that only the user can read, and returns its path. Rejects with `STORE_FAILED`. */
export async function makeTemporaryFolder(): Promise<string> {
  const path = await temporaryPath();
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (cause) {
    const message = `Cannot create a temporary folder in "${tmpdir()}" (set TMPDIR to use another one): ${messageOf(cause)}`;
    throw new StoreError('STORE_FAILED', message, { cause });
  }
}
