import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { diskFailureOf, makeTemporaryFolder } from '../../database/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A folder that is removed on disposal, or at the exit of the process. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Creates a temporary folder that only the user can read. Rejects with a `UsageError` if that fails,
 * or with a `StoreError` if the disk fails.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await makeTemporaryFolder().catch((error: Error) => {
    throw diskFailureOf(error) ? error : new UsageError(error.message, { cause: error });
  });
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', removeNow);
  return {
    path,
    async [Symbol.asyncDispose]() {
      process.off('exit', removeNow);
      await rm(path, { recursive: true, force: true });
    },
  };
}
