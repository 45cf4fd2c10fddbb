import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import {
  Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { messageOf, StoreError, temporaryPath } from '../../database/index.ts';
import { withFullStart } from '../../records/index.ts';
import { canDecompress, decompress, isCompressed } from './decompress.ts';
import { EntryProblem } from './entry-problem.ts';
import {
  BlockReader,
  type ByteSource,
  chunkFor,
  isGzip,
  isZip,
  openRandomAccess,
  type RandomAccess,
  readFully,
  readRange,
  readSource,
  readStart,
  sourceLength,
} from './source.ts';
import { isTar, type TarMember, tarBlock, tarMembers } from './tar.ts';
import { workbookDocument } from './workbook.ts';

/**
 * Opens a file. Its first bytes decide if it is a zip, a tar, or a compressed file of either; the name counts only if it
 * is empty. Rejects with `TRUNCATED_ZIP`, `BAD_ZIP`, or `TOO_BIG` if archives inflate beyond the limits.
 */
export async function openEntries(
  name: string,
  source: ByteSource,
  limits?: Partial<Limits>,
): Promise<OpenFile> {
  const start = await readStart(source, tarBlock);
  const kind =
    archiveKind(start) ?? (canDecompress(start) ? await kindWithin(readSource(source)) : undefined);
  if (kind) return openArchive(name, source, sizeCheck(name, await sourceLength(source), limits));
  if (start.length === 0 && /\.zip$/i.test(name))
    throw new StoreError('TRUNCATED_ZIP', `"${name}" is empty: it was not transferred. Get it again`);
  const size = isGzip(start)
    ? { claim: await gzipClaim(source) }
    : canDecompress(start)
      ? {}
      : { bytes: await sourceLength(source) };
  return { entries: [{ number: 0, name, ...size, read: () => readSource(source) }], close: () => undefined };
}

/** Reports if the bytes of a file are its only entry: it is neither an archive nor compressed. */
export async function isBareFile(source: ByteSource): Promise<boolean> {
  const start = await readStart(source, tarBlock);
  return archiveKind(start) === undefined && !isCompressed(start);
}

/** An archive with entries that are read. */
type ArchiveKind = 'zip' | 'tar';

/** Reports if the format of a part is that of an archive whose entries are parts. */
export function isArchiveFormat(format: string): boolean {
  return format === 'zip' || format === 'tar';
}

/** Returns the kind of an archive by its first 512 bytes. */
function archiveKind(start: Uint8Array): ArchiveKind | undefined {
  if (isZip(start)) return 'zip';
  return isTar(start) ? 'tar' : undefined;
}

/** Returns the kind of the archive within compressed bytes; undefined if there is none, or they are damaged. */
async function kindWithin(compressed: AsyncIterable<Uint8Array>): Promise<ArchiveKind | undefined> {
  try {
    for await (const start of withFullStart(decompress(compressed), tarBlock)) return archiveKind(start);
  } catch (error) {
    // A reader of the bytes receives the problem.
    if (!(error instanceof EntryProblem)) throw error;
  }
  return undefined;
}

/** Returns the inflated size of gzip bytes, as claimed by the last four (RFC 1952, section 2.3.1). */
async function gzipClaim(source: ByteSource): Promise<number> {
  await using access = await openRandomAccess(source);
  const end = await readFully(access.read, Math.max(0, access.length - 4), 4);
  const [first = 0, second = 0, third = 0, fourth = 0] = end;
  return first + second * 2 ** 8 + third * 2 ** 16 + fourth * 2 ** 24;
}

/** Maximum entries of an archive: no export has more, and their list is held in memory. */
const maxEntries = 100_000;

/** Maximum depth of opened nested archives. */
const maxDepth = 3;

// Names are decoded and sizes checked per entry, so that a bad one concerns its entry alone.
const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };

/**
 * Opens an archive and lists its entries except empty folders; the entries of each nested archive follow it.
 * Never writes to a path named by an entry. Rejects with `TRUNCATED_ZIP`, `BAD_ZIP`, or the error
 * of `checkSize`, which receives the inflated bytes of compressed and nested archives.
 */
async function openArchive(name: string, source: ByteSource, checkSize: CheckSize): Promise<OpenFile> {
  const opened: AsyncDisposable[] = [];
  const scratch = scratchFile();
  const close = () => {
    for (const resource of opened) void resource[Symbol.asyncDispose]();
    scratch.close();
  };
  const opening: Opening = { name, opened, scratch, checkSize, inflated: 0, listed: 0, seen: new Map() };
  try {
    const isPlain = archiveKind(await readStart(source, tarBlock)) !== undefined;
    const access = isPlain
      ? await openRandomAccess(source)
      : await scratch.append(counted(decompress(readSource(source)), opening));
    const entries = await listArchive(access, { opening, prefix: '', depth: 0 });
    if (isWorkbook(entries)) {
      close();
      return { entries: [{ number: 0, name, read: () => readSource(source) }], close: () => undefined };
    }
    const kind = documentKind(entries);
    if (kind !== undefined)
      throw new StoreError(
        'BAD_ZIP',
        `"${name}" is ${kind}, which is not read: save its sheet or table as CSV, and import that`,
      );
    return { entries, close };
  } catch (error) {
    close();
    if (error instanceof EntryProblem)
      throw new StoreError('BAD_ZIP', `"${name}" is damaged: ${error.message}`);
    throw error instanceof StoreError ? error : toStoreError(error, name);
  }
}

/** Reports if a zip is a workbook, whose sheet is one entry. */
function isWorkbook(entries: readonly FileEntry[]): boolean {
  return entries.some(({ name }) => name === workbookDocument);
}

/** Names the document that a zip is, by an entry that each of its kind has. */
function documentKind(entries: readonly FileEntry[]): string | undefined {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has('word/document.xml')) return 'a Word document (.docx)';
  return names.has('content.xml') && names.has('mimetype') ? 'an OpenDocument file (.ods, .odt)' : undefined;
}

/** Lists the entries of a zip or a tar. The access to its bytes is closed with the file. */
async function listArchive(access: RandomAccess, within: Within): Promise<readonly FileEntry[]> {
  const start = await readFully(access.read, 0, tarBlock);
  if (isTar(start)) {
    within.opening.opened.push(access);
    return await listTarEntries(access, within);
  }
  const zip = await openAt(access);
  within.opening.opened.push({ [Symbol.asyncDispose]: async () => zip.zip.close() });
  return await listEntries(zip, within);
}

async function listTarEntries(access: RandomAccess, within: Within): Promise<readonly FileEntry[]> {
  const { opening } = within;
  const reader = new BlockReader(access);
  const read = async (position: number, length: number) =>
    await reader.bytesAt(position, Math.max(0, Math.min(length, access.length - position)));
  const own: FileEntry[] = [];
  for await (const member of tarMembers(read, access.length)) {
    const number = opening.listed++;
    checkCount(opening);
    if (member.isFile) own.push(toTarEntry(access, member, { number, name: within.prefix + member.name }));
  }
  // Names that come twice: the later one replaces the earlier at unpacking, and both are read here.
  const entries: FileEntry[] = [];
  for (const file of own) entries.push(...(await withEntriesWithin({ ...within, file })));
  return entries;
}

function toTarEntry(
  access: RandomAccess,
  { position, length, modified, problem }: TarMember,
  named: { readonly number: number; readonly name: string },
): FileEntry {
  const isCut = access.length < position + length;
  return { ...named, bytes: length, modified, isInArchive: true, read };

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (problem !== undefined) throw new EntryProblem('BAD_DATA', problem);
    yield* readRange(access, position, Math.min(position + length, access.length));
    if (isCut)
      throw new EntryProblem(
        'WRONG_SIZE',
        `The tar ends within the entry, which has ${length} bytes. Get it again`,
      );
  }
}

function checkCount({ name, listed }: Opening): void {
  if (listed <= maxEntries) return;
  const problem = `lists ${listed} entries, those of archives within it included; at most ${maxEntries} are read`;
  throw new StoreError('BAD_ZIP', `"${name}" ${problem}`);
}

/** Opens a zip; closing it closes the access to its bytes. */
async function openAt(access: RandomAccess): Promise<OpenZip> {
  const reader = new BlockReader(access);
  try {
    const zip = await fromRandomAccessReaderPromise(new ZipReader(access, reader), access.length, options);
    return { reader, zip };
  } catch (error) {
    await access[Symbol.asyncDispose]();
    throw error;
  }
}

/** Reads a zip for yauzl by blocks. */
class ZipReader extends RandomAccessReader {
  readonly #access: RandomAccess;
  readonly #blocks: BlockReader;

  constructor(access: RandomAccess, blocks: BlockReader) {
    super();
    this.#access = access;
    this.#blocks = blocks;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#blocks.bytesAt(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Streams the bytes from `start` to before `end`; none beyond the end, which the caller detects. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#access, start, Math.min(end, this.#access.length)), {
      objectMode: false,
    });
  }

  override close(callback: (error: Error | null) => void): void {
    this.#access[Symbol.asyncDispose]().then(
      () => callback(null),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

/** Common state of the archives of one file during opening. */
interface Opening {
  /** Name of the file. */
  readonly name: string;
  readonly opened: AsyncDisposable[];
  readonly scratch: ScratchFile;
  readonly checkSize: CheckSize;
  /** Inflated bytes of compressed and nested archives. */
  inflated: number;
  /** Entries so far, folders included. The next archive numbers its entries from here. */
  listed: number;
  /** First entry of each size and checksum. */
  readonly seen: Map<string, FileEntry>;
}

/** Location of an archive in the file. */
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
  checkCount(opening);
  const own: { readonly entry: Entry; readonly file: FileEntry }[] = [];
  for await (const listed of zip.eachEntry()) {
    const entry = withoutNames(listed);
    const modified = modifiedOf(listed);
    const file = toFileEntry(of, entry, { number, name: within.prefix + nameOf(listed), modified });
    // A folder name with bytes is read like any other entry.
    if (0 < entry.uncompressedSize || !file.name.endsWith('/')) own.push({ entry, file });
    number++;
  }
  // Numbers of nested entries follow those of all enclosing entries, which thus keep their numbers.
  const entries: FileEntry[] = [];
  for (const { entry, file } of own) {
    const start = await readZipEntryStart(of, entry);
    entries.push(...(await withEntriesWithin({ ...within, file: withTwin(file, entry, opening), start })));
  }
  return entries;
}

/** Returns what reading an entry requires: names and extra fields take five times as much memory. */
function withoutNames(entry: Entry): Entry {
  const { crc32, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag } = entry;
  return Object.assign(new Entry(), {
    crc32,
    compressedSize,
    uncompressedSize,
    compressionMethod,
    generalPurposeBitFlag,
    relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  });
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

/** Numbers of the extra fields with a time in UTC: of Info-ZIP, and of NTFS. */
const timeFields: ReadonlySet<number> = new Set([0x5455, 0x000a]);

/** The clock of a zone is at most twelve hours behind UTC. Milliseconds. */
const latestZone = 12 * 60 * 60 * 1000;

function modifiedOf(entry: Entry): number | undefined {
  const isExact = entry.extraFields.some(({ id }) => timeFields.has(id));
  const time = entry.getLastModDate({ timezone: 'UTC' }).getTime();
  return Number.isNaN(time) ? undefined : time + (isExact ? 0 : latestZone);
}

function toFileEntry(
  zip: OpenZip,
  entry: Entry,
  named: Pick<FileEntry, 'number' | 'name' | 'modified'>,
): FileEntry {
  return { ...named, bytes: entry.uncompressedSize, isInArchive: true, read: () => readZipEntry(zip, entry) };
}

/** Returns an entry and, if it is an archive, its nested entries. `start` has its first bytes if they are at hand. */
async function withEntriesWithin({
  opening,
  file,
  depth,
  start,
}: Within & { readonly file: FileEntry; readonly start?: Uint8Array }): Promise<readonly FileEntry[]> {
  const kind = await kindOf(file, start);
  if (!kind) return [file];
  const { twin: _, ...archive } = file;
  if (depth === maxDepth)
    return [
      { ...archive, unopened: `it lies in ${maxDepth + 1} archives, and at most ${maxDepth} are opened` },
    ];
  try {
    const access = await opening.scratch.append(counted(decompress(file.read()), opening));
    const prefix = `${file.name}!/`;
    const within = await listArchive(access, { opening, prefix, depth: depth + 1 });
    if (within.some(({ name }) => name === prefix + workbookDocument)) return [file];
    return [{ ...archive, isOpened: kind }, ...within];
  } catch (error) {
    if (error instanceof StoreError) throw error;
    // A reader of the entry receives the problem of its bytes.
    return [error instanceof EntryProblem ? archive : { ...archive, unopened: messageOf(error) }];
  }
}

/** Returns the kind of an entry that is an archive, compressed or not. */
async function kindOf(file: FileEntry, known?: Uint8Array): Promise<ArchiveKind | undefined> {
  try {
    const start = known && 0 < known.length ? known : await startOfEntry(file);
    return archiveKind(start) ?? (canDecompress(start) ? await kindWithin(file.read()) : undefined);
  } catch (error) {
    // A reader of the entry receives the problem of its bytes.
    if (error instanceof EntryProblem) return undefined;
    throw error;
  }
}

async function startOfEntry({ read }: FileEntry): Promise<Uint8Array> {
  for await (const start of withFullStart(read(), tarBlock)) return start;
  return new Uint8Array(0);
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

/** An open zip with the reader of its bytes. */
interface OpenZip {
  readonly zip: ZipFile;
  readonly reader: BlockReader;
}

const stored = 0;
const deflated = 8;

/**
 * Yields the inflated bytes of an entry. Throws an `EntryProblem`, at the end at the latest, if
 * they differ from the size or checksum in the zip.
 */
async function* readZipEntry(of: OpenZip, entry: Entry): AsyncGenerator<Uint8Array, void, undefined> {
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
  if (isSmall(entry)) return [inflateWhole(await startOf(of, entry, entry.compressedSize), entry)];
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
function inflateWhole(bytes: Uint8Array, entry: Entry): Uint8Array {
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
async function readZipEntryStart(of: OpenZip, entry: Entry): Promise<Uint8Array> {
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

/**
 * A file for bytes that require random access. It has no name if the system allows that, so that a
 * killed process leaves nothing.
 */
interface ScratchFile {
  /** Appends bytes. Rejects like the chunks, or with `STORE_FAILED`; partially appended bytes are unused. */
  readonly append: (chunks: AsyncIterable<Uint8Array>) => Promise<RandomAccess>;
  readonly close: () => void;
}

/** Creates a scratch file. The file itself is created in the temporary folder at the first append. */
function scratchFile(): ScratchFile {
  let opening: Promise<{ readonly handle: FileHandle; readonly path: string }> | undefined;
  let end = 0;
  return { append, close };

  async function append(chunks: AsyncIterable<Uint8Array>): Promise<RandomAccess> {
    opening ??= onDisk(create);
    const { handle } = await opening;
    const start = end;
    for await (const chunk of chunks) {
      // Explicit positions, independent of concurrent reads.
      await onDisk(() => handle.write(chunk, 0, chunk.length, end));
      end += chunk.length;
    }
    return rangeOf(handle, { start, length: end - start });
  }

  function close(): void {
    // Runs after pending reads.
    opening
      ?.then(async ({ handle, path }) => {
        await handle.close();
        await rm(path, { force: true });
      })
      .catch(() => undefined);
  }
}

/** Returns access to a range of a scratch file as a file of its own. */
function rangeOf(
  handle: FileHandle,
  { start, length }: { readonly start: number; readonly length: number },
): RandomAccess {
  const read = async (target: Uint8Array, position: number) => {
    const size = Math.max(0, Math.min(target.length, length - position));
    return size === 0 ? 0 : (await handle.read(target, 0, size, start + position)).bytesRead;
  };
  return { length, read, [Symbol.asyncDispose]: async () => undefined };
}

async function create(): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  const path = await temporaryPath();
  const handle = await open(path, 'wx+', 0o600);
  // Windows cannot remove an open file: it is removed at closing.
  await rm(path).catch(() => undefined);
  return { handle, path };
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreError('STORE_FAILED', `An archive cannot be unpacked: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Limits on the inflated size of added files. */
export interface Limits {
  /** Maximum inflated bytes of all entries of a file. Default: 20 GiB. */
  readonly totalBytes: number;
  /** Maximum inflated bytes per byte of the file, above `ratioFrom`. Default: 200. */
  readonly ratio: number;
  /** Inflated bytes up to which any ratio is allowed. Default: 128 MiB. */
  readonly ratioFrom: number;
}

const gibibyte = 1024 ** 3;

/** Logs shrink to a fifth, very uniform ones to a hundredth; bombs to a thousandth and less. */
const defaults: Limits = { totalBytes: 20 * gibibyte, ratio: 200, ratioFrom: gibibyte / 8 };

/** Receives the number of inflated bytes so far, and throws `TOO_BIG` beyond the limits. */
export type CheckSize = (inflatedBytes: number) => void;

/** Creates a check of the inflated size of a file. */
export function sizeCheck(name: string, fileBytes: number, limits: Partial<Limits> = {}): CheckSize {
  const { totalBytes, ratio, ratioFrom } = { ...defaults, ...limits };
  return (inflated) => {
    if (totalBytes < inflated)
      throw tooBig(name, `it inflates to more than the limit of ${totalBytes} bytes`);
    if (ratioFrom < inflated && ratio * fileBytes < inflated)
      throw tooBig(name, `it inflates to more than ${ratio} times its ${fileBytes} bytes, as no logs do`);
  };
}

function tooBig(name: string, reason: string): StoreError {
  return new StoreError('TOO_BIG', `"${name}" was not read to its end: ${reason}`);
}

/** One entry of a file: a named entry of an archive, or a bare file itself. */
export interface FileEntry {
  /**
   * Its number in the file, from 0; folders count. The entries of nested archives follow all entries of
   * the enclosing archive.
   */
  readonly number: number;
  readonly name: string;
  /** Inflated bytes according to the file, which may be wrong. */
  readonly bytes?: number;
  /**
   * Inflated bytes according to gzip: less than the total if several members are joined, arbitrary
   * if truncated.
   */
  readonly claim?: number;
  /**
   * Time of the last change that an archive states, or the latest that it may be where that names no zone: milliseconds
   * since the epoch.
   */
  readonly modified?: number | undefined;
  /** The entry is in an archive, which may also hold files that are not logs. */
  readonly isInArchive?: true;
  /** Kind of the archive that the entry is, if its entries follow it. */
  readonly isOpened?: ArchiveKind;
  /** Reason that a nested archive is not opened. */
  readonly unopened?: string;
  /** An earlier entry of the same size and checksum, which may have the same bytes. */
  readonly twin?: FileEntry;
  /** Yields its inflated bytes. Throws an `EntryProblem` if they cannot be read. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A file that is open for reading its entries. */
export interface OpenFile {
  readonly entries: readonly FileEntry[];
  readonly close: () => void;
}
