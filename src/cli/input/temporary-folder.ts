import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { diskFailureOf } from '../../store/files/disk-failure.ts';
import { makeTemporaryFolder } from '../../store/files/temporary-folder.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A folder that is gone afterwards, also when the process ends before. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder among the temporary files, which only the user can read. Rejects with a `UsageError` where that cannot be, or with a `StoreError` where the disk failed. */
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
