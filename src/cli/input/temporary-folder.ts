import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { makeTemporaryFolder } from '../../store/files/temporary-folder.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A folder that is gone afterwards, also when the process ends before. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder among the temporary files, which only the user can read. Rejects with a `UsageError` where that cannot be. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await makeTemporaryFolder().catch((cause: Error) => {
    const message = `No folder for temporary files can be made in "${tmpdir()}"; TMPDIR names another place: ${cause.message}`;
    throw new UsageError(message, { cause });
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
