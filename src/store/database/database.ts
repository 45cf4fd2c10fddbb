import { closeSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { damagedCase, messageOf, StoreError } from './store-error.ts';

/** The folder in which a database keeps what does not fit into its memory, and the most that it keeps there. */
export interface Spill {
  readonly folder: string;
  /** A size of DuckDB's, such as `8GB`. */
  readonly most: string;
}

/**
 * Refuses a file that the database cannot tell from a part of itself. It names a
 * file by what stands before the first dot, in any case; only `main`, `system` and
 * `temp` in lower case it names otherwise.
 */
function checkName(path: string): void {
  const [name = ''] = basename(path).split('.');
  const isOwn = /^(stored|main|system|temp)$/i.test(name) && !/^(main|system|temp)$/.test(name);
  if (isOwn)
    throw new StoreError(
      'NOT_A_CASE',
      `"${basename(path)}" cannot be the name of a case: the database uses "${name}" itself; rename the file, or name another`,
    );
}

/** An open database file that the users of it in this process share. */
interface Shared {
  readonly instance: Promise<DuckDBInstance>;
  readonly access: Access;
  users: number;
}

/** What a case is opened for. */
export type Access = 'read' | 'write';

/** A database and how to let go of it. */
export interface Database {
  readonly instance: DuckDBInstance;
  readonly close: () => void;
}

/** The path of a database without a file. */
export const inMemory = ':memory:';

/**
 * Nothing that runs in the database may reach other files, the network or
 * extensions, nor turn that on: rows come in through this program alone. What
 * may change is how many threads and how much memory it has, and how much of its
 * file a checkpoint writes anew.
 */
const lockedDown = {
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allowed_configs: '[threads,memory_limit,max_vacuum_tasks]',
  lock_configuration: 'true',
  // Until it is decided otherwise.
  max_vacuum_tasks: '0',
};

const always = {
  storage_compatibility_version: 'latest',
  // BEGIN decides which state a transaction sees, and not the first statement behind it.
  immediate_transaction_mode: 'true',
};

/**
 * How much memory a database takes. `usual`: so that a process with all it needs
 * besides stays below 1 GB, however large an import, an index or a sort. `little`: below
 * 300 MB, for work that adds some logs at a time. What does not fit goes to a
 * file beside the case.
 */
export type Memory = 'usual' | 'little';

/** How a database is opened. */
export interface OpenDatabaseOptions {
  /** Default `usual`. */
  readonly memory?: Memory | undefined;
  /** Makes a file anew that a killed process has only begun to make. */
  readonly replacesHalfMade?: boolean;
  /** Where what does not fit into memory goes; unless given, a folder beside the case, as far as the disk has room. */
  readonly spill?: Spill | undefined;
}

const memoryOf = {
  // Each checkpoint writes the last rows of a table anew: at the usual 16 MB many small files would take twice the room.
  usual: { memory_limit: '340MB', checkpoint_threshold: '64MB' },
  // What a thread needs to compress columns is beyond the limit.
  little: { memory_limit: '48MB', threads: '1' },
} as const satisfies { readonly [M in Memory]: object };

/**
 * The databases that are open in this process. The locks of the operating
 * system are held by the process as a whole, so they cannot keep two of its
 * parts apart, and closing one descriptor of a file gives up the locks of all.
 */
const open = new Map<string, Shared>();

/**
 * Opens a database file, or a new one in memory. Any number may read, or one
 * may write. Rejects with `CASE_NOT_FOUND`, `CASE_LOCKED`, `NOT_A_CASE`,
 * `CASE_VERSION` or `STORE_FAILED`.
 */
export async function openDatabase(
  path: string,
  access: Access,
  options: OpenDatabaseOptions = {},
): Promise<Database> {
  if (path === inMemory) {
    const instance = await create(path, access, options);
    return { instance, close: () => instance.closeSync() };
  }
  const key = realPath(path);
  checkName(key);
  const known = open.get(key);
  if (known && (known.access === 'write' || access === 'write')) throw locked(path, 'in this process');
  // Noted before it is open, so that another cannot come in between.
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

function release(key: string, shared: Shared, instance?: DuckDBInstance): void {
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
    // They are set in this order, and cannot be where access to files is locked down already.
    ...(spill && { temp_directory: spill.folder, max_temp_directory_size: spill.most }),
    ...lockedDown,
    ...memoryOf[memory],
    access_mode: mode,
  };
  const isNew = path !== inMemory && lengthOf(path) === undefined;
  if (path !== inMemory) checkFile(path);
  const halfMade = replacesHalfMade ? halfMadeFile(path) : undefined;
  try {
    return await DuckDBInstance.create(path, { ...options, ...always });
  } catch (error) {
    const isEmpty = path !== inMemory && lengthOf(path) === 0;
    const failure = isEmpty && !isNew ? emptyFile(path, error) : toStoreError(error, path);
    // On a full disk an empty file is left, with which the next try would fail. One that another process makes is locked.
    if (isNew && isEmpty && failure.code !== 'CASE_LOCKED') rmSync(path, { force: true });
    // Who makes a file holds its lock, so nobody makes this one any more, as long as it is still the same.
    if (!halfMade || failure.code === 'CASE_LOCKED' || halfMadeFile(path) !== halfMade) throw failure;
    for (const each of [path, `${path}.wal`]) rmSync(each, { force: true });
    return await create(path, access, { memory });
  }
}

/** The bytes of a file; undefined where there is none. */
function lengthOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/** The database begins a file with three headers of this length together. */
const headerBytes = 3 * 4096;

/** Which file at a path is the beginning of one that a killed process was making; it holds nothing. Undefined where none is. */
function halfMadeFile(path: string): string | undefined {
  const found = path === inMemory ? undefined : statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || headerBytes <= found.size) return undefined;
  const isBegun = found.size === 0 || (shortest <= found.size && hasMark(path));
  return isBegun ? `${found.dev} ${found.ino} ${found.size}` : undefined;
}

/** What stands behind the first checksum in a file of the database. */
const mark = { text: 'DUCK', at: 8 } as const;

/** Of a shorter file there is nothing to be seen: another process may be making it. */
const shortest = mark.at + mark.text.length;

/** Throws where the database would take a path for something else than the file of a case: it shows files of other formats as views. */
function checkFile(path: string): void {
  if (path.includes('?'))
    throw new StoreError('NOT_A_CASE', `"${path}" can be no case: its path has a question mark`);
  if (shortest <= (lengthOf(path) ?? 0) && !hasMark(path)) throw notADatabase(path);
}

/** Whether a file begins as those of the database do. Where that cannot be seen, the database says why. */
function hasMark(path: string): boolean {
  const bytes = Buffer.alloc(shortest);
  try {
    // Nothing of this process has the file open: closing it here would give up its locks.
    const file = openSync(path, 'r');
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
  return bytes.toString('latin1', mark.at) === mark.text;
}

/** The one path of a file that may have several, also when the file is not there yet. Throws `CASE_NOT_FOUND` where no folder holds it. */
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
  if (/could not set lock/i.test(message)) return locked(path, 'in another process', error);
  if (/not a valid DuckDB database|is a directory|in-memory database in read-only/i.test(message))
    return notADatabase(path, error);
  if (/newer version|older version|storage version|different version/i.test(message))
    return new StoreError('CASE_VERSION', `"${path}" was written by another version of DuckDB: ${message}`, {
      cause: error,
    });
  const damaged = damagedCase(path, error);
  if (damaged) return damaged;
  if (/does not exist|no such file/i.test(message))
    return new StoreError('CASE_NOT_FOUND', `There is no case file "${path}"`, { cause: error });
  return new StoreError('STORE_FAILED', `"${path}" cannot be opened: ${message}`, { cause: error });
}

/** Why an empty file cannot be opened: one that another process makes at this moment is locked. */
function emptyFile(path: string, cause: unknown): StoreError {
  const failure = toStoreError(cause, path);
  if (failure.code !== 'NOT_A_CASE') return failure;
  const message = `"${path}" is empty: the command that was to make it was killed. Repeat that command, or take the file away`;
  return new StoreError('NOT_A_CASE', message, { cause });
}

function notADatabase(path: string, cause?: unknown): StoreError {
  return new StoreError('NOT_A_CASE', `"${path}" is no case file: it is not a DuckDB database`, { cause });
}

function locked(path: string, where: string, cause?: unknown): StoreError {
  const message = `"${path}" is open ${where}; a case has one writer, or readers only. Close it there, then try again`;
  return new StoreError('CASE_LOCKED', message, { cause });
}
