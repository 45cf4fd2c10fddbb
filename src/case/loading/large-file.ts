import { isBareFile } from '../originals/entries.ts';
import { type LogFile, namedSource } from '../originals/evidence.ts';
import { sourceLength } from '../originals/source.ts';

/**
 * Maximum inflated bytes of files that share a transaction, as the files claim them: nearly half a
 * million typical logs. A killed process loses two seconds of work. A larger file has its own
 * transactions.
 */
export const maxSharedBytes = 192 * 1024 * 1024;

/**
 * Bytes up to which a file that shares no transaction is copied before it is loaded: a thread that reads it
 * pays from here on. Loading a larger one while it is copied saves inflating the copy.
 */
export const maxCopiedFirst = 16 * 1024 * 1024;

/**
 * Returns the length of a file that is neither a zip nor compressed, and longer than a limit; undefined for
 * others and unreadable files.
 */
export async function largeBareLength(
  file: LogFile,
  limit: number = maxSharedBytes,
): Promise<number | undefined> {
  const { source } = namedSource(file);
  try {
    const length = await sourceLength(source);
    return limit < length && (await isBareFile(source)) ? length : undefined;
  } catch {
    // The subsequent reader reports the reason.
    return undefined;
  }
}
