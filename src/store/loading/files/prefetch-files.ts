import { type Case, readCase } from '../../case/case.ts';
import { type LogFile, releaseFiles, type StoredFile, storeFile } from '../../originals/evidence.ts';
import { mapConcurrently } from '../entries/map-concurrently.ts';
import { hasFileOfLength } from './add-in-one-pass.ts';
import type { AddOptions } from './add-options.ts';
import { byteSemaphore } from './byte-semaphore.ts';
import { largeBareLength, maxSharedBytes, maxSharedEntries } from './large-file.ts';
import { type OpenStoredFile, openStoredFile } from './open-stored-file.ts';
import { type PrefetchedEntries, prefetchEntries } from './prefetch-entries.ts';

/** A file ready to be written. */
export type PreparedFile =
  | SmallFile
  | LargeFile
  /** A file that is stored while it is loaded, or equals an earlier one, whose result must be known first. */
  | { readonly file: LogFile }
  | { readonly file: LogFile; readonly error: unknown };

/** A file that may share a transaction with others: its entries are being read. */
export interface SmallFile {
  readonly size: 'small';
  readonly file: LogFile;
  readonly stored: StoredFile;
  readonly opened: OpenStoredFile;
  readonly prefetched: PrefetchedEntries;
  /** Starts to report progress: the file is being written. */
  readonly startProgress: () => void;
}

/** A file with its own transactions, which is read when it is written. */
export interface LargeFile {
  readonly size: 'large';
  readonly file: LogFile;
  readonly stored: StoredFile;
}

/**
 * Files that are stored, and read unless they are large, before they are written. Files that are
 * not released are released at disposal.
 */
export interface PrefetchedFiles extends AsyncDisposable {
  /** Returns the next file; undefined after the last. */
  readonly next: () => Promise<PreparedFile | undefined>;
  /** Releases files whose presence in the case is decided. */
  readonly release: (files: readonly StoredFile[]) => Promise<void>;
}

/** Number of files stored and read concurrently. A large file counts until it is released. */
const maxConcurrent = 4;

/** Maximum open files, including those whose records wait to be written. */
const maxOpen = 24;

/** Maximum bytes of waiting records: more than arrives while the database compresses its rows. */
const maxWaitingBytes = 24 * 1024 * 1024;

/** Starts to store and read files for a case. */
export function prefetchFiles(into: Case, files: readonly LogFile[], options: AddOptions): PrefetchedFiles {
  const seen = new Set<string>();
  /** Lengths of large bare files. */
  const lengths = new Set<number>();
  const preparing = new Set<Promise<PreparedFile>>();
  const unreleased = new Map<StoredFile, PendingRelease>();
  const unfinished = new Set<PrefetchedEntries>();
  const semaphore = byteSemaphore(maxWaitingBytes);
  /** Promises that the latest files are read, oldest first. */
  const readEnds: Promise<unknown>[] = [];
  let isDisposed = false;
  /** Files are stored one after the other, so that the first of several equal files is known as the first. */
  let lastStored: Promise<unknown> = Promise.resolve();
  const results = mapConcurrently(files, start, maxOpen);
  return { next, release, [Symbol.asyncDispose]: dispose };

  async function next(): Promise<PreparedFile | undefined> {
    const { value } = await results.next();
    return value ?? undefined;
  }

  async function release(files: readonly StoredFile[]): Promise<void> {
    for (const file of files) {
      unreleased.get(file)?.resolve();
      unreleased.delete(file);
    }
    await releaseFiles(into, files);
  }

  async function dispose(): Promise<void> {
    isDisposed = true;
    for (const prefetched of unfinished) prefetched.stop();
    for (const { resolve } of unreleased.values()) resolve();
    await Promise.all(preparing);
    await Promise.all(Array.from(unfinished, ({ read }) => read));
    await releaseFiles(into, [...unreleased.keys()]);
  }

  async function start(file: LogFile): Promise<PreparedFile> {
    const before = readEnds.length < maxConcurrent ? undefined : readEnds.shift();
    const result = prepare(file, before).catch((error: unknown) => ({ file, error }));
    readEnds.push(result.then(endOf));
    preparing.add(result);
    return await result.finally(() => preparing.delete(result));
  }

  async function endOf(result: PreparedFile): Promise<void> {
    if (!('size' in result)) return;
    await (result.size === 'small' ? result.prefetched.read : unreleased.get(result.stored)?.released);
  }

  async function prepare(file: LogFile, before: Promise<unknown> | undefined): Promise<PreparedFile> {
    await before;
    const storing = lastStored.then(async () => {
      checkContinues();
      return (await isStoredLater(file)) ? undefined : await storeFile(into, file, options.signal);
    });
    lastStored = storing.catch(() => undefined);
    const stored = await storing;
    if (!stored) return { file };
    unreleased.set(stored, pendingRelease());
    const isFirst = !seen.has(stored.sha256);
    seen.add(stored.sha256);
    const result = isFirst
      ? await prepareStored(file, stored).catch((error: unknown) => ({ file, error }))
      : { file };
    // The stored copy is not used again if the file is refused, or is stored again later.
    if (!('stored' in result)) await release([stored]);
    return result;
  }

  /**
   * Reports if a file is stored while it is loaded. A file as long as an earlier one may equal it,
   * so its hash is required first.
   */
  async function isStoredLater(file: LogFile): Promise<boolean> {
    const length = await largeBareLength(file);
    if (length === undefined || lengths.has(length)) return false;
    lengths.add(length);
    return !(await readCase(into, (connection) => hasFileOfLength(connection, length)));
  }

  /** Opens a file, and starts to read it unless it is large. */
  async function prepareStored(file: LogFile, stored: StoredFile): Promise<PreparedFile> {
    let isStarted = false;
    const { onProgress, ...others } = options;
    const delayed: AddOptions = { ...others, onProgress: (progress) => isStarted && onProgress?.(progress) };
    const opened = await openStoredFile(into, stored, delayed);
    const isLarge = maxSharedBytes < opened.claimedBytes || maxSharedEntries < opened.entries.length;
    if (isLarge || isDisposed) {
      opened[Symbol.dispose]();
      checkContinues();
      return { size: 'large', file, stored };
    }
    const prefetched = prefetchEntries(opened.context, opened.missing, semaphore);
    unfinished.add(prefetched);
    void prefetched.read.then(() => {
      unfinished.delete(prefetched);
      opened[Symbol.dispose]();
    });
    const startProgress = () => {
      isStarted = true;
    };
    return { size: 'small', file, stored, opened, prefetched, startProgress };
  }

  function checkContinues(): void {
    options.signal?.throwIfAborted();
    if (isDisposed) throw new Error('No more files are requested');
  }
}

/** A file whose presence in the case is undecided. */
interface PendingRelease {
  readonly resolve: () => void;
  readonly released: Promise<void>;
}

function pendingRelease(): PendingRelease {
  let resolve = () => {};
  const released = new Promise<void>((resolveReleased) => {
    resolve = resolveReleased;
  });
  return { resolve, released };
}
