import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, statSync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, StoreError } from './store-error.ts';

/** A file that is being written. Disposal removes it unless it was finished. */
export interface AtomicFile extends AsyncDisposable {
  /** Path to write to: beside the target, or the target itself if that is not a regular file. */
  readonly temporary: string;
  /** Permissions of the replaced file; undefined if there is none. */
  readonly mode: number | undefined;
  /**
   * Renames the written file to its target, replacing it. Resolves once bytes and name are on the disk. Rejects
   * with the system error, or with `STORE_FAILED` if the name may not be on the disk.
   */
  readonly finish: () => Promise<void>;
}

/**
 * Starts to write a file that appears complete or not at all. It has a temporary name until its bytes are on
 * the disk. Links to the target stay links. Removes what killed processes left of earlier attempts.
 */
export async function beginAtomicFile(path: string): Promise<AtomicFile> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) return writeThrough(path);
  const target = found ? await realpath(path) : resolve(path);
  await removeStaleFiles(target);
  const temporary = temporaryBeside(target);
  return {
    temporary,
    mode: found?.mode,
    finish: async () => {
      await syncFile(temporary);
      await rename(temporary, target);
      await syncFolder(dirname(target));
    },
    // A failed removal is left to the next attempt and hides no error.
    [Symbol.asyncDispose]: () => rm(temporary, { force: true }).catch(() => undefined),
  };
}

/** Anything but a regular file, such as a pipe, is written to and not replaced. */
function writeThrough(path: string): AtomicFile {
  return {
    temporary: path,
    mode: undefined,
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

async function syncFile(path: string): Promise<void> {
  // Opened for writing: Windows cannot sync otherwise.
  await using handle = await open(path, 'r+');
  await handle.sync();
}

/** Separates the name of a file from the mark of the process that writes it. */
const infix = '.arriving-';

/**
 * Milliseconds without a change after which a temporary file of another machine counts as abandoned: its
 * processes are unknown here.
 */
const longUnchanged = 24 * 60 * 60 * 1000;

/** Identifies this machine, and on Linux the container: process ids are only valid within it. */
const machine = createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Returns a new path beside a file, for the file that will replace it. The name identifies the writing process,
 * so `removeStaleFiles` can remove it once that is dead.
 */
export function temporaryBeside(path: string): string {
  return `${path}${infix}${machine}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Removes temporary files and folders beside a path that killed processes left. Spares those of living
 * processes, and those of other machines until unchanged for a day. Never rejects.
 */
export async function removeStaleFiles(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = basename(path) + infix;
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((name) => name.startsWith(prefix)))
    if (await isStale(join(folder, name), name.slice(prefix.length)))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

/** Mark of a process in a name: machine, process id and a random number. Files beside it add an extension. */
const marked = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(\.\w+)?$/;

/** Marks of older versions, without a process id. */
const unmarked = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\w+)?$/;

async function isStale(path: string, mark: string): Promise<boolean> {
  const [, madeOn, pid] = marked.exec(mark) ?? [];
  if (madeOn === machine) return !isAlive(Number(pid));
  if (madeOn === undefined && !unmarked.test(mark)) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && longUnchanged < Date.now() - found.mtimeMs;
}

/** Reports if a process runs on this host; true if it belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/**
 * Error codes of folders that cannot be synced. They are missing (ENOENT), not readable (EACCES), or not
 * supported by the system, as on Windows (EPERM, EISDIR) and some network file systems (EINVAL, ENOTSUP). The
 * system alone decides how safe names are there.
 */
const unsyncable: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'EINVAL',
  'ENOTSUP',
]);

/**
 * Syncs the names in a folder to the disk. Rejects with `STORE_FAILED`, unless the folder cannot be synced at
 * all.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && unsyncable.has(cause.code)) return;
    throw new StoreError('STORE_FAILED', `"${folder}" cannot be written: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Creates a folder within an existing one, unless it exists. Rejects with the system error. Does not use
 * `recursive`: with it, Node reports a full disk as a missing folder.
 */
export async function makeFolder(path: string, { mode }: { readonly mode?: number } = {}): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    // A folder that another process removed meanwhile fails at the next write into it.
    if (!isThere || statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw error;
  }
}

/** Returns an unused path in the folder for temporary files. Removes what killed processes left there. */
export async function temporaryPath(): Promise<string> {
  const base = join(tmpdir(), 'logquarry');
  await removeStaleFiles(base);
  return temporaryBeside(base);
}

/** Creates a temporary folder that only the user can read, and returns its path. Rejects with `STORE_FAILED`. */
export async function makeTemporaryFolder(): Promise<string> {
  const path = await temporaryPath();
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (cause) {
    const message = `Cannot create a temporary folder in "${tmpdir()}" (set TMPDIR to use another one): ${messageOf(cause)}`;
    throw new StoreError('STORE_FAILED', message, { cause });
  }
}

/** System error codes for a full disk, and for one that is broken or read-only. */
const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const broken: ReadonlySet<unknown> = new Set(['EIO', 'EROFS']);

/**
 * Messages of the database for the same failures, which have no codes. They start with an error kind, unlike
 * texts of other origin.
 */
const fullTexts = /^[\w -]+ Error: .*(No space left on device|Disk quota exceeded)/s;
const brokenTexts = /^[\w -]+ Error: .*(Input\/output error|Read-only file system|fsync failed)/s;

/** Returns the kind of disk failure behind an error, found along its causes; undefined for any other error. */
export function diskFailureOf(error: unknown): 'full' | 'broken' | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (full.has(code) || fullTexts.test(error.message)) return 'full';
  if (broken.has(code) || brokenTexts.test(error.message)) return 'broken';
  return diskFailureOf(error.cause);
}
