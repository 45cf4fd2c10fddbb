import { isBareFile } from '../../originals/entries.ts';
import { type LogFile, namedSource } from '../../originals/evidence.ts';
import { sourceLength } from '../../originals/source.ts';

/**
 * Maximum inflated bytes of files that share a transaction, as the files claim them: nearly half a
 * million typical logs. A killed process loses two seconds of work. A larger file has its own
 * transactions.
 */
export const maxSharedBytes = 192 * 1024 * 1024;

/**
 * Returns the length of a large file that is neither a zip nor compressed; undefined for others and
 * unreadable files.
 */
export async function largeBareLength(file: LogFile): Promise<number | undefined> {
  const { source } = namedSource(file);
  try {
    const length = await sourceLength(source);
    return maxSharedBytes < length && (await isBareFile(source)) ? length : undefined;
  } catch {
    // The subsequent reader reports the reason.
    return undefined;
  }
}
