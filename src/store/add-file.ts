import type { DuckDBConnection } from '@duckdb/node-api';
import { parseZone } from '../records/zone.ts';
import { noteAction } from './actions.ts';
import { type Adding, addEntry } from './add-entry.ts';
import { type Case, reading, writing } from './case.ts';
import { checkClaim } from './check-claim.ts';
import { openEntries } from './entries.ts';
import { forgetFile, type KeptFile, keepFile, type LogFile } from './evidence.ts';
import type { FileEntry } from './file-entry.ts';
import { type CheckSize, type Limits, sizeCheck } from './limits.ts';
import { type Part, readParts } from './parts.ts';
import type { NamedZone } from './read-entry.ts';
import { threadsFor } from './region-threads.ts';
import { StoreError } from './store-error.ts';

/** What became of a file that was added. */
export interface AddedFile {
  /** Its name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The case had this very file before: nothing was loaded again. */
  readonly already: boolean;
  /** One for each entry of a zip, in their order; one for a bare file. */
  readonly parts: readonly Part[];
}

/** How a file is added. */
export interface AddOptions {
  /** The id of the export job that the file is the result of. */
  readonly job?: string;
  readonly onProgress?: (progress: AddProgress) => void;
  /** Ends the adding: finished parts stay, the one under way leaves nothing. Adding the file again goes on. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /** The zone of times that name none, as "+02:00" or "Europe/Berlin": UTC unless given. One that is unknown is a RangeError. */
  readonly zone?: string;
  /**
   * So many threads read NDJSON beside this one; 0 is none. Unless given, large
   * files have up to three, and small ones none: a thread takes a while to start.
   */
  readonly threads?: number;
}

/** How far adding a file has come. */
export interface AddProgress {
  readonly file: string;
  /** The entry under way. */
  readonly entry: string;
  /** Inflated bytes read so far, of all entries. */
  readonly bytes: number;
  /** Of all entries, where the file says so. */
  readonly totalBytes?: number;
  readonly logs: number;
  readonly unreadable: number;
}

/**
 * Adds a file of logs to a case: a zip of entries in any format that logs come
 * in, or one such entry by itself. The original is kept untouched beside the
 * case. An entry that cannot be read does not stop the others: its part says
 * why.
 *
 * Rejects with the signal's reason, or a `StoreError`: `FILE_NOT_FOUND`,
 * `FILE_UNREADABLE`, `TRUNCATED_ZIP`, `BAD_ZIP`, `TOO_BIG`, `READ_ONLY`,
 * `STORE_FAILED`. A file of which nothing was loaded leaves nothing behind.
 */
export async function addFile(into: Case, file: LogFile, options: AddOptions = {}): Promise<AddedFile> {
  if (into.access === 'read') throw new StoreError('READ_ONLY', `"${into.path}" was opened for reading only`);
  options.signal?.throwIfAborted();
  const kept = await keepFile(into, file, options.signal);
  try {
    return await addKept(into, kept, options);
  } catch (error) {
    // What parts refer to stays, and so does what was there before.
    if (kept.isNew && (await partsOf(into, kept)).length === 0) await forgetFile(into, kept);
    throw error;
  }
}

async function addKept(into: Case, file: KeptFile, options: AddOptions): Promise<AddedFile> {
  const known = new Map((await partsOf(into, file)).map((part) => [part.entryNumber, part]));
  const already = await hasFile(into, file);
  const opened = await openEntries(file.name, file.source);
  try {
    const sizes = opened.entries.map(({ bytes }) => bytes);
    const totalBytes = sizes.every((size) => size !== undefined)
      ? sizes.reduce((sum, size) => sum + size, 0)
      : undefined;
    const checkSize = sizeCheck(file.name, file.bytes, options.limits);
    // What the file says of itself is refused before a log of it is loaded.
    if (totalBytes !== undefined) checkSize(totalBytes);
    for (const entry of opened.entries) await checkClaim(entry, checkSize, options.signal);
    const adding = toAdding(into, file, {
      ...options,
      checkSize,
      ...(totalBytes !== undefined && { totalBytes }),
    });
    const parts = await addEntries(adding, opened.entries, {
      known,
      ...(!already && {
        noteFile: (connection, all) => noteFile(connection, file, { parts: all, job: options.job }),
      }),
    });
    return { name: file.name, sha256: file.sha256, bytes: file.bytes, already, parts };
  } finally {
    opened.close();
  }
}

interface Entries {
  /** The parts of the file that the case has, by the numbers of their entries. */
  readonly known: ReadonlyMap<number, Part>;
  /** Notes the file with all its parts. */
  readonly noteFile?: (connection: DuckDBConnection, parts: readonly Part[]) => Promise<void>;
}

/** Adds the entries that the case does not have, or has as a failure. The file is noted along with the last of them. */
async function addEntries(
  adding: Adding,
  entries: readonly FileEntry[],
  { known, noteFile }: Entries,
): Promise<readonly Part[]> {
  const parts = new Map(known);
  const allParts = () => entries.flatMap(({ number }) => parts.get(number) ?? []);
  const isThere = (part: Part | undefined) => part !== undefined && !part.problem;
  const missing = entries.filter(({ number }) => !isThere(known.get(number)));
  const last = missing.at(-1);
  for (const entry of missing) {
    const note = async (connection: DuckDBConnection, part: Part) => {
      parts.set(entry.number, part);
      if (entry === last) await noteFile?.(connection, allParts());
    };
    await addEntry(adding, entry, { earlier: known.get(entry.number), note });
  }
  if (!last && noteFile) await writing(adding.into, (connection) => noteFile(connection, allParts()));
  return allParts();
}

/** The counting and checking that goes along with the adding of a file. */
function toAdding(
  into: Case,
  file: KeptFile,
  {
    job,
    signal,
    checkSize,
    onProgress,
    totalBytes,
    threads,
    zone,
  }: AddOptions & { readonly checkSize: CheckSize; readonly totalBytes?: number },
): Adding {
  let [bytes, logs, unreadable] = [0, 0, 0];
  return {
    into,
    file,
    ...(job !== undefined && { job }),
    ...(zone !== undefined && { zone: namedZone(zone) }),
    onBytes: (more) => {
      signal?.throwIfAborted();
      bytes += more;
      checkSize(bytes);
    },
    threadsFor: (entry) => threadsFor({ text: entry.bytes, file: file.bytes }, threads),
    onRecords: (entry, records) => {
      signal?.throwIfAborted();
      logs += records.logs;
      unreadable += records.unreadable;
      const total = totalBytes !== undefined && { totalBytes };
      onProgress?.({ file: file.name, entry: entry.name, bytes, ...total, logs, unreadable });
    },
  };
}

function namedZone(name: string): NamedZone {
  const zone = parseZone(name);
  if (!zone) throw new RangeError(`There is no time zone "${name}"`);
  return { name, zone };
}

function partsOf(of: Case, { sha256 }: KeptFile): Promise<Part[]> {
  return reading(of, (connection) => readParts(connection, sha256));
}

/** Whether a file was added whole before. */
function hasFile(within: Case, { sha256 }: KeptFile): Promise<boolean> {
  return reading(within, async (connection) => {
    const result = await connection.runAndReadAll('SELECT 1 FROM stored.files WHERE sha256 = $1', [sha256]);
    return 0 < result.getRowsJS().length;
  });
}

async function noteFile(
  connection: DuckDBConnection,
  { name, sha256, bytes }: KeptFile,
  { parts, job }: { readonly parts: readonly Part[]; readonly job: string | undefined },
): Promise<void> {
  const logs = parts.reduce((sum, part) => sum + part.logs, 0);
  await connection.run('INSERT INTO stored.files VALUES ($1, $2, $3::BIGINT, $4, epoch_ms($5::BIGINT))', [
    ...[sha256, name, bytes, job ?? null, Date.now()],
  ]);
  await noteAction(connection, 'add file', { file: name, sha256, parts: parts.length, logs });
}
