import { EntryProblem } from './entry-problem.ts';
import type { FileEntry } from './file-entry.ts';
import { gunzip } from './gunzip.ts';
import type { CheckSize } from './limits.ts';

/**
 * Inflates an entry that claims too large a size, without loading it: the claim may be wrong.
 * Rejects with the error of `checkSize`, or the signal's reason.
 */
export async function checkClaimedSize(
  entry: FileEntry,
  checkSize: CheckSize,
  signal?: AbortSignal,
): Promise<void> {
  if (entry.claim === undefined || !exceedsLimits(entry.claim, checkSize)) return;
  await checkInflatedSize([entry], checkSize, signal);
}

/**
 * Inflates entries that claim too large a total, without loading them: a wrong claim concerns its
 * entry alone. Rejects with the error of `checkSize`, or the signal's reason.
 */
export async function checkInflatedSize(
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
      // A damaged entry is loaded up to the damage, and its part states the problem.
      if (!(error instanceof EntryProblem)) throw error;
    }
  }
}

/** Reports if a number of bytes exceeds the limits. */
export function exceedsLimits(bytes: number, checkSize: CheckSize): boolean {
  try {
    checkSize(bytes);
    return false;
  } catch {
    return true;
  }
}
