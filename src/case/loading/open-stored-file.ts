import type { DuckDBConnection } from '@duckdb/node-api';
import { insertRows } from '../../database/index.ts';
import { parseZone } from '../../records/index.ts';
import { type NewAction, recordActions } from '../chain/actions.ts';
import type { FileFacts } from '../contents/file-facts.ts';
import { type Case, readCase } from '../file/case.ts';
import { readParts, type StoredPart } from '../file/parts.ts';
import { openEntries } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import type { StoredFile } from '../originals/evidence.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { gunzip } from '../originals/gunzip.ts';
import { type CheckSize, sizeCheck } from '../originals/limits.ts';
import type { AddedFile, AddOptions, AddProgress } from './add-options.ts';
import { newUpgradeMessageFilter } from './new-upgrade-messages.ts';
import type { AddContext } from './part-group.ts';
import type { NamedZone } from './read-entry.ts';
import { threadsForEntry } from './region-threads.ts';

/** An open stored file, and what the case has of it. */
export interface OpenStoredFile extends Disposable {
  readonly context: AddContext;
  /** Its entries, in order. */
  readonly entries: readonly FileEntry[];
  /** Its parts by entry number: those in the case, and those that were written since. */
  readonly parts: Map<number, StoredPart>;
  /** Entries that the case lacks, or has as a failure. */
  readonly missing: readonly FileEntry[];
  /** The whole file was added before. */
  readonly already: boolean;
}

/** Opens a stored file, and checks its claimed sizes before any log is loaded. Rejects as `addFile` does. */
export async function openStoredFile(
  into: Case,
  file: StoredFile,
  options: AddOptions,
): Promise<OpenStoredFile> {
  const { parts: present, already } = await readCase(into, (connection) => findLoaded(connection, file));
  const parts = new Map(present.map((part) => [part.entryNumber, part]));
  const { entries, close } = await openEntries(file.name, file.source, options.limits);
  try {
    const checkSize = sizeCheck(file.name, file.bytes, options.limits);
    const totalBytes = await checkedTotal(entries, checkSize, options.signal);
    for (const entry of entries) await checkClaimedSize(entry, checkSize, options.signal);
    const context = { ...countedContext(into, file, { options, checkSize, totalBytes }), file };
    const isThere = (part: StoredPart | undefined) => part !== undefined && !part.problem;
    const missing = entries.filter(({ number }) => !isThere(parts.get(number)));
    return { context, entries, parts, missing, already, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the inflated bytes that entries claim, which may be wrong. */
export function claimedBytes(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { bytes, claim }) => sum + (bytes ?? claim ?? 0), 0);
}

/** Describes a file whose parts are all in the case. */
export function toAddedFile({ context: { file }, entries, parts, already }: OpenStoredFile): AddedFile {
  const all = entries.flatMap(({ number }) => parts.get(number) ?? []);
  return { name: file.name, sha256: file.sha256, bytes: file.bytes, already, parts: all };
}

/** A file that was added whole, with all its parts. */
export interface AddedWholeFile {
  readonly context: AddContext;
  readonly parts: readonly StoredPart[];
  /** Time of context: milliseconds since the epoch. */
  readonly added: number;
}

/** Records that a file was added, in the transaction that adds the last of its parts. */
export async function recordFile(connection: DuckDBConnection, file: AddedWholeFile): Promise<void> {
  await insertFiles(connection, [file]);
  await recordActions(connection, [addFileAction(file)]);
}

/** Creates the action that records a file. */
export function addFileAction(whole: AddedWholeFile): NewAction {
  const { parts } = whole;
  const logs = parts.reduce((sum, part) => sum + part.logs, 0);
  return { action: 'add file', details: { ...fileFacts(whole), parts: parts.length, logs } };
}

/** Returns the facts of a file row, for the record of actions. */
export function fileFacts({ context: { file, job }, added }: AddedWholeFile): FileFacts {
  return { file: file.name, sha256: file.sha256, bytes: file.bytes, job, added };
}

const table = {
  table: 'stored.files',
  columns: ['?::VARCHAR', '?::VARCHAR', '?::BIGINT', '?::VARCHAR', 'epoch_ms(?::BIGINT)'],
};

/** Inserts the rows of files. */
export function insertFiles(connection: DuckDBConnection, files: readonly AddedWholeFile[]): Promise<void> {
  return insertRows(
    connection,
    table,
    files.map(({ context: { file, job }, added }) => [
      file.sha256,
      file.name,
      file.bytes,
      job ?? null,
      added,
    ]),
  );
}

/**
 * Returns the total that the entries of a file claim; undefined if it is unknown, or exceeds the
 * limits and is not true.
 */
async function checkedTotal(
  entries: readonly FileEntry[],
  checkSize: CheckSize,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const claimed = sumOf(entries);
  if (claimed === undefined || !exceedsLimits(claimed, checkSize)) return claimed;
  await checkInflatedSize(entries, checkSize, signal);
  return undefined;
}

function sumOf(entries: readonly FileEntry[]): number | undefined {
  const sizes = entries.map(({ bytes }) => bytes);
  return sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}

/** Limits and progress of reading a file. */
interface Counting {
  readonly options: AddOptions;
  readonly checkSize: CheckSize;
  readonly totalBytes: number | undefined;
}

/** Creates the context of reading a file, with progress and size checks. */
export function countedContext(
  into: Case,
  file: Pick<StoredFile, 'name' | 'bytes'>,
  { options, checkSize, totalBytes }: Counting,
): Omit<AddContext, 'file'> {
  const { job, signal, onProgress, threads, zone } = options;
  let [bytes, logs, unreadable] = [0, 0, 0];
  const progress = (entry: FileEntry): AddProgress => {
    const total = totalBytes !== undefined && { totalBytes };
    return { file: file.name, entry: entry.name, bytes, ...total, logs, unreadable };
  };
  return {
    upgradeFilter: () => newUpgradeMessageFilter(into),
    ...(job !== undefined && { job }),
    ...(zone !== undefined && { zone: namedZone(zone) }),
    isExport: job !== undefined,
    onBytes: (more) => {
      signal?.throwIfAborted();
      bytes += more;
      checkSize(bytes);
    },
    threadsFor: (entry) => threadsForEntry({ text: entry.bytes, file: file.bytes }, threads),
    onRecords: (entry, records) => {
      signal?.throwIfAborted();
      logs += records.logs;
      unreadable += records.unreadable;
      onProgress?.(progress(entry));
      // The progress callback may abort.
      signal?.throwIfAborted();
    },
  };
}

function namedZone(name: string): NamedZone {
  const zone = parseZone(name);
  if (!zone) throw new RangeError(`There is no time zone "${name}"`);
  return { name, zone };
}

/** Returns what a case has of a file: some of its parts, and if it was added whole before. */
export async function findLoaded(
  connection: DuckDBConnection,
  { sha256 }: Pick<StoredFile, 'sha256'>,
): Promise<{ readonly parts: readonly StoredPart[]; readonly already: boolean }> {
  const result = await connection.runAndReadAll('SELECT 1 FROM stored.files WHERE sha256 = $1', [sha256]);
  return { parts: await readParts(connection, sha256), already: 0 < result.getRowsJS().length };
}

/**
 * Inflates an entry that claims too large a size, without loading it: the claim may be wrong.
 * Rejects with the error of `checkSize`, or the signal's reason.
 */
async function checkClaimedSize(entry: FileEntry, checkSize: CheckSize, signal?: AbortSignal): Promise<void> {
  if (entry.claim === undefined || !exceedsLimits(entry.claim, checkSize)) return;
  await checkInflatedSize([entry], checkSize, signal);
}

/**
 * Inflates entries that claim too large a total, without loading them: a wrong claim concerns its
 * entry alone. Rejects with the error of `checkSize`, or the signal's reason.
 */
async function checkInflatedSize(
  entries: readonly FileEntry[],
  checkSize: CheckSize,
  signal?: AbortSignal,
): Promise<void> {
  let bytes = 0;
  for (const entry of entries) {
    try {
      for await (const chunk of gunzip(entry.read())) {
        signal?.throwIfAborted();
        bytes += chunk.length;
        checkSize(bytes);
      }
    } catch (error) {
      // A damaged entry is loaded up to the damage, and its part states the problem.
      if (!(error instanceof EntryProblem)) throw error;
    }
  }
}

/** Reports if a number of bytes exceeds the limits. */
function exceedsLimits(bytes: number, checkSize: CheckSize): boolean {
  try {
    checkSize(bytes);
    return false;
  } catch {
    return true;
  }
}
