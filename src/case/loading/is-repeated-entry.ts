import { createHash } from 'node:crypto';
import { EntryProblem } from '../originals/entry-problem.ts';
import type { FileEntry } from '../originals/file-entry.ts';

/** Reports if an earlier entry of the same zip has exactly the same bytes; false for an unreadable entry. */
export async function isRepeatedEntry({ twin, read }: FileEntry): Promise<boolean> {
  if (!twin) return false;
  const own = await hashOf(read());
  return own !== undefined && own === (await hashOf(twin.read()));
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof EntryProblem) return undefined;
    throw error;
  }
}
