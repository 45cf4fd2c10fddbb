import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone afterwards, also when the process ends before. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder among the temporary files, which only the user can read. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'logquarry-'));
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
