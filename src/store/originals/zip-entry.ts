import { pipeline, type Readable } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../database/store-error.ts';
import { EntryProblem } from './entry-problem.ts';
import { chunkFor } from './source.ts';

const stored = 0;
const deflated = 8;

/**
 * Yields the inflated bytes of an entry. Throws an `EntryProblem`, at the end at the latest, if
 * they differ from the size or checksum in the zip.
 */
export async function* readZipEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, undefined> {
  refuse(entry);
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of await openEntry(zip, entry)) {
      bytes += chunk.length;
      if (entry.uncompressedSize < bytes) throw wrongSize(entry, 'more');
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof EntryProblem || !isOfInflating(error)) throw error;
    throw new EntryProblem('BAD_DATA', `The compressed bytes are damaged: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (bytes < entry.uncompressedSize) throw wrongSize(entry, 'fewer');
  if (checksum !== entry.crc32)
    throw new EntryProblem('WRONG_CRC', 'The bytes do not have the checksum of the zip');
}

/** Throws for an entry that is not readable. */
function refuse(entry: Entry): void {
  if (entry.isEncrypted())
    throw new EntryProblem('ENCRYPTED', 'The entry is encrypted; only open entries are read');
  if (!isReadable(entry))
    throw new EntryProblem(
      'BAD_METHOD',
      `The entry is compressed by method ${entry.compressionMethod}; only "stored" and "deflated" are read`,
    );
}

function isReadable({ compressionMethod }: Entry): boolean {
  return compressionMethod === stored || compressionMethod === deflated;
}

function wrongSize(entry: Entry, which: 'more' | 'fewer'): EntryProblem {
  return new EntryProblem(
    'WRONG_SIZE',
    `The entry has ${which} bytes than the ${entry.uncompressedSize} that the zip says`,
  );
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  const raw: Readable = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  if (entry.compressionMethod === stored) return raw;
  const inflate = createInflateRaw({ chunkSize: chunkFor(entry.uncompressedSize) });
  // A failure of either stream ends the other; the consumer of the inflated stream receives it.
  pipeline(raw, inflate, () => undefined);
  return inflate;
}

/** Reports if reading failed because of the bytes, and not because of the disk. */
function isOfInflating(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' || code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Returns at least one of the first inflated bytes of an entry; none if they cannot be read. */
export async function readZipEntryStart(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  if (entry.isEncrypted() || !isReadable(entry) || entry.compressedSize === 0) return new Uint8Array(0);
  try {
    const end = Math.min(enoughBytes, entry.compressedSize);
    const raw: Readable = await zip.openReadStreamPromise(entry, { decodeFileData: false, start: 0, end });
    const chunks: Uint8Array[] = await raw.toArray();
    const start = Buffer.concat(chunks);
    if (entry.compressionMethod === stored) return start;
    return inflateRawSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // A reader of the whole entry receives the error.
    return new Uint8Array(0);
  }
}

/** Bytes to read for a start: the tables of a deflated block take some hundred bytes. */
const enoughBytes = 1024;
