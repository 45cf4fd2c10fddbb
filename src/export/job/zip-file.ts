import { readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Case, findJobs, findWindows } from '../../case/index.ts';
import { makeFolder, StoreError } from '../../database/index.ts';

/**
 * Path of the zip of a job between its download and its loading: beside the
 * case, where there is space for it. It is always the same, so that a resumed
 * export finds it.
 */
export function zipPath(casePath: string, jobId: string): string {
  const folder = casePath === ':memory:' ? join(tmpdir(), `logquarry-${process.pid}`) : casePath;
  // The deployment chose the identifier: it must not choose the folder.
  const name = jobId.replace(/[^\w-]/g, '_').slice(0, 80);
  return join(`${folder}.downloads`, `${name}.zip`);
}

/** Makes the folder of a zip. Rejects with `STORE_FAILED`. */
export async function makeZipFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await makeFolder(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('STORE_FAILED', `The folder "${folder}" cannot be made: ${reason}`, { cause });
  }
}

/**
 * Deletes zips that no export of a case needs, as those of killed processes and
 * abandoned jobs, and their folder if it is empty. Only for the one process that
 * may write to the case.
 */
export async function removeStaleZips(of: Case): Promise<void> {
  const folder = dirname(zipPath(of.path, ''));
  const names = await readdir(folder).catch((): string[] => []);
  if (0 < names.length) {
    // If it is unknown which ones are needed, all stay.
    const needed = await neededZips(of).catch(() => names);
    for (const name of names)
      if (name.endsWith('.zip') && !needed.includes(name)) await rm(join(folder, name), { force: true });
  }
  await rmdir(folder).catch(() => {});
}

/** Names of the zips that were fetched but not loaded yet. */
async function neededZips(of: Case): Promise<readonly string[]> {
  const jobs = [
    ...(await findJobs(of)).filter(({ state }) => state === 'fetched').map(({ id }) => id),
    ...(await findWindows(of)).flatMap(({ state, job }) => (state === 'fetched' && job ? [job] : [])),
  ];
  return jobs.map((job) => basename(zipPath(of.path, job)));
}

/** Deletes a zip, and its folder if it is empty. */
export async function removeZip(path: string): Promise<void> {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => {});
}
