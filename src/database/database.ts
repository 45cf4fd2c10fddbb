import { closeSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { usualMemory } from './memory-limit.ts';
import { damagedCaseError, messageOf, StoreError } from './store-error.ts';

/** The folder to which a database spills what does not fit into memory, with its size limit. */
export interface Spill {
  readonly folder: string;
  /** A size as DuckDB writes it, such as `8GB`. */
  readonly maxSize: string;
}

/**
 * Rejects a file name that DuckDB cannot use as the name of a catalogue. DuckDB derives that name from the text
 * before the first dot and compares it without case. Lower-case `main`, `system` and `temp` alone get another
 * name.
 */
function rejectReservedName(path: string): void {
  const [name = ''] = basename(path).split('.');
  const isReserved = /^(stored|main|system|temp)$/i.test(name) && !/^(main|system|temp)$/.test(name);
  if (isReserved)
    throw new StoreError(
      'NOT_A_CASE',
      `"${basename(path)}" cannot be the name of a case: DuckDB reserves "${name}"; rename the file, or choose another name`,
    );
}

/** An open database file with the number of its users in this process. */
interface SharedDatabase {
  readonly instance: Promise<DuckDBInstance>;
  readonly access: Access;
  users: number;
}

/** Access that a case is opened with. */
export type Access = 'read' | 'write';

/** An open database with the function that closes it. */
export interface Database {
  readonly instance: DuckDBInstance;
  readonly close: () => void;
}

/** Path of a database without a file. */
export const inMemoryPath = ':memory:';

/**
 * Settings that keep SQL away from other files, the network and extensions, and that cannot be reverted. Rows
 * enter through this program alone. Only threads, memory and the compaction of checkpoints stay configurable.
 */
const lockedDown = {
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allowed_configs: '[threads,memory_limit,max_vacuum_tasks]',
  lock_configuration: 'true',
  // Off until `decideCompaction` turns it on.
  max_vacuum_tasks: '0',
};

/**
 * Rows that one statement looks up by an index. DuckDB holds the blocks of all of them in memory at once: some 3 MB for
 * all columns of a row that is far from the others.
 */
export const mostLookedUp = 100;

const always = {
  storage_compatibility_version: 'latest',
  // BEGIN fixes the state that a transaction sees, instead of its first statement.
  immediate_transaction_mode: 'true',
  // An index finds at most this many rows; of more the table is scanned.
  index_scan_max_count: String(mostLookedUp),
  index_scan_percentage: '0',
};

/**
 * Memory budget of a database. `usual` keeps the whole process below 1 GB during any import, index or sort.
 * `little` keeps it below 300 MB, for adding a few logs at a time. The rest spills to a file beside the case.
 */
export type Memory = 'usual' | 'little';

/** Options of `openDatabase`. */
export interface OpenDatabaseOptions {
  /** Default `usual`. */
  readonly memory?: Memory | undefined;
  /** Recreates a file that a killed process left half made. */
  readonly replacesHalfMade?: boolean;
  /** Spill folder; default: a folder beside the case, limited by the free disk space. */
  readonly spill?: Spill | undefined;
}

const memoryOptions = {
  // Each checkpoint rewrites the last rows of a table: at the default of 16 MB, many small files would take
  // twice the space.
  usual: { memory_limit: `${usualMemory}B`, checkpoint_threshold: '64MB' },
  // Memory for compressing columns is needed per thread and not counted against the limit.
  little: { memory_limit: '48MB', threads: '1' },
} as const satisfies { readonly [M in Memory]: object };

/**
 * The databases that are open in this process. Locks of the operating system belong to the whole process: they
 * cannot separate two users within it, and closing one descriptor of a file releases the locks of all.
 */
const open = new Map<string, SharedDatabase>();

/**
 * Opens a database file, or a new database in memory, for many readers or one writer. Rejects with
 * `CASE_NOT_FOUND`, `CASE_LOCKED`, `NOT_A_CASE`, `CASE_VERSION` or `STORE_FAILED`.
 */
export async function openDatabase(
  path: string,
  access: Access,
  options: OpenDatabaseOptions = {},
): Promise<Database> {
  if (path === inMemoryPath) {
    const instance = await create(path, access, options);
    return { instance, close: () => instance.closeSync() };
  }
  const key = realPath(path);
  rejectReservedName(key);
  const known = open.get(key);
  if (known && (known.access === 'write' || access === 'write')) throw lockedError(path, 'in this process');
  // Registered before it is open, so that no other call can open it meanwhile.
  const shared = known ?? { instance: create(key, access, options), access, users: 0 };
  open.set(key, shared);
  shared.users++;
  try {
    const instance = await shared.instance;
    return { instance, close: once(() => release(key, shared, instance)) };
  } catch (error) {
    release(key, shared);
    throw error;
  }
}

function release(key: string, shared: SharedDatabase, instance?: DuckDBInstance): void {
  if (--shared.users > 0) return;
  open.delete(key);
  instance?.closeSync();
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

async function create(
  path: string,
  access: Access,
  { memory = 'usual', replacesHalfMade = false, spill }: OpenDatabaseOptions,
): Promise<DuckDBInstance> {
  const mode = access === 'read' ? 'READ_ONLY' : 'READ_WRITE';
  const options = {
    // DuckDB applies options in this order; the spill folder cannot be set once file access is disabled.
    ...(spill && { temp_directory: spill.folder, max_temp_directory_size: spill.maxSize }),
    ...lockedDown,
    ...memoryOptions[memory],
    access_mode: mode,
  };
  const isNew = path !== inMemoryPath && fileSize(path) === undefined;
  if (path !== inMemoryPath) rejectForeignFile(path);
  const halfMade = replacesHalfMade ? halfMadeFile(path) : undefined;
  try {
    return await DuckDBInstance.create(path, { ...options, ...always });
  } catch (error) {
    if (access === 'read' && needsReplay(error)) return await createReplayed(path, { ...options, ...always });
    const isEmpty = path !== inMemoryPath && fileSize(path) === 0;
    const failure = isEmpty && !isNew ? emptyFileError(path, error) : toStoreError(error, path);
    // A full disk leaves an empty file, at which the next attempt would fail. An empty file of another process
    // is locked.
    if (isNew && isEmpty && failure.code !== 'CASE_LOCKED') rmSync(path, { force: true });
    // A process that creates a file holds its lock: an unlocked, unchanged file has no creator any more.
    if (!halfMade || failure.code === 'CASE_LOCKED' || halfMadeFile(path) !== halfMade) throw failure;
    for (const each of [path, `${path}.wal`]) rmSync(each, { force: true });
    return await create(path, access, { memory });
  }
}

/**
 * Reports if a killed process left an index in the log of changes that the database cannot take over without writing to
 * the file.
 */
function needsReplay(error: unknown): boolean {
  return /replaying WAL file .*could not write file/is.test(messageOf(error));
}

/** Opens a database for reading after a writer took over its log of changes: closing it empties that. */
async function createReplayed(path: string, options: Record<string, string>): Promise<DuckDBInstance> {
  try {
    (await DuckDBInstance.create(path, { ...options, access_mode: 'READ_WRITE' })).closeSync();
    return await DuckDBInstance.create(path, options);
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Returns the size of a file in bytes; undefined if there is none. */
function fileSize(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/** Length of the three headers at the start of a database file. */
const headerBytes = 3 * 4096;

/** Identifies a half-made file that a killed process left, which holds no data. Undefined if there is none. */
function halfMadeFile(path: string): string | undefined {
  const found = path === inMemoryPath ? undefined : statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || headerBytes <= found.size) return undefined;
  const isBegun = found.size === 0 || (magicEnd <= found.size && hasMagic(path));
  return isBegun ? `${found.dev} ${found.ino} ${found.size}` : undefined;
}

/** Magic bytes of a database file, after the first checksum. */
const magic = { text: 'DUCK', at: 8 } as const;

/** A shorter file is inconclusive: another process may be creating it. */
const magicEnd = magic.at + magic.text.length;

/**
 * Throws if the path is not a case file by its name or its first bytes. DuckDB would show files of other
 * formats as views.
 */
function rejectForeignFile(path: string): void {
  if (path.includes('?'))
    throw new StoreError('NOT_A_CASE', `"${path}" cannot be a case: its path contains a question mark`);
  if (magicEnd <= (fileSize(path) ?? 0) && !hasMagic(path)) throw notADatabase(path);
}

/** Reports if a file has the magic bytes of a database. True if it cannot be read: DuckDB then reports the reason. */
function hasMagic(path: string): boolean {
  const bytes = Buffer.alloc(magicEnd);
  try {
    // No database of this process has the file open: closing the descriptor would release its locks.
    const file = openSync(path, 'r');
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
  return bytes.toString('latin1', magic.at) === magic.text;
}

/**
 * Resolves the links of a path, also if the file does not exist yet. Throws `CASE_NOT_FOUND` if its folder does
 * not exist.
 */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    try {
      return join(realpathSync(dirname(whole)), basename(whole));
    } catch {
      throw new StoreError(
        'CASE_NOT_FOUND',
        `There is no folder "${dirname(whole)}" to hold "${basename(whole)}"`,
      );
    }
  }
}

function toStoreError(error: unknown, path: string): StoreError {
  const message = messageOf(error);
  if (/could not set lock/i.test(message)) return lockedError(path, 'in another process', error);
  if (/not a valid DuckDB database|is a directory|in-memory database in read-only/i.test(message))
    return notADatabase(path, error);
  if (/newer version|older version|storage version|different version/i.test(message))
    return new StoreError('CASE_VERSION', `"${path}" was written by another version of DuckDB: ${message}`, {
      cause: error,
    });
  const damaged = damagedCaseError(path, error);
  if (damaged) return damaged;
  if (/does not exist|no such file/i.test(message))
    return new StoreError('CASE_NOT_FOUND', `There is no case file "${path}"`, { cause: error });
  return new StoreError('STORE_FAILED', `"${path}" cannot be opened: ${message}`, { cause: error });
}

/** Returns the error for an empty file, unless another process is creating it: that one is locked. */
function emptyFileError(path: string, cause: unknown): StoreError {
  const failure = toStoreError(cause, path);
  if (failure.code !== 'NOT_A_CASE') return failure;
  const message = `"${path}" is empty: the command that was creating it was killed. Repeat that command, or delete the file`;
  return new StoreError('NOT_A_CASE', message, { cause });
}

function notADatabase(path: string, cause?: unknown): StoreError {
  return new StoreError(
    'NOT_A_CASE',
    `"${path}" is not a case file. "logquarry import FILE --into CASE" makes one of log files`,
    { cause },
  );
}

function lockedError(path: string, where: string, cause?: unknown): StoreError {
  const message = `"${path}" is open ${where}; a case has one writer, or readers only. Close it there, then try again`;
  return new StoreError('CASE_LOCKED', message, { cause });
}
