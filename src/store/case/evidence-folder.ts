import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files/sync-folder.ts';

/** How the name of a file begins that is not wholly there yet. */
export const arriving = 'arriving-';

/**
 * The folder in which the originals of a case are kept, each under the hash of
 * its bytes. It is beside the file itself, whatever links lead there.
 */
export function evidenceFolder(casePath: string): string {
  return `${existsSync(casePath) ? realpathSync(casePath) : casePath}.evidence`;
}

/** A path for a file that is being copied into the evidence of a case. */
export function arrivingPath(casePath: string): string {
  return join(evidenceFolder(casePath), arriving + randomUUID());
}

/** The names of the files that a case keeps; those that are half copied do not count. */
export async function listEvidence(casePath: string): Promise<readonly string[]> {
  const folder = evidenceFolder(casePath);
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => !name.startsWith(arriving)).sort();
}

/** Removes the folder of the evidence when nothing is in it. That others are is no failure. */
export async function removeWhenEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** The folders that files got names in which may not be on the disk yet. */
const unsynced = new Set<string>();

/** Notes that a file got its name in a folder, or has it there from somebody who may not have synced it. */
export function noteNamed(folder: string): void {
  unsynced.add(folder);
}

/**
 * Sees to it that the files of a case are on the disk under their names, as
 * their bytes are already. Once for each transaction that may list some: for
 * each file it would take as long as loading some hundred logs.
 */
export async function syncNames(casePath: string): Promise<void> {
  const folder = evidenceFolder(casePath);
  // Before it is synced: a name that comes meanwhile is not lost.
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
