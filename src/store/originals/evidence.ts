import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Case } from '../case.ts';
import { messageOf, StoreError } from '../store-error.ts';
import { arrivingPath, evidenceFolder } from './evidence-folder.ts';
import { readInPlace, type Source } from './source.ts';

/** A file to add: its path, or its name and bytes. */
export type LogFile = string | { readonly name: string; readonly bytes: Uint8Array };

/** A file whose bytes are kept with the case. */
export interface KeptFile {
  /** Its name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** It was not there before. */
  readonly isNew: boolean;
  readonly source: Source;
}

/** The files of cases that leave them in place: where their bytes are. */
const remembered = new WeakMap<Case, Map<string, Source>>();

/**
 * Keeps a file with a case: a copy named by its hash, in the folder
 * `<case>.evidence` beside the case, never modified. A case that leaves files
 * in place remembers where they are.
 *
 * What is read later is this copy, so what was hashed is what is loaded.
 */
export async function keepFile(into: Case, file: LogFile, signal?: AbortSignal): Promise<KeptFile> {
  const name = typeof file === 'string' ? basename(file) : file.name;
  const source: Source = typeof file === 'string' ? { path: file } : { bytes: file.bytes };
  try {
    return into.originals === 'in place'
      ? await remember(into, name, source)
      : await copy(into, name, source, signal);
  } catch (error) {
    throw toStoreError(error, name);
  }
}

/** Where the bytes of a kept file are; undefined when it is gone. */
export function keptSource(of: Case, sha256: string): Source | undefined {
  if (of.originals === 'in place') return remembered.get(of)?.get(sha256);
  const path = join(evidenceFolder(of.path), sha256);
  return existsSync(path) ? { path } : undefined;
}

/** Takes a file back that was kept for nothing. */
export async function forgetFile(of: Case, { sha256 }: KeptFile): Promise<void> {
  remembered.get(of)?.delete(sha256);
  if (of.originals === 'in place') return;
  await rm(join(evidenceFolder(of.path), sha256), { force: true });
  await removeWhenEmpty(evidenceFolder(of.path));
}

/** That others are in the folder is no failure. */
async function removeWhenEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

async function remember(into: Case, name: string, source: Source): Promise<KeptFile> {
  const { sha256, bytes } = await hashWhile(source, async () => undefined);
  const files = remembered.get(into) ?? new Map<string, Source>();
  remembered.set(into, files);
  const isNew = !files.has(sha256);
  files.set(sha256, source);
  return { name, sha256, bytes, isNew, source };
}

async function copy(into: Case, name: string, source: Source, signal?: AbortSignal): Promise<KeptFile> {
  const folder = evidenceFolder(into.path);
  await mkdir(folder, { recursive: true });
  const arriving = arrivingPath(into.path);
  try {
    const { sha256, bytes } = await copyTo(arriving, source, signal);
    const path = join(folder, sha256);
    const isNew = !existsSync(path);
    if (isNew) await rename(arriving, path);
    else await rm(arriving);
    return { name, sha256, bytes, isNew, source: { path } };
  } catch (error) {
    await rm(arriving, { force: true });
    await removeWhenEmpty(folder);
    throw error;
  }
}

async function copyTo(
  path: string,
  source: Source,
  signal?: AbortSignal,
): Promise<{ sha256: string; bytes: number }> {
  await using target = await open(path, 'wx');
  const hashed = await hashWhile(source, async (chunk) => {
    signal?.throwIfAborted();
    await target.writeFile(chunk);
  });
  await target.sync();
  await chmod(path, 0o444);
  return hashed;
}

/** The hash and the length of what a source holds. */
export function hashSource(
  source: Source,
  onBytes: (bytes: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  return hashWhile(source, async (chunk) => onBytes(chunk.length));
}

async function hashWhile(
  source: Source,
  use: (chunk: Uint8Array) => Promise<void>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of readInPlace(source)) {
    // What is written is hashed meanwhile.
    const used = use(chunk);
    hash.update(chunk);
    bytes += chunk.length;
    await used;
  }
  return { sha256: hash.digest('hex'), bytes };
}

function toStoreError(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return new StoreError('FILE_NOT_FOUND', `There is no file "${name}"`, { cause: error });
  if (code === 'EISDIR')
    return new StoreError('FILE_UNREADABLE', `"${name}" is a folder; name the files in it`, { cause: error });
  if (code === 'EACCES' || code === 'EPERM')
    return new StoreError('FILE_UNREADABLE', `"${name}" may not be read: ${messageOf(error)}`, {
      cause: error,
    });
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
    return new StoreError('STORE_FAILED', `"${name}" cannot be kept: ${messageOf(error)}`, { cause: error });
  return error;
}
