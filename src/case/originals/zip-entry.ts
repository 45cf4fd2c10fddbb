import { pipeline, type Readable } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../../database/index.ts';
import { EntryProblem } from './entry-problem.ts';
import type { BlockReader } from './random-access.ts';
import { chunkFor } from './source.ts';

/** An open zip with the reader of its bytes. */
export interface OpenZip {
  readonly zip: ZipFile;
  readonly reader: BlockReader;
}

const stored = 0;
const deflated = 8;

/**
 * Yields the inflated bytes of an entry. Throws an `EntryProblem`, at the end at the latest, if
 * they differ from the size or checksum in the zip.
 */
export async function* readZipEntry(of: OpenZip, entry: Entry): AsyncGenerator<Uint8Array, void, undefined> {
  refuse(entry);
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of await openEntry(of, entry)) {
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

async function openEntry(
  of: OpenZip,
  entry: Entry,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  if (isSmall(entry)) return [inflated(await startOf(of, entry, entry.compressedSize), entry)];
  const raw: Readable = await of.zip.openReadStreamPromise(entry, { decodeFileData: false });
  if (entry.compressionMethod === stored) return raw;
  const inflate = createInflateRaw({ chunkSize: chunkFor(entry.uncompressedSize) });
  // A failure of either stream ends the other; the consumer of the inflated stream receives it.
  pipeline(raw, inflate, () => undefined);
  return inflate;
}

/** Bytes up to which an entry is read at once: four streams take longer than its logs. */
const small = { compressed: 32 * 1024, inflated: 256 * 1024 };

function isSmall({ compressedSize, uncompressedSize }: Entry): boolean {
  return compressedSize <= small.compressed && uncompressedSize <= small.inflated;
}

/** Returns the first stored bytes of an entry, as many as it has by the zip. */
async function startOf({ zip, reader }: OpenZip, entry: Entry, length: number): Promise<Uint8Array> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return await reader.bytesAt(fileDataStart, length);
}

/** Inflates an entry at once; throws as soon as it has more bytes than the zip says. */
function inflated(bytes: Uint8Array, entry: Entry): Uint8Array {
  // The reader keeps its block.
  if (entry.compressionMethod === stored) return bytes.slice();
  const { uncompressedSize: size } = entry;
  try {
    return inflateRawSync(bytes, { chunkSize: chunkFor(size + 1), maxOutputLength: size + 1 });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw wrongSize(entry, 'more');
    throw error;
  }
}

/** Reports if reading failed because of the bytes, and not because of the disk. */
function isOfInflating(error: unknown): boolean {
  const code = codeOf(error);
  return code === '' || code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns at least one of the first inflated bytes of an entry; none if they cannot be read. */
export async function readZipEntryStart(of: OpenZip, entry: Entry): Promise<Uint8Array> {
  if (entry.isEncrypted() || !isReadable(entry) || entry.compressedSize === 0) return new Uint8Array(0);
  try {
    const start = await startOf(of, entry, Math.min(enoughBytes, entry.compressedSize));
    if (entry.compressionMethod === stored) return start;
    return inflateRawSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // A reader of the whole entry receives the error.
    return new Uint8Array(0);
  }
}

/** Bytes to read for a start: the tables of a deflated block take some hundred bytes. */
const enoughBytes = 1024;
