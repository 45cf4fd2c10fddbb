import { Entry, fromRandomAccessReaderPromise, getFileNameLowLevel } from 'yauzl';
import { messageOf, StoreError } from '../../database/index.ts';
import { EntryProblem } from './entry-problem.ts';
import type { FileEntry, OpenFile } from './file-entry.ts';
import { isZip } from './file-signatures.ts';
import type { CheckSize } from './limits.ts';
import { BlockReader, openRandomAccess, type RandomAccess } from './random-access.ts';
import { type ScratchFile, scratchFile } from './scratch-file.ts';
import type { ByteSource } from './source.ts';
import { type OpenZip, readZipEntry, readZipEntryStart } from './zip-entry.ts';

/** Maximum entries of a zip: no export has more, and their list is held in memory. */
const maxEntries = 100_000;

/** Maximum depth of opened nested zips. */
const maxDepth = 3;

// Names are decoded and sizes checked per entry, so that a bad one concerns its entry alone.
const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };

/**
 * Opens a zip and lists its entries except empty folders; the entries of each nested zip follow it.
 * Never writes to a path named by an entry. Rejects with `TRUNCATED_ZIP`, `BAD_ZIP`, or the error
 * of `checkSize`, which receives the inflated bytes of the nested zips.
 */
export async function openZip(name: string, source: ByteSource, checkSize: CheckSize): Promise<OpenFile> {
  const opened: OpenZip[] = [];
  const scratch = scratchFile();
  const close = () => {
    for (const { zip } of opened) zip.close();
    scratch.close();
  };
  try {
    const zip = await openAt(await openRandomAccess(source));
    opened.push(zip);
    const opening: Opening = { name, opened, scratch, checkSize, inflated: 0, listed: 0, seen: new Map() };
    const entries = await listEntries(zip, { opening, prefix: '', depth: 0 });
    return { entries, close };
  } catch (error) {
    close();
    throw error instanceof StoreError ? error : toStoreError(error, name);
  }
}

/** Opens a zip; closing it closes the access to its bytes. */
async function openAt(access: RandomAccess): Promise<OpenZip> {
  const reader = new BlockReader(access);
  try {
    return { reader, zip: await fromRandomAccessReaderPromise(reader, access.length, options) };
  } catch (error) {
    await access[Symbol.asyncDispose]();
    throw error;
  }
}

/** Common state of the zips of one file during opening. */
interface Opening {
  /** Name of the file. */
  readonly name: string;
  readonly opened: OpenZip[];
  readonly scratch: ScratchFile;
  readonly checkSize: CheckSize;
  /** Inflated bytes of nested zips. */
  inflated: number;
  /** Entries so far, folders included. The next zip numbers its entries from here. */
  listed: number;
  /** First entry of each size and checksum. */
  readonly seen: Map<string, FileEntry>;
}

/** Location of a zip in the file. */
interface Within {
  readonly opening: Opening;
  /** Prefix of the names of its entries. */
  readonly prefix: string;
  readonly depth: number;
}

async function listEntries(of: OpenZip, within: Within): Promise<readonly FileEntry[]> {
  const { opening } = within;
  const { zip } = of;
  let number = opening.listed;
  opening.listed += zip.entryCount;
  if (maxEntries < opening.listed) {
    const problem = `lists ${opening.listed} entries, those of zips within it included; at most ${maxEntries} are read`;
    throw new StoreError('BAD_ZIP', `"${opening.name}" ${problem}`);
  }
  const own: { readonly entry: Entry; readonly file: FileEntry }[] = [];
  for await (const listed of zip.eachEntry()) {
    const entry = withoutNames(listed);
    const file = toFileEntry(of, entry, { number, name: within.prefix + nameOf(listed) });
    // A folder name with bytes is read like any other entry.
    if (0 < entry.uncompressedSize || !file.name.endsWith('/')) own.push({ entry, file });
    number++;
  }
  // Numbers of nested entries follow those of all enclosing entries, which thus keep their numbers.
  const entries: FileEntry[] = [];
  for (const { entry, file } of own)
    entries.push(...(await withEntriesWithin(of, entry, { ...within, file })));
  return entries;
}

/** Returns what reading an entry requires: names and extra fields take five times as much memory. */
function withoutNames(entry: Entry): Entry {
  const { crc32, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag } = entry;
  return Object.assign(new Entry(), {
    ...{ crc32, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag },
    relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  });
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

function toFileEntry(
  zip: OpenZip,
  entry: Entry,
  named: { readonly number: number; readonly name: string },
): FileEntry {
  return { ...named, bytes: entry.uncompressedSize, isInZip: true, read: () => readZipEntry(zip, entry) };
}

/** Returns an entry and, if it is a zip, its nested entries. */
async function withEntriesWithin(
  zip: OpenZip,
  entry: Entry,
  { opening, file, depth }: Within & { readonly file: FileEntry },
): Promise<readonly FileEntry[]> {
  if (!isZip(await readZipEntryStart(zip, entry))) return [withTwin(file, entry, opening)];
  if (depth === maxDepth)
    return [{ ...file, unopened: `it lies in ${maxDepth + 1} zips, and at most ${maxDepth} are opened` }];
  try {
    const inner = await openWithin(file, opening);
    const prefix = `${file.name}!/`;
    return [
      { ...file, isOpened: true },
      ...(await listEntries(inner, { opening, prefix, depth: depth + 1 })),
    ];
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // A reader of the entry receives the problem of its bytes.
    return [error instanceof EntryProblem ? file : { ...file, unopened: messageOf(error) }];
  }
}

/** Opens a nested zip from a copy of its bytes: an entry supports only sequential reading. */
async function openWithin(file: FileEntry, opening: Opening): Promise<OpenZip> {
  const zip = await openAt(await opening.scratch.append(counted(file.read(), opening)));
  opening.opened.push(zip);
  return zip;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  opening: Opening,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    opening.inflated += chunk.length;
    opening.checkSize(opening.inflated);
    yield chunk;
  }
}

/** Adds the earlier entry of the same size and checksum, if any. */
function withTwin(file: FileEntry, { uncompressedSize, crc32 }: Entry, { seen }: Opening): FileEntry {
  const key = `${uncompressedSize} ${crc32}`;
  const twin = seen.get(key);
  if (!twin) seen.set(key, file);
  return twin && 0 < uncompressedSize ? { ...file, twin } : file;
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
