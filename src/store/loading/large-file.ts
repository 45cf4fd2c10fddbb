import { isBare } from '../originals/entries.ts';
import { type LogFile, namedSource } from '../originals/evidence.ts';
import { lengthOf } from '../originals/source.ts';

/**
 * Inflated bytes, as files claim them, that share a transaction: those of nearly
 * half a million usual logs. A process that is killed loses two seconds of work.
 * A file that claims more has transactions of its own.
 */
export const mostBytesOfSharing = 192 * 1024 * 1024;

/** How many bytes a file has that is large, and neither a zip nor compressed; undefined for others, and where it cannot be read. */
export async function largeBareLength(file: LogFile): Promise<number | undefined> {
  const { source } = namedSource(file);
  try {
    const length = await lengthOf(source);
    return mostBytesOfSharing < length && (await isBare(source)) ? length : undefined;
  } catch {
    // Whoever reads it says why.
    return undefined;
  }
}
