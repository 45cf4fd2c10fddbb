import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { syncFolder } from '../../database/index.ts';

/** Prefix of the names of incomplete files. */
const arrivingPrefix = 'arriving-';

/**
 * Returns the folder with the originals of a case, each named by the SHA-256 of its bytes, whether its copy is
 * compressed or not. It is beside the resolved file, not beside a link to it.
 */
export function evidenceFolder(casePath: string): string {
  return `${existsSync(casePath) ? realpathSync(casePath) : casePath}.evidence`;
}

/** Suffix of the names of compressed copies. */
const compressedSuffix = '.gz';

/** Returns the names that the copy of an original can have: as it came, and compressed. */
export function copyNames(sha256: string): { readonly plain: string; readonly compressed: string } {
  return { plain: sha256, compressed: sha256 + compressedSuffix };
}

/** Returns the SHA-256 of the original that a file in the evidence folder has the name of; else the name itself. */
export function originalOfName(name: string): string {
  return /^[0-9a-f]{64}\.gz$/.test(name) ? name.slice(0, -compressedSuffix.length) : name;
}

/** Removes the copy of an original; does nothing if there is none. Throws the system error. */
export function removeCopy(folder: string, sha256: string): void {
  for (const name of Object.values(copyNames(sha256))) rmSync(join(folder, name), { force: true });
}

/** Returns a path for a file that is being copied into the evidence folder. */
export function arrivingPath(casePath: string): string {
  return join(evidenceFolder(casePath), arrivingPrefix + randomUUID());
}

/** Returns the names of the files in the evidence folder, without incomplete ones. */
export async function listEvidence(casePath: string): Promise<readonly string[]> {
  const folder = evidenceFolder(casePath);
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => !name.startsWith(arrivingPrefix)).sort();
}

/** Removes the evidence folder if it is empty. */
export async function removeEmptyFolder(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** Folders with file names that may not be on the disk yet. */
const unsynced = new Set<string>();

/**
 * Marks a folder for `syncEvidence` after a file got its name there, or was found there, perhaps unsynced by
 * another process.
 */
export function markUnsynced(folder: string): void {
  unsynced.add(folder);
}

/**
 * Syncs the names of the evidence files to the disk; their bytes are there already. Called once for each
 * transaction that may list some: a sync for each file would take as long as loading some hundred logs.
 */
export async function syncEvidence(casePath: string): Promise<void> {
  const folder = evidenceFolder(casePath);
  // Deleted before the sync, so that a name added meanwhile is not lost.
  if (!unsynced.delete(folder)) return;
  try {
    await syncFolder(folder);
    // The folder itself may be new.
    await syncFolder(dirname(folder));
  } catch (error) {
    unsynced.add(folder);
    throw error;
  }
}

/**
 * Marks a new original until the case refers to it. A killed process cannot remove its original, so the next
 * one does. Without a mark, it could be evidence of a newer state of the case.
 */
export function markPending(folder: string, sha256: string): void {
  writeFileSync(join(folder, arrivingPrefix + sha256), '');
}

/** Removes the mark of an original. */
export function unmarkPending(folder: string, sha256: string): void {
  rmSync(join(folder, arrivingPrefix + sha256), { force: true });
}

/**
 * Removes the originals that a killed process left: incomplete ones, and marked ones to which the case does not
 * refer. For the one process that may write to the case.
 */
export async function removePending(connection: DuckDBConnection, casePath: string): Promise<void> {
  const folder = evidenceFolder(casePath);
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) =>
    name.startsWith(arrivingPrefix),
  );
  const marked = names
    .map((name) => name.slice(arrivingPrefix.length))
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
  const listed = marked.length === 0 ? new Set() : await readListed(connection);
  for (const sha256 of marked) if (!listed.has(sha256)) removeCopy(folder, sha256);
  for (const name of names) await rm(join(folder, name), { force: true });
}

async function readListed(connection: DuckDBConnection): Promise<ReadonlySet<unknown>> {
  const result = await connection.runAndReadAll(
    'SELECT sha256 FROM stored.files UNION SELECT file_sha256 FROM stored.parts',
  );
  return new Set(result.getRowsJS().map(([sha256]) => sha256));
}
