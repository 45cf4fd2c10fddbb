import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  messageOf,
  openDatabase,
  realPath,
  removeStaleFiles,
  StoreError,
  syncFolder,
  temporaryBeside,
} from '../../database/index.ts';
import { createSchema } from './schema.ts';

/**
 * Creates the file of a new case if there is none, and returns whether it did. The file gets its name once it
 * is complete and synced, so that a kill leaves no half of it. If another process creates it meanwhile, that
 * one stays.
 *
 * Rejects with a `StoreError`: `CASE_NOT_FOUND` if the folder does not exist, `STORE_FAILED`.
 */
export async function makeCase(path: string): Promise<boolean> {
  const target = realPath(path);
  await removeStaleFiles(target);
  const orphan = findOrphan(target);
  if (existsSync(target)) return false;
  const temporary = temporaryBeside(target);
  try {
    await writeCase(temporary);
    if (orphan !== undefined && orphan === findOrphan(target)) rmSync(`${target}.wal`);
    if (!giveName(temporary, target)) return false;
    await syncFolder(dirname(target));
    return true;
  } catch (cause) {
    const message = messageOf(cause).replaceAll(basename(temporary), basename(target));
    if (cause instanceof StoreError) throw new StoreError(cause.code, message, { cause });
    throw new StoreError('STORE_FAILED', `"${path}" cannot be created: ${message}`, { cause });
  } finally {
    for (const each of [temporary, `${temporary}.wal`])
      await rm(each, { force: true }).catch(() => undefined);
  }
}

/** Writes an empty case into one file. */
async function writeCase(path: string): Promise<void> {
  const database = await openDatabase(path, 'write', { memory: 'little' });
  try {
    const connection = await database.instance.connect();
    try {
      await createSchema(connection);
      // Closing would write it too, but hide a failure.
      await connection.run('CHECKPOINT');
    } finally {
      connection.closeSync();
    }
  } finally {
    database.close();
  }
}

/**
 * Identifies a write-ahead file without its case; undefined if there is none. Call it before looking for the
 * case: another process may create the case and then its write-ahead file.
 */
function findOrphan(target: string): string | undefined {
  const found = statSync(`${target}.wal`, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.dev} ${found.ino} ${found.ctimeMs}` : undefined;
}

/** Error codes of file systems without hard links. */
const unlinkable: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EINVAL',
]);

/** Links a file to its final name; false if the name is taken. A rename would replace a file of another process. */
function giveName(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!unlinkable.has(codeOf(error))) throw error;
  }
  return takeName(temporary, target);
}

function takeName(temporary: string, target: string): boolean {
  try {
    closeSync(openSync(target, 'wx'));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  renameSync(temporary, target);
  return true;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
