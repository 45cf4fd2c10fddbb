import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How the name of a file begins that is not wholly there yet. */
const arriving = 'arriving-';

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

/** Removes what a process that was killed has left half copied. Only for who alone may write to the case. */
export async function removeArriving(casePath: string): Promise<void> {
  const folder = evidenceFolder(casePath);
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder))
    if (name.startsWith(arriving)) await rm(join(folder, name), { force: true });
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
