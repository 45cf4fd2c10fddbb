import { open } from 'node:fs/promises';
import { messageOf, StoreError } from './store-error.ts';

/**
 * Error codes of folders that cannot be synced. They are missing (ENOENT), not readable (EACCES), or not
 * supported by the system, as on Windows (EPERM, EISDIR) and some network file systems (EINVAL, ENOTSUP). The
 * system alone decides how safe names are there.
 */
const unsyncable: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'EINVAL',
  'ENOTSUP',
]);

/**
 * Syncs the names in a folder to the disk. Rejects with `STORE_FAILED`, unless the folder cannot be synced at
 * all.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && unsyncable.has(cause.code)) return;
    throw new StoreError('STORE_FAILED', `"${folder}" cannot be written: ${messageOf(cause)}`, { cause });
  }
}
