import type { ChunkWriter, RowWidth } from './chunk-writer.ts';
import { openPlainChunkWriter } from './plain-chunk-writer.ts';
import { openRawChunkWriter } from './raw-chunk-writer.ts';
import { isRawLayoutKnown } from './raw-layout.ts';

let isRawUsable: boolean | undefined;

/**
 * Opens a writer. It writes the memory of chunks itself, unless the database lays out texts in another
 * way than expected, or the environment variable `LOGQUARRY_ROWS` is `plain`: then it calls the driver
 * for each value, with the same result.
 */
export function openChunkWriter(width: RowWidth): ChunkWriter {
  if (process.env.LOGQUARRY_ROWS === 'plain') return openPlainChunkWriter(width);
  isRawUsable ??= isRawLayoutKnown();
  return isRawUsable ? openRawChunkWriter(width) : openPlainChunkWriter(width);
}
