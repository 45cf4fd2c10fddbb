import { closeSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import * as v from 'valibot';
import { removeStaleFiles, temporaryBeside } from './files.ts';
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

/** Memory limit of a database that is opened. Bytes. */
export const usualMemory = 340 * 1000 * 1000;

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
  const isAttached = access === 'write' && attachedFiles.has(key);
  if (isAttached || (known && (known.access === 'write' || access === 'write')))
    throw lockedError(path, 'in this process');
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
    const failure = isEmpty && !isNew ? emptyFileError(path, error) : toOpeningError(error, path);
    // A full disk leaves an empty file, at which the next attempt would fail. An empty file of another process
    // is locked.
    if (isNew && isEmpty && failure.code !== 'CASE_LOCKED') rmSync(path, { force: true });
    // A process that creates a file holds its lock: an unlocked, unchanged file has no creator any more.
    if (!halfMade || failure.code === 'CASE_LOCKED' || halfMadeFile(path) !== halfMade) throw failure;
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true });
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
    throw toOpeningError(error, path);
  }
}

/** Database files that one instance reads. */
export interface AttachedDatabases {
  readonly connect: () => Promise<DuckDBConnection>;
  /** Attaches one of the files for reading, under a name. Rejects as `openDatabase` does. */
  readonly attach: (path: string, name: string) => Promise<void>;
  /** Detaches a file, which no connection may use any more. */
  readonly detach: (path: string, name: string) => Promise<void>;
  readonly close: () => void;
}

/** The real paths of files that are attached in this process. */
const attachedFiles = new Set<string>();

/**
 * Opens a database in memory to which these files, and no others, can be attached: to attach one takes a tenth of the
 * time of opening it, and all of them share one limit of memory.
 */
export async function openAttachable(paths: readonly string[], spill: string): Promise<AttachedDatabases> {
  const { lock_configuration: _lock, enable_external_access: _access, ...options } = lockedDown;
  const instance = await DuckDBInstance.create(inMemoryPath, {
    temp_directory: spill,
    ...options,
    ...memoryOptions.usual,
    ...always,
  });
  const connection = await instance.connect();
  const readable = paths.map(realPath).flatMap((path) => [path, `${path}.wal`]);
  await connection.run(`SET allowed_paths = [${readable.map(quoted).join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  const attached = new Set<string>();
  const forget = (key: string) => attached.delete(key) && attachedFiles.delete(key);
  return {
    connect: () => instance.connect(),
    async attach(path, name) {
      const key = realPath(path);
      if (open.get(key)?.access === 'write') throw lockedError(path, 'in this process');
      rejectForeignFile(key);
      try {
        await connection.run(`ATTACH ${quoted(key)} AS ${name} (READ_ONLY)`);
      } catch (error) {
        throw toOpeningError(error, path);
      }
      attached.add(key);
      attachedFiles.add(key);
    },
    async detach(path, name) {
      forget(realPath(path));
      await connection.run(`DETACH ${name}`);
    },
    close() {
      for (const key of [...attached]) forget(key);
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
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

function toOpeningError(error: unknown, path: string): StoreError {
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
  const failure = toOpeningError(cause, path);
  if (failure.code !== 'NOT_A_CASE') return failure;
  const message = `"${path}" is empty: a command that is killed while it creates a case leaves such a file. Repeat that command, or delete the file`;
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

/** Rows of a DuckDB vector. All their texts are in memory at once. */
export const vectorSize = 2_048;

/**
 * Raises the memory limit to what a search of the longest logs in the case needs. Stack traces of 100 kB do not
 * fit into the usual limit. `schemas` have the tables of cases.
 */
export async function reserveMemoryForLogs(
  connection: DuckDBConnection,
  schemas: readonly string[] = ['stored'],
): Promise<void> {
  const parts = schemas.map((schema) => `SELECT bytes, logs FROM ${schema}.parts`).join(' UNION ALL ');
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(bytes * least(1, ${vectorSize} / greatest(logs, 1))), 0)::DOUBLE FROM (${parts})`,
  );
  const bytes = v.parse(v.number(), result.getRowsJS()[0]?.[0]);
  // Token texts are as long as the texts, and a result holds both several times.
  if (longTexts < bytes) await raiseMemoryLimit(connection, 12 * bytes);
}

/** Bytes of texts in one vector that fit into any limit. */
const longTexts = 32 * 1024 * 1024;

/**
 * Raises the memory limit of a database to this number of bytes, and returns the limit in effect. Never lowers
 * it.
 */
export async function raiseMemoryLimit(connection: DuckDBConnection, bytes: number): Promise<number> {
  const limit = await memoryLimit(connection);
  if (bytes <= limit) return limit;
  await setMemoryLimit(connection, bytes);
  return bytes;
}

async function setMemoryLimit(connection: DuckDBConnection, bytes: number): Promise<void> {
  await connection.run(`SET memory_limit = '${Math.ceil(bytes)}B'`);
}

/**
 * Runs repeatable work, and repeats it with twice the memory after an out-of-memory error: up to half of the
 * memory of the machine or container.
 */
export async function retryWithMoreMemory<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const more = 2 * (await memoryLimit(connection));
      if (!isOutOfMemory(error) || memoryOfMachine() / 2 < more) throw error;
      await raiseMemoryLimit(connection, more);
    }
  }
}

/** Memory limit of a database whose blocks are read once. Bytes. */
const lowMemory = 128 * 1000 * 1000;

/**
 * Runs repeatable work that reads blocks of the database once, under a low memory limit: they are not worth keeping.
 * A limit that was raised for long texts stays, and where the low one does not suffice the work is repeated without it.
 */
export async function withLowMemory<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  // The database tells its limit in rounded numbers.
  if (Math.abs((await memoryLimit(connection)) / usualMemory - 1) > 0.001) return await work();
  try {
    await setMemoryLimit(connection, lowMemory);
    return await work();
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
  } finally {
    await raiseMemoryLimit(connection, usualMemory);
  }
  return await work();
}

/** Reports if the database lacked memory; a commit that did says so in its own words. */
function isOutOfMemory(error: unknown): boolean {
  return /^Out of Memory Error|failed to pin block|could not allocate block/.test(messageOf(error));
}

function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Returns the memory limit of a database in bytes. */
export async function memoryLimit(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    "SELECT parse_formatted_bytes(current_setting('memory_limit'))::DOUBLE",
  );
  return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
}

/**
 * Runs work while the database uses one thread. Rows that this program feeds to a statement occupy one thread.
 * With more, the calling thread waits in a busy loop, which costs a third more processor time. The former
 * number of threads returns at the end of the work, or when it calls `restore`.
 */
export async function runInOneThread<T>(
  connection: DuckDBConnection,
  work: (restore: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const threads = await readThreads(connection);
  const restore = () => setThreads(connection, threads);
  await setThreads(connection, 1);
  try {
    return await work(restore);
  } finally {
    await restore();
  }
}

async function readThreads(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll("SELECT current_setting('threads')::INTEGER");
  return v.parse(v.number(), result.getRowsJS()[0]?.[0]);
}

async function setThreads(connection: DuckDBConnection, threads: number): Promise<void> {
  await connection.run(`SET threads = ${threads}`);
}

/** Milliseconds between interrupts: the driver drops one that arrives while no statement runs. */
const pause = 50;

/** Interrupts all statements of a connection from the moment a signal aborts. Returns the function that stops it. */
export function interruptOn(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  let repeated: NodeJS.Timeout | undefined;
  const begin = () => {
    connection.interrupt();
    repeated = setInterval(() => connection.interrupt(), pause);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return () => {
    signal?.removeEventListener('abort', begin);
    clearInterval(repeated);
  };
}

/**
 * Removes the spill folder that the database of a killed process left beside the case. For the one process that
 * may write to the case, before it uses it.
 */
export async function removeSpill(casePath: string): Promise<void> {
  await rm(`${realPath(casePath)}.tmp`, { recursive: true, force: true });
}

/**
 * Returns the path of a new spill folder for one query on a case, which the database creates. Concurrent
 * readers have their own.
 */
export function newSpillFolder(casePath: string): string {
  return `${temporaryBeside(queriesOf(casePath))}.tmp`;
}

/** Removes folders of `newSpillFolder` whose processes are dead. Never rejects. */
export async function removeStaleSpill(casePath: string): Promise<void> {
  await removeStaleFiles(queriesOf(casePath));
}

function queriesOf(casePath: string): string {
  return `${resolve(casePath)}.sql`;
}

/** Converts a failure of the driver to a `StoreError`; returns anything else as it is. */
export function toStoreError(error: unknown, of: { readonly path: string }): unknown {
  if (!isDriverError(error)) return error;
  const damaged = damagedCaseError(of.path, error);
  if (damaged) return damaged;
  // The driver adds advice about settings that users cannot change, and about a database that ends with the
  // process.
  const [message = ''] = messageOf(error).split('\n\nPossible solutions:');
  const what = /Original error: "([^"]*)"/.exec(message)?.[1] ?? message;
  return new StoreError('STORE_FAILED', `"${of.path}": ${what}`, { cause: error });
}

/** Reports if an error comes from the driver: a plain error whose message starts with its kind. */
export function isDriverError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof StoreError) && /^[\w -]+ Error: /.test(error.message);
}
