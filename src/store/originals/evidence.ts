import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Case } from '../case.ts';
import { messageOf, StoreError } from '../store-error.ts';
import { type Arrived, type ArrivingFile, openCopy } from './arriving-file.ts';
import { evidenceFolder, removeWhenEmpty } from './evidence-folder.ts';
import { readInPlace, type Source } from './source.ts';

/** A file to add: its path, or its name and bytes. */
export type LogFile = string | { readonly name: string; readonly bytes: Uint8Array };

/** A file whose bytes are kept with the case. */
export interface KeptFile extends Arrived {
  /** Its name without folders. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The files of cases that leave them in place: where their bytes are. */
const remembered = new WeakMap<Case, Map<string, Source>>();

/** The name of a file without folders, and where its bytes are. */
export function namedSource(file: LogFile): { readonly name: string; readonly source: Source } {
  return typeof file === 'string'
    ? { name: basename(file), source: { path: file } }
    : { name: file.name, source: { bytes: file.bytes } };
}

/**
 * Keeps a file with a case: a copy named by its hash, in the folder
 * `<case>.evidence` beside the case, never modified. A case that leaves files
 * in place remembers where they are.
 *
 * What is read later is this copy, so what was hashed is what is loaded.
 */
export async function keepFile(into: Case, file: LogFile, signal?: AbortSignal): Promise<KeptFile> {
  const { name, source } = namedSource(file);
  await using arriving = await openArriving(into, { name, source });
  const hashed = await hashWhile(source, async (chunk) => {
    signal?.throwIfAborted();
    await arriving.write(chunk);
  }).catch((error: unknown) => {
    throw toFileError(error, name);
  });
  return { name, ...hashed, ...(await arriving.keep(hashed.sha256)) };
}

/** Begins to keep a file with a case, as `keepFile` does. Whoever reads it writes what there is of it. */
export async function openArriving(
  into: Case,
  { name, source }: { readonly name: string; readonly source: Source },
): Promise<ArrivingFile> {
  const said = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      throw new StoreError('STORE_FAILED', `"${name}" cannot be kept: ${messageOf(cause)}`, { cause });
    }
  };
  const file = into.originals === 'in place' ? rememberedFile(into, source) : await said(openCopy(into.path));
  return {
    write: (chunk) => said(file.write(chunk)),
    keep: (sha256) => said(file.keep(sha256)),
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** A file of a case that leaves files in place: nothing of it is copied. */
function rememberedFile(into: Case, source: Source): ArrivingFile {
  return { write: async () => undefined, keep, [Symbol.asyncDispose]: async () => undefined };

  async function keep(sha256: string): Promise<Arrived> {
    const files = remembered.get(into) ?? new Map<string, Source>();
    remembered.set(into, files);
    const isNew = !files.has(sha256);
    files.set(sha256, source);
    return { isNew, source };
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

/** Why a file cannot be read, or any other failure as it is. */
export function toFileError(error: unknown, name: string): unknown {
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
    return new StoreError('STORE_FAILED', `"${name}" cannot be read: ${messageOf(error)}`, { cause: error });
  return error;
}
