import { mkdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Where the zip of a job lies between its download and its loading: beside the
 * case, where there is room for it, and always in the same place, so that an
 * export that goes on finds it there.
 */
export function zipPath(casePath: string, jobId: string): string {
  const folder = casePath === ':memory:' ? join(tmpdir(), `logquarry-${process.pid}`) : casePath;
  // The deployment chose the identifier: it must not choose the folder.
  const name = jobId.replace(/[^\w-]/g, '_').slice(0, 80);
  return join(`${folder}.downloads`, `${name}.zip`);
}

/** Makes the folder of a zip. */
export async function makeRoom(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
}

/** Deletes the folder of the zips of a case, unless a zip is in it. */
export async function clearFolder(casePath: string): Promise<void> {
  await rmdir(dirname(zipPath(casePath, ''))).catch(() => {});
}

/** Deletes a zip, and its folder when no other zip is in it. */
export async function clearAway(path: string): Promise<void> {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => {});
}
