import { existsSync, renameSync } from 'node:fs';
import { chmod, type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { arrivingPath, evidenceFolder, noteNamed, removeWhenEmpty } from '../case/evidence-folder.ts';
import { markPending, unmarkPending } from '../case/pending-originals.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { Source } from './source.ts';

/** A file on its way to being kept with a case. Nothing is left of it where it is not kept before it is disposed of. */
export interface ArrivingFile extends AsyncDisposable {
  /** Takes the next bytes, which must stay as they are until it resolves. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Keeps what was written, under its hash. Resolves when its bytes are on the disk; its name is before a transaction ends. */
  readonly keep: (sha256: string) => Promise<Arrived>;
}

/** Where a file is kept. */
export interface Arrived {
  /** It was not there before. */
  readonly isNew: boolean;
  readonly source: Source;
}

/** So many bytes are sent to the disk while others are written: then little is left to wait for in the end. */
const syncAfter = 32 * 1024 * 1024;

/** Begins a copy in the evidence of a case. */
export async function openCopy(casePath: string): Promise<ArrivingFile> {
  const folder = evidenceFolder(casePath);
  const arriving = arrivingPath(casePath);
  const target = await openNew(folder, arriving);
  let unsynced = 0;
  let syncing: Promise<void> | undefined;
  let isKept = false;
  return { write, keep, [Symbol.asyncDispose]: dispose };

  async function write(chunk: Uint8Array): Promise<void> {
    await target.writeFile(chunk);
    unsynced += chunk.length;
    if (syncAfter <= unsynced) await sync();
  }

  /** Begins to send to the disk what was written, and waits for what was sent before. */
  async function sync(): Promise<void> {
    await syncing;
    unsynced = 0;
    syncing = target.datasync();
    // Who syncs the next time hears of a failure; nobody has missed it until then.
    syncing.catch(() => undefined);
  }

  async function keep(sha256: string): Promise<Arrived> {
    await syncing;
    await target.sync();
    await target.close();
    await chmod(arriving, 0o444);
    const path = join(folder, sha256);
    // Nothing comes in between: of two equal ones the first is new, and stays.
    const isNew = !existsSync(path);
    if (isNew) giveName(arriving, { folder, sha256 });
    noteNamed(folder);
    isKept = isNew;
    return { isNew, source: { path } };
  }

  async function dispose(): Promise<void> {
    await target.close();
    if (isKept) return;
    await rm(arriving, { force: true });
    await removeWhenEmpty(folder);
  }
}

/** Gives a copied file the name of its bytes. It is marked until the case refers to it. */
function giveName(
  path: string,
  { folder, sha256 }: { readonly folder: string; readonly sha256: string },
): void {
  try {
    markPending(folder, sha256);
    renameSync(path, join(folder, sha256));
  } catch (error) {
    unmarkPending(folder, sha256);
    throw error;
  }
}

/** Who takes a file back takes the folder away where nothing else is in it, and may do so before there is. */
const tries = 20;

/** Opens a new file in a folder, which is made where it is not there. */
async function openNew(folder: string, path: string, left: number = tries): Promise<FileHandle> {
  try {
    await makeFolder(folder);
    return await open(path, 'wx');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isGone && 1 < left) return await openNew(folder, path, left - 1);
    await removeWhenEmpty(folder);
    throw error;
  }
}
