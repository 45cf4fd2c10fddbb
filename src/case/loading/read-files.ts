import type { LogRecord } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { type LogFile, type StoredFile, storeFile } from '../originals/evidence.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { type RecordBatch, recordBatchBytes } from '../rows/record-batch.ts';
import { addInOnePass } from './add-in-one-pass.ts';
import type { AddedFile, AddOptions } from './add-options.ts';
import { largeBareLength, maxCopiedFirst, maxSharedBytes } from './large-file.ts';
import { newUpgradeMessageFilter } from './new-upgrade-messages.ts';
import { claimedBytes, type OpenStoredFile, openStoredFile, toAddedFile } from './open-stored-file.ts';
import { type Put, readAhead } from './read-ahead.ts';
import { type ReadSummary, readOrRefuse } from './read-entry.ts';

/** A step of reading files, in order. Those of an entry are its records, and then that it was read. */
export type Step =
  | {
      readonly kind: 'records';
      readonly entry: FileEntry;
      readonly batch: RecordBatch;
      /** Number of records of the entry preceding the batch. */
      readonly before: number;
      /** Expected bytes of the transaction that begins with the batch. */
      readonly likelyBytes: number;
    }
  /** The records of the entry so far do not count. */
  | { readonly kind: 'discard' }
  | {
      readonly kind: 'read';
      readonly opened: OpenStoredFile;
      readonly entry: FileEntry;
      readonly read: ReadSummary;
    }
  /** All missing entries of a file were read. */
  | { readonly kind: 'whole'; readonly number: number; readonly opened: OpenStoredFile }
  | FileEnd
  /** The transaction ends here. */
  | { readonly kind: 'commit' };

/** A file that failed, or that is in the case already. */
export interface FileEnd {
  readonly kind: 'end';
  /** Its number among the files. */
  readonly number: number;
  readonly result: { readonly added: AddedFile } | { readonly error: unknown };
}

/** Files to read for a case. */
export interface FilesToRead {
  readonly into: Case;
  readonly files: readonly LogFile[];
  readonly options: AddOptions;
  /** Receives the stored files by their numbers. */
  readonly held: Map<number, StoredFile>;
}

/**
 * Bytes of records that wait to be written: a region or two of a large file, or a hundred small
 * files. Six times as much makes nothing faster. A step of this weight holds the reading until
 * everything up to it is in the case.
 */
export const maxWaitingBytes = 4 * 1024 * 1024;

/** Files that are stored before they are read: storing waits for the disk. */
const maxWaitingFiles = 8;

/** Most files of a transaction. Storing one takes as long as loading a thousand of its logs. */
const mostFiles = 200;

/** Most entries of a transaction: as much work as `maxSharedBytes` if they are tiny. */
const mostEntries = 2_000;

/** Logs that end a transaction. With short logs, they are as much work as `maxSharedBytes`. */
const mostLogs = 500_000;

/** Memory of a batch besides its bytes. */
const batchOverhead = 4 * 1024;

/**
 * Stores files with a case and reads them in order, one after the other, and puts the steps for the
 * writer, who must follow them in order. A file that fails does not stop the others.
 */
export async function readFiles(toRead: FilesToRead, put: Put<Step>): Promise<void> {
  const { into, files, options, held } = toRead;
  const seen = new Set<string>();
  /** Contents of the current transaction. */
  let load = { files: 0, entries: 0, bytes: 0, logs: 0 };
  let likelyBytes = 0;
  for await (const { number, file, error } of readAhead<ArrivedFile>(maxWaitingFiles, (putFile) =>
    storeFiles(toRead, putFile),
  ))
    await (error ? Promise.reject(error.cause) : readFile(file, number)).catch((cause: unknown) =>
      put({ kind: 'end', number, result: { error: cause } }, 0),
    );

  async function readFile(file: LogFile, number: number): Promise<void> {
    let stored = held.get(number);
    if (!stored) {
      // It has a transaction of its own, and may equal an earlier file.
      await commitAll();
      const added = await addInOnePass(into, file, options);
      if (added) return await put({ kind: 'end', number, result: { added } }, 0);
      stored = await storeFile(into, file, options.signal);
      held.set(number, stored);
    }
    // The case shows what it has of a file once the equal one is committed.
    if (seen.has(stored.sha256)) await commitAll();
    seen.add(stored.sha256);
    using opened = await openStoredFile(into, stored, options);
    if (load.files === mostFiles) await commit(0);
    load.files += 1;
    for (const index of opened.missing.keys()) await readEntry(opened, index, files.length - number);
    const isKnown = opened.already && opened.missing.length === 0;
    const result = { added: toAddedFile(opened) };
    await put(isKnown ? { kind: 'end', number, result } : { kind: 'whole', number, opened }, 0);
  }

  async function readEntry(opened: OpenStoredFile, index: number, filesLeft: number): Promise<void> {
    const entry = opened.missing[index];
    if (!entry) return;
    const bytes = claimedBytes([entry]);
    if (isFull(bytes)) await commit(0);
    if (load.entries === 0) likelyBytes = likelyBytesOf(opened.missing, index, filesLeft);
    const read = await readOrRefuse({ ...opened.context, upgradeFilter }, entry, {
      take: (batch, before) =>
        put({ kind: 'records', entry, batch, before, likelyBytes }, recordBatchBytes(batch) + batchOverhead),
      discard: () => put({ kind: 'discard' }, 0),
    });
    load.entries += 1;
    load.bytes += bytes;
    load.logs += read.logs;
    await put({ kind: 'read', opened, entry, read }, batchOverhead);
  }

  /** The messages that are new depend on the files and entries before. */
  async function upgradeFilter(): Promise<(record: LogRecord) => boolean> {
    await commitAll();
    return await newUpgradeMessageFilter(into);
  }

  function isFull(more: number): boolean {
    const { entries, bytes, logs } = load;
    const isTooMuch = 0 < entries && maxSharedBytes < more;
    return isTooMuch || entries === mostEntries || maxSharedBytes <= bytes || mostLogs <= logs;
  }

  /** Ends the transaction. */
  async function commit(weight: number): Promise<void> {
    load = { files: 0, entries: 0, bytes: 0, logs: 0 };
    await put({ kind: 'commit' }, weight);
  }

  /** Resolves when everything that was read is in the case. */
  function commitAll(): Promise<void> {
    return commit(maxWaitingBytes);
  }
}

/** Returns the bytes that a transaction is likely to have from an entry on, as if the files behind were like its own. */
function likelyBytesOf(missing: readonly FileEntry[], index: number, filesLeft: number): number {
  const own = claimedBytes(missing.slice(index, index + mostEntries));
  const others = Math.min(mostFiles, filesLeft - 1) * claimedBytes(missing);
  return Math.max(claimedBytes(missing.slice(index, index + 1)), Math.min(maxSharedBytes, own + others));
}

/** A file that is stored, that will be stored while it is read, or that cannot be stored. */
interface ArrivedFile {
  readonly number: number;
  readonly file: LogFile;
  readonly error?: { readonly cause: unknown };
}

/** Stores files with a case, but those that are read in one pass. */
async function storeFiles({ into, files, options, held }: FilesToRead, put: Put<ArrivedFile>): Promise<void> {
  const limit = files.length === 1 ? maxCopiedFirst : maxSharedBytes;
  for (const [number, file] of files.entries()) {
    let error: ArrivedFile['error'];
    try {
      options.signal?.throwIfAborted();
      const isReadInOnePass = (await largeBareLength(file, limit)) !== undefined;
      if (!isReadInOnePass) held.set(number, await storeFile(into, file, options.signal));
    } catch (cause) {
      error = { cause };
    }
    await put({ number, file, ...(error && { error }) }, 1);
  }
}
