import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { removeStaleFiles, syncFolder, temporaryBeside } from '../../database/index.ts';

/** An original in a folder. */
export interface StoredCopy {
  readonly sha256: string;
  readonly path: string;
}

/**
 * Copies a file into a folder under its SHA-256, whole or not at all. A copy that is there stays as it is. Removes what
 * killed processes left.
 */
export async function storeOriginal(path: string, folder: string, signal: AbortSignal): Promise<StoredCopy> {
  await mkdir(folder, { recursive: true });
  const base = join(folder, 'original');
  await removeStaleFiles(base);
  const arriving = temporaryBeside(base);
  try {
    const sha256 = await copyHashed(path, arriving, signal);
    const stored = join(folder, sha256);
    if (!existsSync(stored)) {
      await chmod(arriving, 0o444);
      await rename(arriving, stored);
      await syncFolder(folder);
    }
    return { sha256, path: stored };
  } finally {
    await rm(arriving, { force: true });
  }
}

/** Copies a file to the disk. Returns its SHA-256. */
async function copyHashed(from: string, to: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );
  return hash.digest('hex');
}
