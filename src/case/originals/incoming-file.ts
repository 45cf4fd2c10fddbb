import { renameSync } from 'node:fs';
import { chmod, type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../database/index.ts';
import {
  arrivingPath,
  copyNames,
  evidenceFolder,
  markUnsynced,
  removeEmptyFolder,
} from '../file/evidence-folder.ts';
import { markPending, unmarkPending } from '../file/pending-originals.ts';
import { openCopyWriter } from './copy-writer.ts';
import { findCopy } from './find-copy.ts';
import type { ByteSource } from './source.ts';

/** An incoming file, to be stored with a case. Disposal removes it unless it was stored. */
export interface IncomingFile extends AsyncDisposable {
  /** Appends bytes, which must not change until it resolves. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /**
   * Stores the written bytes under their hash. Resolves when they are on disk; the name is on disk
   * before a transaction ends.
   */
  readonly store: (sha256: string) => Promise<StoredOriginal>;
}

/** Location of a stored original. */
export interface StoredOriginal {
  /** The original was not there before. */
  readonly isNew: boolean;
  readonly source: ByteSource;
}

/** Bytes after which data is synced while more is written, so that little remains to sync at the end. */
const syncAfter = 32 * 1024 * 1024;

/** Starts a copy in the evidence folder of a case, compressed if that saves room. */
export async function openEvidenceCopy(casePath: string): Promise<IncomingFile> {
  const folder = evidenceFolder(casePath);
  const arriving = arrivingPath(casePath);
  const target = await openNew(folder, arriving);
  let unsynced = 0;
  let syncing: Promise<void> | undefined;
  let isStored = false;
  const copy = openCopyWriter(append);
  return { write: copy.write, store, [Symbol.asyncDispose]: dispose };

  async function append(chunk: Uint8Array): Promise<void> {
    await target.writeFile(chunk);
    unsynced += chunk.length;
    if (syncAfter <= unsynced) await sync();
  }

  /** Starts to sync the written bytes, and waits for the previous sync. */
  async function sync(): Promise<void> {
    await syncing;
    unsynced = 0;
    syncing = target.datasync();
    // The next sync throws a failure; no unhandled rejection until then.
    syncing.catch(() => undefined);
  }

  async function store(sha256: string): Promise<StoredOriginal> {
    const form = (await copy.finish()) ? 'compressed' : 'plain';
    await syncing;
    await target.sync();
    await target.close();
    await chmod(arriving, 0o444);
    // Atomic without an await: of two equal files, the first is new, and stays.
    const known = findCopy(folder, sha256);
    const path = join(folder, copyNames(sha256)[form]);
    if (!known) giveName(arriving, { folder, sha256, path });
    markUnsynced(folder);
    isStored = !known;
    const stored: ByteSource = form === 'plain' ? { path } : { compressed: path };
    return { isNew: !known, source: known ?? stored };
  }

  async function dispose(): Promise<void> {
    await target.close();
    if (isStored) return;
    await rm(arriving, { force: true });
    await removeEmptyFolder(folder);
  }
}

/** Renames a copied file to the hash of its bytes. It is marked as pending until the case refers to it. */
function giveName(
  arriving: string,
  { folder, sha256, path }: { readonly folder: string; readonly sha256: string; readonly path: string },
): void {
  try {
    markPending(folder, sha256);
    renameSync(arriving, path);
  } catch (error) {
    unmarkPending(folder, sha256);
    throw error;
  }
}

/** Attempts to open a file: whoever removes the last file also removes the folder, possibly in between. */
const maxAttempts = 20;

/** Opens a new file in a folder, which is created if missing. */
async function openNew(folder: string, path: string, attempts: number = maxAttempts): Promise<FileHandle> {
  try {
    await makeFolder(folder);
    return await open(path, 'wx');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isGone && 1 < attempts) return await openNew(folder, path, attempts - 1);
    await removeEmptyFolder(folder);
    throw error;
  }
}
