import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { messageOf, StoreError } from '../../database/index.ts';
import { type Case, readCase } from '../file/case.ts';
import { evidenceFolder, removeCopy, removeEmptyFolder } from '../file/evidence-folder.ts';
import { unmarkPending } from '../file/pending-originals.ts';
import { findCopy } from './find-copy.ts';
import { beginHold, endHold, forgetHold } from './holds.ts';
import { type IncomingFile, openEvidenceCopy, type StoredOriginal } from './incoming-file.ts';
import { type ByteSource, readReusingBuffers } from './source.ts';

/** A file to add: its path, or its name and bytes. */
export type LogFile = string | { readonly name: string; readonly bytes: Uint8Array };

/** A file whose bytes are stored with the case, at least until it is released. */
export interface StoredFile {
  /** File name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
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
  await using incoming = await openIncomingFile(into, { name, source });
  const hashed = await hashWhile(source, async (chunk) => {
    signal?.throwIfAborted();
    await incoming.write(chunk);
  }).catch((error: unknown) => {
    throw toFileError(error, name);
  });
  return { name, ...hashed, source: await incoming.store(hashed.sha256) };
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
    store: (sha256) => withFileError(storeAndHold(into, file, sha256)),
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** Stores a file and holds it. */
async function storeAndHold(into: Case, file: IncomingFile, sha256: string): Promise<ByteSource> {
  // Before the existence check: a held original is not removed.
  const hold = beginHold(into, sha256);
  try {
    const { isNew, source } = await file.store(sha256);
    hold.isNew ||= isNew;
    return source;
  } catch (error) {
    await releaseFiles(into, [hold]);
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
 * Releases stored files. The last holder to release an original removes it, unless it existed
 * before the first hold or the case refers to it.
 */
export async function releaseFiles(of: Case, files: readonly Pick<StoredFile, 'sha256'>[]): Promise<void> {
  const last = files.flatMap(({ sha256 }) => endHold(of, sha256) ?? []);
  if (last.length === 0) return;
  const listed = await findListed(of, last);
  if (!listed) return;
  // Atomic without an await: for the next holder an original is there, or it is not.
  for (const hold of last) if (forgetHold(of, hold)) removeUnlisted(of, hold.sha256, listed.has(hold.sha256));
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
