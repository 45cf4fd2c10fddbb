import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** An original in a folder. */
export interface StoredCopy {
  readonly sha256: string;
  readonly path: string;
}

/** Copies a file into a folder under its SHA-256, whole or not at all. A copy that is there stays as it is. */
export async function storeOriginal(path: string, folder: string, signal: AbortSignal): Promise<StoredCopy> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const incoming = join(folder, `.incoming-${randomUUID()}`);
  try {
    const hash = createHash('sha256');
    await pipeline(
      createReadStream(path),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(incoming, { flags: 'wx', mode: 0o400 }),
      { signal },
    );
    const sha256 = hash.digest('hex');
    const stored = join(folder, sha256);
    if (!existsSync(stored)) {
      await using file = await open(incoming);
      await file.sync();
      await rename(incoming, stored);
    }
    return { sha256, path: stored };
  } finally {
    await rm(incoming, { force: true });
  }
}
