import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { insertRows, StoreError } from '../../database/index.ts';
import { type LogRecord, parseZone } from '../../records/index.ts';
import type { FileFacts } from '../contents/file-facts.ts';
import { type Case, loadIntoCase, readCase } from '../file/case.ts';
import { type NewAction, recordActions } from '../file/chain.ts';
import { type Overlap, readParts, type StoredPart } from '../file/parts.ts';
import type { ConnectBeside } from '../file/transaction.ts';
import { decompress } from '../originals/decompress.ts';
import {
  type CheckSize,
  type FileEntry,
  isArchiveFormat,
  isBareFile,
  type Limits,
  openEntries,
  sizeCheck,
} from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import {
  type LogFile,
  namedSource,
  openIncomingFile,
  releaseFiles,
  type StoredFile,
  storeFile,
  toFileError,
} from '../originals/evidence.ts';
import { modifiedTime, readSource, sourceLength } from '../originals/source.ts';
import { type RecordBatch, recordBatchBytes } from '../rows/batches.ts';
import { findHandOvers, type HandOverInArchive } from './hand-over-entries.ts';
import { leaveOutOverlaps } from './overlaps.ts';
import { type AddContext, openPartGroup, type PartGroup } from './part-writer.ts';
import {
  type NamedZone,
  type Put,
  type ReadSummary,
  readAhead,
  readFileEntry,
  readOrRefuse,
} from './read-entry.ts';
import { threadsForEntry } from './read-regions.ts';

/** Result of adding one of several files. */
export type Addition =
  | { readonly file: LogFile; readonly added: AddedFile }
  /** The error that `addFile` would have rejected with. */
  | { readonly file: LogFile; readonly error: unknown };

/**
 * Adds a log file to a case: a zip of entries in any supported format, or one bare entry. The
 * original is stored unmodified beside the case: before loading or, if it is large and bare, during
 * it. An unreadable entry does not stop the others: its part states the problem.
 *
 * Rejects with the signal's reason, or a `StoreError`: `FILE_NOT_FOUND`, `FILE_UNREADABLE`,
 * `TRUNCATED_ZIP`, `BAD_ZIP`, `TOO_BIG`, `READ_ONLY`, `STORE_FAILED`. A file of which nothing was
 * loaded leaves nothing behind.
 *
 * ```ts
 * const { parts } = await addFile(incident, 'logs.zip');
 * for (const { message } of lossesOf(parts)) console.warn(message);
 * ```
 */
export async function addFile(into: Case, file: LogFile, options: AddOptions = {}): Promise<AddedFile> {
  for await (const addition of addFiles(into, [file], options)) {
    if ('error' in addition) throw addition.error;
    return addition.added;
  }
  throw new Error('A file was neither added nor refused');
}

/**
 * Adds files to a case in order, as `addFile` adds each. Small files share transactions. Files are
 * stored and read while earlier ones are written.
 *
 * Rejects if the case is not writable: `READ_ONLY`, `STORE_FAILED`.
 *
 * ```ts
 * for await (const addition of addFiles(incident, ['a.zip', 'b.ndjson']))
 *   if ('error' in addition) console.error(addition.file, addition.error);
 * ```
 */
export async function* addFiles(
  into: Case,
  files: readonly LogFile[],
  options: AddOptions = {},
): AsyncGenerator<Addition, void, undefined> {
  if (into.access === 'read') throw new StoreError('READ_ONLY', `"${into.path}" was opened for reading only`);
  const held = new Map<number, StoredFile>();
  const steps = readAhead<Step>(maxWaitingBytes, (put) => readFiles({ into, files, options, held }, put));
  try {
    for await (const first of steps) {
      if (first.kind === 'commit') continue;
      const isAlone = options.noDuplicates;
      const ends =
        first.kind === 'end'
          ? [first]
          : await loadIntoCase(into, (connection, beside) =>
              write(connection, { beside: isAlone ? undefined : beside, first, steps }),
            );
      await release(into, held, ends);
      for (const { number, result } of ends) yield { file: files[number] ?? '', ...result };
    }
  } finally {
    await steps.return();
    await releaseFiles(into, [...held.values()]);
  }
}

/** Releases files whose presence in the case is decided. */
async function release(into: Case, held: Map<number, StoredFile>, ends: readonly FileEnd[]): Promise<void> {
  const decided = ends.flatMap(({ number }) => held.get(number) ?? []);
  for (const { number } of ends) held.delete(number);
  await releaseFiles(into, decided);
}

/** The first step of a transaction, and those that follow. */
interface Steps {
  /** Opens further connections; undefined leaves out the logs that the case has. */
  readonly beside: ConnectBeside | undefined;
  readonly first: Step;
  readonly steps: AsyncIterator<Step, void>;
}

/** Follows steps up to the end of a transaction; returns the files that end in it. */
async function write(
  connection: DuckDBConnection,
  { beside, first, steps }: Steps,
): Promise<readonly FileEnd[]> {
  const likelyBytes = first.kind === 'records' ? first.likelyBytes : undefined;
  await using group = await openPartGroup(connection, { beside, likelyBytes });
  const files: AddedWholeFile[] = [];
  const ends: (() => FileEnd)[] = [];
  const readSteps: Extract<Step, { kind: 'read' }>[] = [];
  for (let step: Step | undefined = first; step && step.kind !== 'commit'; step = await nextOf(steps)) {
    if (step.kind === 'records') await group.add(step.entry, step.batch, step.before);
    else if (step.kind === 'discard') await group.discard();
    else if (step.kind === 'read') {
      addPart(group, step);
      readSteps.push(step);
    } else if (step.kind === 'whole') addWhole(step);
    else {
      const end = step;
      ends.push(() => end);
    }
  }
  await group.finish();
  await insertFiles(connection, files);
  if (!beside) await leaveOutOf(connection, readSteps);
  return ends.map((end) => end());

  function addWhole({ number, opened }: Extract<Step, { kind: 'whole' }>): void {
    ends.push(() => ({ kind: 'end', number, result: { added: toAddedFile(opened) } }));
    if (opened.already) return;
    const file = { context: opened.context, parts: toAddedFile(opened).parts, added: Date.now() };
    files.push(file);
    group.record(addFileAction(file));
  }
}

/** Leaves out the logs of new parts that the case has, and notes that with the parts. */
async function leaveOutOf(
  connection: DuckDBConnection,
  readSteps: readonly Extract<Step, { kind: 'read' }>[],
): Promise<void> {
  const parts = readSteps.flatMap(({ opened, entry }) => opened.parts.get(entry.number) ?? []);
  const overlaps = new Map(
    (await leaveOutOverlaps(connection, parts)).map((overlap) => [overlap.part, overlap]),
  );
  for (const { opened, entry } of readSteps) {
    const part = opened.parts.get(entry.number);
    const overlap = part && overlaps.get(part.part);
    if (overlap) opened.parts.set(entry.number, withoutOverlap(part, overlap));
  }
}

function withoutOverlap(part: StoredPart, overlap: Overlap): StoredPart {
  const { logs } = overlap;
  return { ...part, logs: part.logs - logs, leftOut: (part.leftOut ?? 0) + logs, overlap };
}

async function nextOf(steps: AsyncIterator<Step, void>): Promise<Step | undefined> {
  const { value } = await steps.next();
  return value ?? undefined;
}

/** Ends the part of an entry that was read. An earlier one, which failed, is replaced. */
function addPart(group: PartGroup, { opened, entry, read }: Extract<Step, { kind: 'read' }>): void {
  const replaced = opened.parts.get(entry.number);
  opened.parts.set(entry.number, group.end(opened.context, entry, read));
  if (replaced) group.replace(replaced.part);
}

/** A step of reading files, in order. Those of an entry are its records, and then that it was read. */
type Step =
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
interface FileEnd {
  readonly kind: 'end';
  /** Its number among the files. */
  readonly number: number;
  readonly result: { readonly added: AddedFile } | { readonly error: unknown };
}

/** Files to read for a case. */
interface FilesToRead {
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
const maxWaitingBytes = 4 * 1024 * 1024;

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
async function readFiles(toRead: FilesToRead, put: Put<Step>): Promise<void> {
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
    // A file is not stored if all of it was left out.
    const isLeftOut = opened.parts.size === 0 && 0 < opened.leftOutEntries;
    const isKnown = opened.missing.length === 0 && (opened.already || isLeftOut);
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

/** Ends the pass over a file that must be stored before it is read. */
class StoreFirst extends Error {}

/**
 * Adds a bare file as `addFile` does, and stores it meanwhile: each byte is read once, and copied,
 * hashed and loaded. Only the hash shows what the case has of a file, so a file that it may have is
 * not added here. Returns undefined then, or if the file is no longer bare; the case is unchanged.
 */
export async function addInOnePass(
  into: Case,
  file: LogFile,
  options: AddOptions,
): Promise<AddedFile | undefined> {
  await using singlePass = await openSinglePassFile(into, file);
  const checkSize = sizeCheck(singlePass.name, singlePass.bytes, options.limits);
  checkSize(singlePass.bytes);
  const counting = { options, checkSize, totalBytes: singlePass.bytes };
  const reading = countedContext(into, singlePass, counting);
  let stored: StoredFile | undefined;
  const store = async (sha256: string) => {
    stored = await singlePass.store(sha256);
    return stored;
  };
  try {
    return await loadIntoCase(into, (connection, beside) =>
      load(
        connection,
        { ...reading, beside: options.noDuplicates ? undefined : beside },
        { ...singlePass, store },
      ),
    );
  } catch (error) {
    if (error instanceof StoreFirst || error instanceof EntryProblem) return undefined;
    throw error;
  } finally {
    if (stored) await releaseFiles(into, [stored]);
  }
}

/** Loads a file as one part within a transaction. The file is stored before the transaction ends. */
async function load(
  connection: DuckDBConnection,
  { beside, ...reading }: Omit<AddContext, 'file'> & Pick<Steps, 'beside'>,
  { store, ...file }: Omit<SinglePassFile, symbol>,
): Promise<AddedFile> {
  if (await hasFileOfLength(connection, file.bytes)) throw new StoreFirst();
  const entry = { number: 0, ...file };
  await using group = await openPartGroup(connection, { beside, likelyBytes: file.bytes });
  const read = await readFileEntry(reading, entry, (batch, before) => group.add(entry, batch, before));
  const { entrySha256: sha256 } = read;
  // The file may have changed meanwhile to one that the case has, or to a zip.
  if (!sha256 || isArchiveFormat(read.format) || (await isKnown(connection, sha256))) throw new StoreFirst();
  const context = { ...reading, file: await store(sha256) };
  const part = group.end(context, entry, read);
  await group.finish();
  await recordFile(connection, { context, parts: [part], added: Date.now() });
  const { name, bytes } = context.file;
  const [overlap] = beside ? [] : await leaveOutOverlaps(connection, [part]);
  const parts = [overlap ? withoutOverlap(part, overlap) : part];
  return { name, sha256, bytes, already: false, parts };
}

/** Reports if a case has a file of a length, whole or in part. Files of other lengths differ. */
async function hasFileOfLength(connection: DuckDBConnection, bytes: number): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `SELECT 1 FROM stored.files WHERE bytes = $1::BIGINT
     UNION ALL SELECT 1 FROM stored.parts WHERE bytes = $1::BIGINT LIMIT 1`,
    [bytes],
  );
  return 0 < result.getRowsJS().length;
}

async function isKnown(connection: DuckDBConnection, sha256: string): Promise<boolean> {
  const { parts, already } = await findLoaded(connection, { sha256 });
  return already || 0 < parts.length;
}

/** A file that is read once, and stored meanwhile. Disposal removes it unless it was stored. */
interface SinglePassFile extends AsyncDisposable {
  /** File name without folders. */
  readonly name: string;
  /** Number of bytes when it was opened. */
  readonly bytes: number;
  readonly modified: number | undefined;
  /** Yields its bytes, once. Earlier chunks are written when the next one is yielded. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Stores the bytes read, up to the end, under their hash, as `IncomingFile` does. */
  readonly store: (sha256: string) => Promise<StoredFile>;
}

/** Opens a file to be stored with a case, as `storeFile` does: the bytes read are the bytes stored. */
async function openSinglePassFile(into: Case, file: LogFile): Promise<SinglePassFile> {
  const { name, source } = namedSource(file);
  const length = await sourceLength(source).catch(fail);
  const modified = await modifiedTime(source);
  const incoming = await openIncomingFile(into, { name, source });
  let bytes = 0;
  let isWhole = false;
  return {
    name,
    bytes: length,
    modified,
    read,
    store,
    [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
  };

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of readSource(source)) {
        const writing = incoming.write(chunk);
        // The next request for a chunk throws a failure; no unhandled rejection until then.
        writing.catch(() => undefined);
        bytes += chunk.length;
        yield chunk;
        await writing;
      }
      isWhole = true;
    } catch (error) {
      fail(error);
    }
  }

  async function store(sha256: string): Promise<StoredFile> {
    if (!isWhole) throw new Error(`"${name}" must be read to its end before it is stored`);
    return { name, sha256, bytes, modified, source: await incoming.store(sha256) };
  }

  function fail(error: unknown): never {
    throw toFileError(error, name);
  }
}

/**
 * Maximum inflated bytes of files that share a transaction, as the files claim them: nearly half a
 * million typical logs. A killed process loses two seconds of work. A larger file has its own
 * transactions.
 */
const maxSharedBytes = 192 * 1024 * 1024;

/**
 * Bytes up to which a file that shares no transaction is copied before it is loaded: a thread that reads it
 * pays from here on. Loading a larger one while it is copied saves inflating the copy.
 */
const maxCopiedFirst = 16 * 1024 * 1024;

/**
 * Returns the length of a file that is neither a zip nor compressed, and longer than a limit; undefined for
 * others and unreadable files.
 */
export async function largeBareLength(
  file: LogFile,
  limit: number = maxSharedBytes,
): Promise<number | undefined> {
  const { source } = namedSource(file);
  try {
    const length = await sourceLength(source);
    return limit < length && (await isBareFile(source)) ? length : undefined;
  } catch {
    // The subsequent reader reports the reason.
    return undefined;
  }
}

/** Result of adding a file. */
export interface AddedFile {
  /** File name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The case already had this very file: nothing was loaded. */
  readonly already: boolean;
  /** One for each entry of a zip, in order; one for a bare file. */
  readonly parts: readonly StoredPart[];
  /** Entries of an archive that `isWantedEntry` left out. */
  readonly leftOutEntries?: number;
  /** Hand-over folders in an archive, each of which is read once. */
  readonly handOvers?: readonly HandOverInArchive[];
}

/** Options of adding a file. */
export interface AddOptions {
  /** Id of the export job that produced the file. */
  readonly job?: string;
  readonly onProgress?: (progress: AddProgress) => void;
  /**
   * Aborts the work: finished parts stay, an unfinished one leaves nothing. Adding the file again
   * resumes.
   */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /**
   * Zone of times that name none, such as "+02:00" or "Europe/Berlin". Default: UTC. An unknown
   * zone is a RangeError.
   */
  readonly zone?: string;
  /** Reports if an entry of an archive is read, by its path: `inner.zip/logs/a.log`. Default: all. */
  readonly isWantedEntry?: ((path: string) => boolean) | undefined;
  /**
   * Leaves out logs that the case has from an earlier file, entry or reply: as many copies of each as it has. The
   * originals keep them, and an action says how many were left out and which parts have them.
   */
  readonly noDuplicates?: boolean | undefined;
  /** Refuses an entry with implausible times: its part states the problem, and has no logs. */
  readonly strict?: boolean | undefined;
  /**
   * Number of threads that read NDJSON besides this one; 0 for none. By default large files have
   * one, and small ones none: starting a thread takes time.
   */
  readonly threads?: number;
}

/** Progress of adding a file. */
export interface AddProgress {
  readonly file: string;
  /** Name of the current entry. */
  readonly entry: string;
  /** Inflated bytes read so far, of all entries. */
  readonly bytes: number;
  /** Total of all entries, if the file states it. */
  readonly totalBytes?: number;
  readonly logs: number;
  readonly unreadable: number;
}

/** An open stored file, and what the case has of it. */
interface OpenStoredFile extends Disposable {
  readonly context: AddContext;
  /** Its entries, in order. */
  readonly entries: readonly FileEntry[];
  /** Its parts by entry number: those in the case, and those that were written since. */
  readonly parts: Map<number, StoredPart>;
  /** Entries that the case lacks, or has as a failure. */
  readonly missing: readonly FileEntry[];
  /** Entries that are not wanted. */
  readonly leftOutEntries: number;
  readonly handOvers: readonly HandOverInArchive[];
  /** The whole file was added before. */
  readonly already: boolean;
}

/** Opens a stored file, and checks its claimed sizes before any log is loaded. Rejects as `addFile` does. */
async function openStoredFile(into: Case, file: StoredFile, options: AddOptions): Promise<OpenStoredFile> {
  const { parts: present, already } = await readCase(into, (connection) => findLoaded(connection, file));
  const parts = new Map(present.map((part) => [part.entryNumber, part]));
  const { entries, close } = await openEntries(file.name, file.source, options.limits);
  try {
    const checkSize = sizeCheck(file.name, file.bytes, options.limits);
    const totalBytes = await checkedTotal(entries, checkSize, options.signal);
    for (const entry of entries) await checkClaimedSize(entry, checkSize, options.signal);
    const context = { ...countedContext(into, file, { options, checkSize, totalBytes }), file };
    const isThere = (part: StoredPart | undefined) => part !== undefined && !part.problem;
    const { isWantedEntry = () => true } = options;
    const isRead = ({ name, isInArchive, isOpened }: FileEntry) =>
      !isInArchive || isOpened !== undefined || isWantedEntry(name.replaceAll('!/', '/'));
    const chosenEntries = entries.filter(isRead);
    // A download of an export is loaded as it is.
    const handOvers = options.job === undefined ? await findHandOvers(chosenEntries) : [];
    const repeated = new Set(handOvers.flatMap(({ leftOut }) => leftOut));
    const missing = chosenEntries.filter(
      ({ number }) => !isThere(parts.get(number)) && !repeated.has(number),
    );
    const leftOutEntries = entries.filter(
      (entry) => !isThere(parts.get(entry.number)) && !isRead(entry),
    ).length;
    return { context, entries, parts, missing, leftOutEntries, handOvers, already, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the inflated bytes that entries claim, which may be wrong. */
function claimedBytes(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { bytes, claim }) => sum + (bytes ?? claim ?? 0), 0);
}

/** Describes a file whose parts are all in the case. */
function toAddedFile({
  context: { file },
  entries,
  parts,
  already,
  leftOutEntries,
  handOvers,
}: OpenStoredFile): AddedFile {
  const all = entries.flatMap(({ number }) => parts.get(number) ?? []);
  const added = { name: file.name, sha256: file.sha256, bytes: file.bytes, already, parts: all };
  return {
    ...added,
    ...(0 < leftOutEntries && { leftOutEntries }),
    ...(0 < handOvers.length && { handOvers }),
  };
}

/** A file that was added whole, with all its parts. */
interface AddedWholeFile {
  readonly context: AddContext;
  readonly parts: readonly StoredPart[];
  /** Time of context: milliseconds since the epoch. */
  readonly added: number;
}

/** Records that a file was added, in the transaction that adds the last of its parts. */
async function recordFile(connection: DuckDBConnection, file: AddedWholeFile): Promise<void> {
  await insertFiles(connection, [file]);
  await recordActions(connection, [addFileAction(file)]);
}

/** Creates the action that records a file. */
function addFileAction(whole: AddedWholeFile): NewAction {
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
  file: Pick<StoredFile, 'name' | 'bytes' | 'modified'>,
  { options, checkSize, totalBytes }: Counting,
): Omit<AddContext, 'file'> {
  const { job, signal, onProgress, threads, zone, strict } = options;
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
    isStrict: strict,
    modified: file.modified,
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
async function findLoaded(
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
      for await (const chunk of decompress(entry.read())) {
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

const row = v.tuple([v.nullable(v.number()), v.nullable(v.string()), v.nullable(v.string()), v.number()]);

/**
 * Creates a filter for upgrade messages, called in order: true for each that the case does not
 * have. A deployment returns all messages of an upgrade on each request. So repeated reads return the same
 * messages, and a message that occurs twice was sent twice.
 */
async function newUpgradeMessageFilter(into: Case): Promise<(record: LogRecord) => boolean> {
  const remaining = await messagesIn(into);
  return ({ log: { time, logCode, msg } }) => {
    const key = JSON.stringify([time ?? null, logCode === undefined ? null : String(logCode), msg ?? null]);
    const count = remaining.get(key) ?? 0;
    remaining.set(key, count - 1);
    return count <= 0;
  };
}

/** Counts each message of the case. */
function messagesIn(of: Case): Promise<Map<string, number>> {
  return readCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT epoch_ms("time")::DOUBLE, "logCode"::VARCHAR, msg, count(*)::DOUBLE FROM stored.logs
       WHERE part IN (SELECT part FROM stored.parts WHERE format = 'upgrade') GROUP BY ALL`,
    );
    const rows = v.parse(v.array(row), result.getRowsJS());
    return new Map(rows.map(([time, code, msg, count]) => [JSON.stringify([time, code, msg]), count]));
  });
}
