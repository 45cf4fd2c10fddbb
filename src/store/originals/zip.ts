import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import {
  type Entry,
  fromBufferPromise,
  getFileNameLowLevel,
  openPromise,
  validateFileName,
  type ZipFile,
} from 'yauzl';
import { messageOf, StoreError } from '../store-error.ts';
import { EntryProblem } from './entry-problem.ts';
import type { FileEntry, OpenFile } from './file-entry.ts';
import { chunkLength, type Source } from './source.ts';

/** More entries than this are no export; the list of them is held in memory. */
const maxEntries = 100_000;

/**
 * Opens a zip and lists its entries, folders aside. Nothing is ever written
 * where an entry says. Rejects with `TRUNCATED_ZIP` or `BAD_ZIP`.
 */
export async function openZip(name: string, source: Source): Promise<OpenFile> {
  // Names are decoded and sizes checked here, where a bad one concerns its entry alone.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };
  let zip: ZipFile | undefined;
  try {
    zip =
      'path' in source
        ? await openPromise(source.path, options)
        : await fromBufferPromise(Buffer.from(source.bytes), options);
    const opened = zip;
    const entries = await listEntries(opened);
    return { entries, close: () => opened.close() };
  } catch (error) {
    zip?.close();
    throw toStoreError(error, name);
  }
}

async function listEntries(zip: ZipFile): Promise<FileEntry[]> {
  if (maxEntries < zip.entryCount)
    throw new Error(`it lists ${zip.entryCount} entries; at most ${maxEntries} are read`);
  const entries: FileEntry[] = [];
  let number = 0;
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
    if (!name.endsWith('/'))
      entries.push({ number, name, bytes: entry.uncompressedSize, read: () => readEntry(zip, entry, name) });
    number++;
  }
  return entries;
}

/** The inflated bytes of an entry. Throws an `EntryProblem`, at the latest at their end, when they are not what the zip says. */
async function* readEntry(
  zip: ZipFile,
  entry: Entry,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  refuse(entry, name);
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

/** Throws for an entry that is not to be read at all. */
function refuse(entry: Entry, name: string): void {
  const badName = validateFileName(name) ?? (name.includes('\0') ? `a NUL in the name: ${name}` : null);
  if (badName !== null) throw new EntryProblem('BAD_NAME', `The entry is refused for its path: ${badName}`);
  if (entry.isEncrypted())
    throw new EntryProblem('ENCRYPTED', 'The entry is encrypted; only open entries are read');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw new EntryProblem(
      'BAD_METHOD',
      `The entry is compressed by method ${entry.compressionMethod}; only "stored" and "deflated" are read`,
    );
}

function wrongSize(entry: Entry, which: 'more' | 'fewer'): EntryProblem {
  return new EntryProblem(
    'WRONG_SIZE',
    `The entry has ${which} bytes than the ${entry.uncompressedSize} that the zip says`,
  );
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  const raw: Readable = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  if (entry.compressionMethod === 0) return raw;
  const inflate = createInflateRaw({ chunkSize: chunkLength });
  // A failure of either stream ends the other; it is met by whoever reads the inflated one.
  pipeline(raw, inflate, () => undefined);
  return inflate;
}

/** Whether reading failed because of the bytes, and not because of the disk. */
function isOfInflating(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' || code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function toStoreError(error: unknown, name: string): StoreError {
  const message = messageOf(error);
  if (/end of central directory record signature not found/i.test(message))
    return new StoreError(
      'TRUNCATED_ZIP',
      `"${name}" is a zip without its end, so its list of entries is missing: it was not transferred completely. Get it again`,
      { cause: error },
    );
  return new StoreError('BAD_ZIP', `"${name}" is a damaged zip: ${message}`, { cause: error });
}
