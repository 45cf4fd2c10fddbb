import { createHash } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { chmod, type FileHandle, lstat, open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder, messageOf, StoreError } from '../../database/index.ts';
import { type Case, readCase } from '../file/case.ts';
import {
  arrivingPath,
  copyNames,
  evidenceFolder,
  markPending,
  markUnsynced,
  removeCopy,
  removeEmptyFolder,
  unmarkPending,
} from '../file/evidence-folder.ts';
import {
  type ByteSource,
  compressMember,
  isGzip,
  isZip,
  memberLength,
  modifiedTime,
  readReusingBuffers,
} from './source.ts';

/** A file to add: its path, or its name and bytes. */
export type LogFile = string | { readonly name: string; readonly bytes: Uint8Array };

/** A file whose bytes are stored with the case, at least until it is released. */
export interface StoredFile {
  /** File name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Time of the last change of the file: milliseconds since the epoch. Undefined if it had none. */
  readonly modified?: number | undefined;
  /** Location of the bytes. */
  readonly source: ByteSource;
}

/** An incoming file, to be stored with a case. */
type CaseFile = Omit<IncomingFile, 'store'> & { readonly store: (sha256: string) => Promise<ByteSource> };

/** Locations of originals, for cases that leave files in place. */
const remembered = new WeakMap<Case, Map<string, ByteSource>>();

/** Returns the name of a file without folders, and the location of its bytes. */
export function namedSource(file: LogFile): { readonly name: string; readonly source: ByteSource } {
  return typeof file === 'string'
    ? { name: basename(file), source: { path: file } }
    : { name: file.name, source: { bytes: file.bytes } };
}

/**
 * Stores a file with a case: a copy named by its hash, in the folder `<case>.evidence` beside the
 * case, never modified, compressed if that saves room. A case that leaves files in place remembers their locations.
 *
 * Later reads use this copy, so that the loaded bytes are the hashed ones. It exists until
 * `releaseFiles`, and afterwards if the case refers to it.
 */
export async function storeFile(into: Case, file: LogFile, signal?: AbortSignal): Promise<StoredFile> {
  const { name, source } = namedSource(file);
  const modified = await modifiedTime(source);
  await using incoming = await openIncomingFile(into, { name, source });
  const hashed = await hashWhile(source, async (chunk) => {
    signal?.throwIfAborted();
    await incoming.write(chunk);
  }).catch((error: unknown) => {
    throw toFileError(error, name);
  });
  return { name, ...hashed, modified, source: await incoming.store(hashed.sha256) };
}

/**
 * Starts to store a file with a case, as `storeFile` does. The caller reads the file and writes its
 * bytes.
 */
export async function openIncomingFile(
  into: Case,
  { name, source }: { readonly name: string; readonly source: ByteSource },
): Promise<CaseFile> {
  const withFileError = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      throw new StoreError('STORE_FAILED', `"${name}" cannot be stored: ${messageOf(cause)}`, { cause });
    }
  };
  const file =
    into.originals === 'in place'
      ? rememberedFile(into, source)
      : await withFileError(openEvidenceCopy(into.path));
  return {
    write: (chunk) => withFileError(file.write(chunk)),
    store: (sha256) => withFileError(storeReferenced(into, file, sha256)),
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** Stores a file and acquires a reference to it. */
async function storeReferenced(into: Case, file: IncomingFile, sha256: string): Promise<ByteSource> {
  // Before the existence check: a referenced original is not removed.
  const reference = acquireReference(into, sha256);
  try {
    const { isNew, source } = await file.store(sha256);
    reference.isNew ||= isNew;
    return source;
  } catch (error) {
    await releaseFiles(into, [reference]);
    throw error;
  }
}

/** Creates an incoming file for a case that leaves files in place: nothing is copied. */
function rememberedFile(into: Case, source: ByteSource): IncomingFile {
  return { write: async () => undefined, store, [Symbol.asyncDispose]: async () => undefined };

  async function store(sha256: string): Promise<StoredOriginal> {
    const files = remembered.get(into) ?? new Map<string, ByteSource>();
    remembered.set(into, files);
    const isNew = !files.has(sha256);
    files.set(sha256, source);
    return { isNew, source };
  }
}

/** Reports if a text is a SHA-256 in the form of the names of originals. */
export function isSha256(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/**
 * Returns the location of a stored file. Undefined if it is gone, or if its hash in the case is not
 * a hash but possibly a path elsewhere.
 */
export function storedSource(of: Case, sha256: string): ByteSource | undefined {
  if (!isSha256(sha256)) return undefined;
  if (of.originals === 'in place') return remembered.get(of)?.get(sha256);
  return findCopy(evidenceFolder(of.path), sha256);
}

/**
 * Releases stored files. Releasing the last reference to an original removes it, unless it existed
 * before the first reference or the case refers to it.
 */
export async function releaseFiles(of: Case, files: readonly Pick<StoredFile, 'sha256'>[]): Promise<void> {
  const last = files.flatMap(({ sha256 }) => releaseReference(of, sha256) ?? []);
  if (last.length === 0) return;
  const listed = await findListed(of, last);
  if (!listed) return;
  // Atomic without an await: for the next reference an original is there, or it is not.
  for (const reference of last)
    if (forgetReference(of, reference)) removeUnlisted(of, reference.sha256, listed.has(reference.sha256));
  if (of.originals === 'copied') await removeEmptyFolder(evidenceFolder(of.path));
}

/**
 * Returns those originals that the case refers to. Undefined if the query fails: the cause was
 * reported earlier, and nothing is removed.
 */
async function findListed(
  of: Case,
  files: readonly Pick<StoredFile, 'sha256'>[],
): Promise<ReadonlySet<unknown> | undefined> {
  const listed = `FROM (SELECT sha256 FROM stored.files UNION SELECT file_sha256 FROM stored.parts)
    WHERE sha256 IN (${files.map((_, index) => `$${index + 1}`).join(', ')})`;
  try {
    return await readCase(of, async (connection) => {
      const result = await connection.runAndReadAll(
        listed,
        files.map(({ sha256 }) => sha256),
      );
      return new Set(result.getRowsJS().map(([sha256]) => sha256));
    });
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** Removes an original that the case does not refer to; any other stays for good. */
function removeUnlisted(of: Case, sha256: string, isListed: boolean): void {
  if (!isListed) remembered.get(of)?.delete(sha256);
  if (of.originals !== 'copied') return;
  const folder = evidenceFolder(of.path);
  if (!isListed) removeCopy(folder, sha256);
  unmarkPending(folder, sha256);
}

/** Returns the hash and the length of a source. */
export function hashSource(
  source: ByteSource,
  onBytes: (bytes: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  return hashWhile(source, async (chunk) => onBytes(chunk.length));
}

async function hashWhile(
  source: ByteSource,
  use: (chunk: Uint8Array) => Promise<void>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of readReusingBuffers(source)) {
    // Bytes are hashed while they are written.
    const used = use(chunk);
    hash.update(chunk);
    bytes += chunk.length;
    await used;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Converts an error of reading a file to a `StoreError`; returns any other error unchanged. */
export function toFileError(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return new StoreError('FILE_NOT_FOUND', `There is no file "${name}"`, { cause: error });
  if (code === 'EISDIR')
    return new StoreError('FILE_UNREADABLE', `"${name}" is a folder; name the files in it`, { cause: error });
  if (code === 'EACCES' || code === 'EPERM')
    return new StoreError('FILE_UNREADABLE', `"${name}" may not be read: ${messageOf(error)}`, {
      cause: error,
    });
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
    return new StoreError('STORE_FAILED', `"${name}" cannot be read: ${messageOf(error)}`, { cause: error });
  return error;
}

/** An incoming file, to be stored with a case. Disposal removes it unless it was stored. */
interface IncomingFile extends AsyncDisposable {
  /** Appends bytes, which must not change until it resolves. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /**
   * Stores the written bytes under their hash. Resolves when they are on disk; the name is on disk
   * before a transaction ends.
   */
  readonly store: (sha256: string) => Promise<StoredOriginal>;
}

/** Location of a stored original. */
interface StoredOriginal {
  /** The original was not there before. */
  readonly isNew: boolean;
  readonly source: ByteSource;
}

/** Bytes after which data is synced while more is written, so that little remains to sync at the end. */
const syncAfter = 32 * 1024 * 1024;

/** Starts a copy in the evidence folder of a case, compressed if that saves room. */
export async function openEvidenceCopy(casePath: string): Promise<IncomingFile> {
  const folder = evidenceFolder(casePath);
  const arriving = arrivingPath(casePath);
  const target = await openNew(folder, arriving);
  let unsynced = 0;
  let syncing: Promise<void> | undefined;
  let isStored = false;
  const copy = openCopyWriter(append);
  return { write: copy.write, store, [Symbol.asyncDispose]: dispose };

  async function append(chunk: Uint8Array): Promise<void> {
    await target.writeFile(chunk);
    unsynced += chunk.length;
    if (syncAfter <= unsynced) await sync();
  }

  /** Starts to sync the written bytes, and waits for the previous sync. */
  async function sync(): Promise<void> {
    await syncing;
    unsynced = 0;
    syncing = target.datasync();
    // The next sync throws a failure; no unhandled rejection until then.
    syncing.catch(() => undefined);
  }

  async function store(sha256: string): Promise<StoredOriginal> {
    const form = (await copy.finish()) ? 'compressed' : 'plain';
    await syncing;
    await target.sync();
    await target.close();
    // Whatever the umask: originals hold personal data. Who may read the case may read them.
    const readers = (await modeOfCase(casePath)) & 0o444;
    await chmod(arriving, readers);
    await openTo(folder, readers & 0o044);
    // Atomic without an await: of two equal files, the first is new, and stays.
    const known = findCopy(folder, sha256);
    const path = join(folder, copyNames(sha256)[form]);
    if (!known) giveName(arriving, { folder, sha256, path });
    markUnsynced(folder);
    isStored = !known;
    const stored: ByteSource = form === 'plain' ? { path } : { compressed: path };
    return { isNew: !known, source: known ?? stored };
  }

  async function dispose(): Promise<void> {
    await target.close();
    if (isStored) return;
    await rm(arriving, { force: true });
    await removeEmptyFolder(folder);
  }
}

/** The permissions of a case file; those of a new one before it is there. */
async function modeOfCase(casePath: string): Promise<number> {
  const { mode } = await stat(casePath).catch(() => ({ mode: 0o600 }));
  return mode;
}

/** Lets others into a folder, by their bits for reading: without those for searching it keeps its files to its owner. */
async function openTo(folder: string, readers: number): Promise<void> {
  const { mode } = await stat(folder);
  const opened = (mode & 0o777) | readers | (readers >> 2);
  // A folder of somebody else stays as it is.
  if (opened !== (mode & 0o777)) await chmod(folder, opened).catch(() => {});
}

/** Renames a copied file to the hash of its bytes. It is marked as pending until the case refers to it. */
function giveName(
  arriving: string,
  { folder, sha256, path }: { readonly folder: string; readonly sha256: string; readonly path: string },
): void {
  try {
    markPending(folder, sha256);
    renameSync(arriving, path);
  } catch (error) {
    unmarkPending(folder, sha256);
    throw error;
  }
}

/** Attempts to open a file: whoever removes the last file also removes the folder, possibly in between. */
const maxAttempts = 20;

/** Opens a new file in a folder, which is created if missing. */
async function openNew(folder: string, path: string, attempts: number = maxAttempts): Promise<FileHandle> {
  try {
    await makeFolder(folder, { mode: 0o700 });
    if ((await lstat(folder)).isSymbolicLink())
      throw new StoreError(
        'STORE_FAILED',
        `"${folder}" is a link: originals are only stored in a folder of their own beside the case`,
      );
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isGone && 1 < attempts) return await openNew(folder, path, attempts - 1);
    await removeEmptyFolder(folder);
    throw error;
  }
}

/** Writes the copy of an original, compressed if that saves room. */
interface CopyWriter {
  /** Appends bytes of the original, which must not change until it resolves. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Writes the rest; resolves with whether the copy is compressed. */
  readonly finish: () => Promise<boolean>;
}

/** Bytes from which a file is compressed: a shorter one takes a block of the disk in either form. */
const minLength = 4096 + 1;

/** Maximum share of its length that the start of a file may take compressed; images and archives take nearly all. */
const maxShare = 0.8;

/** Members that are compressed side by side: as many threads as leave others to files and the database. */
const maxConcurrent = 2;

const noBytes = new Uint8Array(0);

/** Starts a copy. Its first bytes decide its form. `append` receives the bytes of the copy in order. */
export function openCopyWriter(append: (bytes: Uint8Array) => Promise<void>): CopyWriter {
  let form: 'undecided' | 'plain' | 'compressed' = 'undecided';
  let block: Uint8Array = noBytes;
  let filled = 0;
  const spare: Uint8Array[] = [];
  const compressing: { readonly block: Uint8Array; readonly member: Promise<Uint8Array> }[] = [];
  return { write, finish };

  async function write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; 0 < rest.length; ) {
      if (form === 'plain') return await append(rest);
      const taken = rest.subarray(0, memberLength - filled);
      block = withRoom(filled + taken.length);
      block.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled === memberLength) await writeBlock();
    }
  }

  /** Returns the block, or a larger one with its bytes. A small file arrives in one chunk, and needs no more. */
  function withRoom(length: number): Uint8Array {
    if (length <= block.length) return block;
    const isFirst = form === 'undecided' && filled === 0;
    const larger = spare.pop() ?? new Uint8Array(isFirst ? length : memberLength);
    larger.set(block.subarray(0, filled));
    return larger;
  }

  async function writeBlock(): Promise<void> {
    const full = block;
    const bytes = full.subarray(0, filled);
    [block, filled] = [noBytes, 0];
    if (form === 'undecided') {
      const member = await compressStart(bytes);
      form = member ? 'compressed' : 'plain';
      return await append(member ?? bytes);
    }
    const member = compressMember(bytes);
    // Its turn throws a failure; no unhandled rejection until then.
    member.catch(() => undefined);
    compressing.push({ block: full, member });
    if (maxConcurrent <= compressing.length) await writeMember();
  }

  async function writeMember(): Promise<void> {
    const oldest = compressing.shift();
    if (!oldest) return;
    await append(await oldest.member);
    spare.push(oldest.block);
  }

  async function finish(): Promise<boolean> {
    if (0 < filled) await writeBlock();
    while (0 < compressing.length) await writeMember();
    return form === 'compressed';
  }
}

/** Compresses the start of a file; undefined if the file is a zip or compressed, or this saves too little. */
async function compressStart(start: Uint8Array): Promise<Uint8Array | undefined> {
  if (start.length < minLength || isZip(start) || isGzip(start)) return undefined;
  const member = await compressMember(start);
  return member.length <= maxShare * start.length ? member : undefined;
}

/**
 * References to an original, until it is decided if the case refers to it. Equal files are one
 * original: adding one may fail while another is loaded from it.
 */
interface Reference {
  readonly sha256: string;
  /** Number of references. */
  refCount: number;
  /** The original did not exist before the first reference. */
  isNew: boolean;
}

const references = new WeakMap<Case, Map<string, Reference>>();

/** Acquires a reference to an original, existing or not. */
function acquireReference(of: Case, sha256: string): Reference {
  const all = references.get(of) ?? new Map<string, Reference>();
  references.set(of, all);
  const known = all.get(sha256);
  // When all others have released it, one of them may be about to remove it: this reference is separate.
  const reference =
    known && 0 < known.refCount ? known : { sha256, refCount: 0, isNew: known?.isNew ?? false };
  reference.refCount += 1;
  all.set(sha256, reference);
  return reference;
}

/** Reports if an original is held at this moment. */
export function isHeld(of: Case, sha256: string): boolean {
  return references.get(of)?.has(sha256) === true;
}

/**
 * Releases a reference to an original. Returns it if it was the last one and the original is new: the
 * caller then decides if it stays.
 */
function releaseReference(of: Case, sha256: string): Reference | undefined {
  const reference = references.get(of)?.get(sha256);
  if (!reference || 0 < --reference.refCount) return undefined;
  if (reference.isNew) return reference;
  references.get(of)?.delete(sha256);
  return undefined;
}

/** Removes a reference unless it was renewed; returns whether it was removed. */
function forgetReference(of: Case, reference: Reference): boolean {
  const isOver = references.get(of)?.get(reference.sha256) === reference;
  return isOver && references.get(of)?.delete(reference.sha256) === true;
}

/** Returns the copy of an original in a folder, as it came or compressed; undefined if there is none. */
export function findCopy(folder: string, sha256: string): ByteSource | undefined {
  const { plain, compressed } = copyNames(sha256);
  const [path, other] = [join(folder, plain), join(folder, compressed)];
  if (existsSync(path)) return { path };
  return existsSync(other) ? { compressed: other } : undefined;
}
