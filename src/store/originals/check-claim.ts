import { EntryProblem } from './entry-problem.ts';
import type { FileEntry } from './file-entry.ts';
import { gunzip } from './gunzip.ts';
import type { CheckSize } from './limits.ts';

/**
 * Inflates an entry that claims to be too big, and loads nothing of it: it may
 * be, or its claim is wrong. Rejects with what `checkSize` throws, or the
 * signal's reason.
 */
export async function checkClaim(
  entry: FileEntry,
  checkSize: CheckSize,
  signal?: AbortSignal,
): Promise<void> {
  if (entry.claim === undefined || !isRefused(entry.claim, checkSize)) return;
  await checkEntries([entry], checkSize, signal);
}

/**
 * Inflates entries that claim to be too big together, and loads nothing of them:
 * a claim may be wrong, and then it concerns its entry alone. Rejects with what
 * `checkSize` throws, or the signal's reason.
 */
export async function checkEntries(
  entries: readonly FileEntry[],
  checkSize: CheckSize,
  signal?: AbortSignal,
): Promise<void> {
  let bytes = 0;
  for (const entry of entries) {
    try {
      for await (const chunk of gunzip(entry.read())) {
        signal?.throwIfAborted();
        bytes += chunk.length;
        checkSize(bytes);
      }
    } catch (error) {
      // What is damaged is loaded up to there, and its part says so.
      if (!(error instanceof EntryProblem)) throw error;
    }
  }
}

/** Tells whether so many bytes are beyond the limits. */
export function isRefused(bytes: number, checkSize: CheckSize): boolean {
  try {
    checkSize(bytes);
    return false;
  } catch {
    return true;
  }
}
