import { open } from 'node:fs/promises';
import { messageOf, StoreError } from '../database/store-error.ts';

/**
 * Codes of folders that cannot be synced: one that is gone, one that may not be
 * read, and any where the system does not know how, as Windows (EPERM, EISDIR)
 * and some network file systems (EINVAL, ENOTSUP). Names are as safe there as
 * the system makes them by itself.
 */
const unsyncable: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'EINVAL',
  'ENOTSUP',
]);

/** Writes the names in a folder to the disk. Rejects with `STORE_FAILED`, unless the folder is one that cannot be synced. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && unsyncable.has(cause.code)) return;
    throw new StoreError('STORE_FAILED', `"${folder}" cannot be written: ${messageOf(cause)}`, { cause });
  }
}
