import { isBare } from '../originals/entries.ts';
import { type LogFile, namedSource } from '../originals/evidence.ts';
import { lengthOf } from '../originals/source.ts';

/**
 * Inflated bytes that a file claims which shares a transaction: some 400,000
 * usual logs. One connection writes up to a third of a million as fast as two,
 * in two thirds of the memory; half a million take it a quarter longer.
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
